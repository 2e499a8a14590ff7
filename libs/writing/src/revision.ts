import { z } from 'zod';
import { splitParagraphs } from './paragraphs.js';
import type { ParagraphEdit } from './span-patch.js';

/** A revision as a model gives it: replacements of paragraphs by id, and new ones behind them. */
export const revisionSchema = z.object({
  edits: z
    .array(
      z.object({
        op: z.enum(['replace', 'insert_after']),
        paragraph_id: z.string().max(60),
        text: z.string().max(40_000),
      }),
    )
    .max(300),
});

/** The form of a revision, for a prompt. */
export const REVISION_FORM =
  'Form: {"edits": [{"op": "replace", "paragraph_id": "…", "text": "…"}, {"op": "insert_after", "paragraph_id": "…", "text": "…"}]}';

/** What is told to who revises. */
export const REVISION_RULE =
  'You revise by naming paragraphs; every other paragraph stays as it is. Answer with one JSON object and nothing else.';

/** The edits of a revision, fit for a patch: bare ids, and text that can be stored. */
export function editsOf({ edits }: z.infer<typeof revisionSchema>): ParagraphEdit[] {
  return edits.map((edit) => ({
    ...edit,
    paragraph_id: edit.paragraph_id.replace(/[<>]/g, ''),
    text: edit.text.replaceAll('\u0000', '').toWellFormed(),
  }));
}

/** A draft with the ids of its paragraphs, as a revision names them. */
export function numberedDraft(content: string): string {
  return splitParagraphs(content)
    .map(({ id, text }) => `<<${id}>>\n${text}`)
    .join('\n\n');
}
