import { z } from 'zod';
import { splitParagraphs } from './paragraphs.js';
import type { ParagraphEdit } from './span-patch.js';

const revisionEdit = z.object({
  op: z.enum(['replace', 'insert_after']),
  paragraph_id: z.string().max(60),
  text: z.string().max(40_000),
});

/** A revision from a model: replacements of paragraphs by ID, and new paragraphs after them. */
export const revisionSchema = z.object({
  edits: z.array(revisionEdit).max(300),
});

/** Explains the fields of `revisionSchema` in a prompt. */
export const PATCH_RULE =
  '"paragraph_id" is the id that stands in << >> above the paragraph. "replace" gives the whole new paragraph, and removes it if "text" is empty; "insert_after" adds a paragraph below it. "text" may hold several paragraphs, also headings. To move a paragraph, remove it and repeat its words in the "text" of another edit; to place something first, replace the first paragraph by both. Paragraphs that you do not name stay as they are.';

/** Returns the edits of a revision, ready for a patch: plain IDs and text that can be stored. */
export function editsOf({ edits }: z.infer<typeof revisionSchema>): ParagraphEdit[] {
  return edits.map((edit) => ({
    ...edit,
    paragraph_id: edit.paragraph_id.replace(/[<>]/g, ''),
    text: edit.text.replaceAll('\u0000', '').toWellFormed(),
  }));
}

/** New wording of paragraphs from a model, by ID. */
export const rewordingSchema = z.object({ edits: z.array(revisionEdit.omit({ op: true })).max(300) });

/** Explains the fields of `rewordingSchema` in a prompt. */
export const REWORDING_RULE =
  '"paragraph_id" is the id that stands in << >> above the paragraph, and "text" the whole new paragraph. Paragraphs that you do not name stay as they are.';

/** Returns the edits of a rewording, which replaces paragraphs and removes none. */
export const rewordingOf = ({ edits }: z.infer<typeof rewordingSchema>): ParagraphEdit[] =>
  editsOf({
    edits: edits.filter(({ text }) => text.trim() !== '').map((edit) => ({ ...edit, op: 'replace' })),
  });

/** Returns a draft, or the named paragraphs of it, with the IDs of its paragraphs, to which a revision refers. */
export function numberedDraft(content: string, named?: ReadonlySet<string>): string {
  return splitParagraphs(content)
    .filter(({ id }) => named?.has(id) ?? true)
    .map(({ id, text }) => `<<${id}>>\n${text}`)
    .join('\n\n');
}
