import { oneLine } from '#contracts/text.js';
import { READ_ONLY } from '#contracts/proposals.js';
import { countWhile } from '#contracts/count-while.js';
import { diffArrays } from 'diff';
import { type AcceptedEdit, applyEdits } from './apply.js';
import { type Leaf, leavesOf } from './leaves.js';
import { OBJECT, readMarkedText } from './marked-text.js';
import { readSent } from './original.js';
import { type ReadProposal, readProposals } from './propose.js';

/**
 * Reads what people changed in a Word file of ours (X9).
 *
 * @param sent the file as it was sent
 * @param returned the file that came back
 * @param manuscript Markdown of the sent file
 * @param savedBy who saved the returned file last; null if unknown
 * @throws ExtractionError for a damaged or oversized file
 */
export function reviewDocx(
  sent: Uint8Array,
  returned: Uint8Array,
  manuscript: string,
  savedBy: string | null = null,
): ReadProposal[] {
  return readProposals(readSent(sent, manuscript), readMarkedText(returned), savedBy);
}

/** What an accepted proposal changes. */
export type AppliedProposal = Pick<
  ReadProposal,
  'kind' | 'after' | 'start' | 'end' | 'at' | 'text' | 'lead' | 'sent' | 'within'
>;

/**
 * Applies accepted proposals. Those after which the manuscript would not show what Word shows are refused.
 *
 * @param isAccepted says for the position of each proposal whether it is accepted
 * @param isApplied says which accepted ones were applied before, and are not refused
 * @returns the new manuscript, and the positions of the refused proposals
 */
export function applyProposals(
  manuscript: string,
  proposals: readonly AppliedProposal[],
  isAccepted: (index: number) => boolean,
  isApplied: (index: number) => boolean = () => false,
): { text: string; refused: number[] } {
  const leaves = leavesOf(manuscript);
  const dropped = new Set(
    proposals.flatMap(({ within }, index) => (within !== null && isAccepted(index) ? [within] : [])),
  );
  const refused = new Set<number>();
  for (;;) {
    const used = [...proposals.entries()].filter(
      ([index, { kind, within }]) =>
        isAccepted(index) &&
        within === null &&
        !dropped.has(index) &&
        !refused.has(index) &&
        !READ_ONLY.has(kind),
    );
    const edits = used.map(([, edit]) => edit);
    const text = applyEdits(manuscript, edits, leaves);
    const damaging = [...damagingEdits(leaves, edits, text)].map((edit) => used[edit]![0]);
    const refusable = (damaging.length > 0 ? used.map(([index]) => index) : []).filter((i) => !isApplied(i));
    const next = refusable.filter((index) => damaging.includes(index));
    for (const index of next.length > 0 ? next : refusable) refused.add(index);
    if (refusable.length === 0) return { text, refused: [...refused].sort((a, b) => a - b) };
  }
}

/** An accepted change, with the words that Word shows after it. */
interface ShownEdit extends AcceptedEdit {
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
function damagingEdits(leaves: readonly Leaf[], edits: readonly ShownEdit[], changed: string): Set<number> {
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
    const words = oneLine(text);
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
