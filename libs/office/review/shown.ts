import { countWhile } from '#contracts/count-while.js';
import { diffArrays } from 'diff';
import type { AcceptedEdit } from './apply.js';
import { leavesOf, type Leaf } from './leaves.js';
import { OBJECT } from './marked-text.js';

/** An accepted change, with the words that Word shows after it. */
export interface ShownEdit extends AcceptedEdit {
  after: string;
}

/** Words of a paragraph with single blanks, and the positions of the changes that took part in it. */
interface ShownParagraph {
  text: string;
  edits: Set<number>;
}

/**
 * Compares the words of a changed manuscript with those that Word shows after the same changes. What Word shows is computed
 * without Markdown, so that it is right where Markdown cannot express a change, such as a join across a quotation.
 *
 * @param leaves leaves of the manuscript before the changes
 * @param changed the manuscript after the changes
 * @returns positions of the changes in paragraphs that differ; all if the difference is in no changed paragraph; else empty
 */
export function damagingEdits(
  leaves: readonly Leaf[],
  edits: readonly ShownEdit[],
  changed: string,
): Set<number> {
  const expected = withWords(shownWith(leaves, edits));
  const found = withWords(leavesOf(changed).map(({ text }) => ({ text, edits: new Set<number>() })));
  const texts = (paragraphs: ShownParagraph[]) => paragraphs.map(({ text }) => text);
  const damaging = new Set<number>();
  let at = 0;
  for (const { added, removed, value } of diffArrays(texts(expected), texts(found))) {
    const length = added ? 0 : value.length;
    if (added || removed) {
      const own = editsOf(expected, at, at + length);
      const near = own.size > 0 ? own : editsOf(expected, at - 1, at + length + 1);
      for (const edit of near.size > 0 ? near : edits.keys()) damaging.add(edit);
    }
    at += length;
  }
  return damaging;
}

const editsOf = (paragraphs: readonly ShownParagraph[], from: number, to: number): Set<number> =>
  new Set(paragraphs.slice(Math.max(0, from), to).flatMap(({ edits }) => [...edits]));

/** Returns the paragraphs that Word shows after the changes. */
function shownWith(leaves: readonly Leaf[], edits: readonly ShownEdit[]): ShownParagraph[] {
  const text = leaves.map((leaf) => `${leaf.text}\n`).join('');
  // The end of a paragraph reaches to the next one.
  const from = leaves.flatMap((leaf) => [...leaf.from, leaf.end]);
  const to = leaves.flatMap((leaf, i) => [...leaf.to, leaves[i + 1]?.start ?? Infinity]);
  const starts = leaves.map(({ start }) => start);
  let length = 0;
  const offsets = leaves.map((leaf) => (length += leaf.text.length + 1) - leaf.text.length - 1);
  const removedBy = new Map<number, number>();
  const inserts = new Map<number, number[]>();
  for (const [index, { start, end, at, lead }] of edits.entries()) {
    if (end > start)
      for (let i = firstFrom(from, start); i < to.length && to[i]! <= end; i++) removedBy.set(i, index);
    const place = lead === null ? firstFrom(to, at + 1) : (offsets[firstFrom(starts, at)] ?? text.length);
    inserts.set(place, [...(inserts.get(place) ?? []), index]);
  }
  const paragraphs: ShownParagraph[] = [{ text: '', edits: new Set() }];
  const write = (words: string, edit: number | undefined) => {
    for (const [i, part] of words.split('\n').entries()) {
      if (i > 0) paragraphs.push({ text: '', edits: new Set() });
      paragraphs.at(-1)!.text += part;
      if (edit !== undefined) paragraphs.at(-1)!.edits.add(edit);
    }
  };
  for (let i = 0; i <= text.length; i++) {
    for (const index of inserts.get(i) ?? []) {
      const { after, at, lead } = edits[index]!;
      const isInCell = lead === null && leaves[firstFrom(starts, at + 1) - 1]?.kind === 'cell';
      write(after.replaceAll(OBJECT, '').replaceAll('\n', isInCell ? ' ' : '\n'), index);
    }
    const edit = removedBy.get(i);
    write(edit === undefined ? text.charAt(i) : '', edit);
  }
  return paragraphs;
}

/** Returns the paragraphs with words. The changes of the others count as changes of those next to them. */
function withWords(paragraphs: readonly ShownParagraph[]): ShownParagraph[] {
  const shown: ShownParagraph[] = [];
  let empty: number[] = [];
  for (const { text, edits } of paragraphs) {
    const words = text.replace(/\s+/g, ' ').trim();
    if (words !== '') {
      shown.push({ text: words, edits: new Set([...empty, ...edits]) });
      empty = [];
      continue;
    }
    empty.push(...edits);
    for (const edit of edits) shown.at(-1)?.edits.add(edit);
  }
  return shown;
}

/** Returns the position of the first of ascending numbers that is not less than a number. */
const firstFrom = (numbers: readonly number[], least: number): number =>
  countWhile(numbers.length, (index) => numbers[index]! < least);
