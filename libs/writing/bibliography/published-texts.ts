import { countWhile } from '#contracts/count-while.js';
import { z } from 'zod';

const publishedTextSchema = z.object({
  /** Null for an article. */
  chapter_id: z.string().nullable(),
  content: z.string(),
  /** Parts that the publication contains unchanged, in their order; positions in UTF-16 units. */
  copied: z.array(
    z.object({
      at: z.number().int().describe('position in the publication'),
      from: z.number().int().describe('position in the text'),
      length: z.number().int(),
    }),
  ),
});
export type PublishedText = z.infer<typeof publishedTextSchema>;
export type CopiedPart = PublishedText['copied'][number];

/** The Markdown of a publication, and the chapters or the article in it. */
export const publishedTextsSchema = z.object({ markdown: z.string(), texts: z.array(publishedTextSchema) });
export type PublishedTexts = z.infer<typeof publishedTextsSchema>;

/** A change of a publication: what lies between is deleted, and `text` is inserted at `at`. */
interface PlacedChange {
  start: number;
  end: number;
  at: number;
  text: string;
  /** Length of what begins the first of whole paragraphs; null for words. */
  lead: number | null;
}

/**
 * Finds the text of a publication that a change is in, and its places there.
 *
 * @returns the number of the text, from 0, and the changed fields; null for a change outside of the texts, or in several
 */
export function changeInText(
  texts: readonly PublishedText[],
  change: PlacedChange,
): { text: number; change: PlacedChange } | null {
  const { start, end, at, lead } = change;
  for (const [text, { copied }] of texts.entries()) {
    const first = placeIn(copied, start, 'after');
    const last = start === end ? first : placeIn(copied, end, 'before');
    const place = at === start ? first : placeIn(copied, at, 'after');
    if (first !== null && last !== null && place !== null)
      return { text, change: { ...change, start: first, end: last, at: place } };
  }
  // Whole paragraphs above what follows a text, such as the title of the next chapter, are its last ones.
  const text = texts.findLastIndex(({ copied }) => endOf(copied).at <= at);
  if (lead === null || start < end || text < 0) return null;
  const { from } = endOf(texts[text]!.copied);
  const below = change.text.startsWith('\n') ? change.text : `\n\n${change.text.trimEnd()}`;
  const added = below === change.text ? 0 : 2;
  return { text, change: { start: from, end: from, at: from, text: below, lead: lead + added } };
}

/** Returns the part of the publication that a text fills. */
export function spanOf({ copied }: PublishedText): { start: number; end: number } {
  return { start: copied[0]?.at ?? 0, end: copied.length > 0 ? endOf(copied).at : 0 };
}

/** Returns how far a character of a text has moved in the part of the publication that the text fills. */
export function shiftAt({ copied }: PublishedText, from: number): number {
  const part = copied.findLast((each) => each.from <= from) ?? copied[0];
  return part ? Math.max(part.at - part.from - copied[0]!.at, -from) : 0;
}

function endOf(copied: readonly CopiedPart[]): { at: number; from: number } {
  const { at, from, length } = copied.at(-1)!;
  return { at: at + length, from: from + length };
}

/** Returns the position in the text; null for words that it does not contain. At the edge of two parts, the side decides. */
function placeIn(copied: readonly CopiedPart[], at: number, side: 'before' | 'after'): number | null {
  const index =
    side === 'after'
      ? countWhile(copied.length, (i) => copied[i]!.at <= at) - 1
      : countWhile(copied.length, (i) => copied[i]!.at + copied[i]!.length < at);
  const part = copied[index];
  return part && part.at <= at && at <= part.at + part.length ? part.from + at - part.at : null;
}
