import type { Leaf } from './leaves.js';

/** An accepted change of a manuscript, as `readProposals` returns it. */
export interface AcceptedEdit {
  start: number;
  end: number;
  at: number;
  text: string;
  lead: number | null;
  sent: number;
}

interface Cut {
  start: number;
  end: number;
}

/**
 * Applies accepted changes to the manuscript that they were made in. What they do not touch stays byte-identical: only the
 * characters that they delete are removed, so that marks around other words remain. Marks around nothing, and paragraphs
 * without words, are removed as a whole.
 *
 * @param edits in their order in the document
 * @param leaves leaves of the manuscript
 */
export function applyEdits(
  manuscript: string,
  edits: readonly AcceptedEdit[],
  leaves: readonly Leaf[],
): string {
  const ranges = edits.filter(({ start, end }) => end > start);
  const inserts = inParagraphs(edits.filter(({ text }) => text !== ''))
    .map((edit) => joined(edit, leaves, ranges))
    .sort((a, b) => a.at - b.at);
  const cuts: Cut[] = [];
  for (const chain of chainsOf(leaves, ranges)) {
    cuts.push(...cutsOf(chain, manuscript, ranges, inserts));
    if (chain.length > 1) inserts.push(...blanksForLines(chain, manuscript, ranges, cuts));
  }
  return spliced(
    manuscript,
    cuts,
    inserts.sort((a, b) => a.at - b.at),
  );
}

/** Joins the lines of paragraphs that continue one of another list or quotation, because their lines begin differently. */
function blanksForLines(
  chain: readonly Leaf[],
  manuscript: string,
  ranges: readonly Cut[],
  cuts: Cut[],
): AcceptedEdit[] {
  const blanks: AcceptedEdit[] = [];
  for (const leaf of chain.slice(1)) {
    if (leaf.lead === chain[0]!.lead || leaf.kind === 'cell' || leaf.kind === 'code') continue;
    leaf.from.forEach((start, i) => {
      const end = leaf.to[i]!;
      if (isRemoved(leaf, i, ranges) || !manuscript.slice(start, end).includes('\n')) return;
      cuts.push({ start, end });
      blanks.push({ start, end: start, at: start, text: ' ', lead: null, sent: 0 });
    });
  }
  return blanks;
}

const covers = (ranges: readonly Cut[], start: number, end: number): boolean =>
  ranges.some((range) => range.start <= start && range.end >= end);

/** Puts words that one person inserted into a paragraph which another person inserted into this paragraph. */
function inParagraphs(edits: readonly AcceptedEdit[]): AcceptedEdit[] {
  const result: AcceptedEdit[] = [];
  for (const edit of edits) {
    let { text } = edit;
    while (edit.lead !== null && result.at(-1)?.lead === null && result.at(-1)!.sent === edit.sent)
      text = text.slice(0, edit.lead) + result.pop()!.text + text.slice(edit.lead);
    result.push({ ...edit, text });
  }
  return result;
}

/**
 * Whole paragraphs behind a deleted end of a paragraph: the first continues the paragraph above, and the paragraph below
 * begins like the first would have.
 */
function joined(edit: AcceptedEdit, leaves: readonly Leaf[], ranges: readonly Cut[]): AcceptedEdit {
  if (edit.lead === null) return edit;
  const next = leaves.findIndex(({ start }) => start >= edit.at);
  const [above, below] = [leaves[next - 1], leaves[next]];
  if (!above || !below || !covers(ranges, above.end, below.start)) return edit;
  const text = edit.text.slice(edit.lead) + edit.text.slice(0, edit.lead);
  return { ...edit, at: below.start, text, lead: null };
}

/** Groups leaves that become one paragraph, because the ends of paragraphs between them were deleted. */
function chainsOf(leaves: readonly Leaf[], ranges: readonly Cut[]): Leaf[][] {
  const chains: Leaf[][] = [];
  for (const [i, leaf] of leaves.entries()) {
    const above = leaves[i - 1];
    const isJoined = above && above.end < leaf.start && covers(ranges, above.end, leaf.start);
    if (isJoined) chains.at(-1)!.push(leaf);
    else chains.push([leaf]);
  }
  return chains;
}

function cutsOf(
  chain: readonly Leaf[],
  manuscript: string,
  ranges: readonly Cut[],
  inserts: readonly AcceptedEdit[],
): Cut[] {
  const [first, last] = [chain[0]!, chain.at(-1)!];
  const near = ranges.filter(({ start, end }) => start <= last.end && end >= first.start);
  if (near.length === 0) return [];
  const kept = chain.filter((leaf) => hasWords(leaf, near, inserts));
  const isCell = (leaf: Leaf) => leaf.kind === 'cell';
  if (chain.some(isCell)) return cellCuts(chain, manuscript, near, inserts);
  const cuts = kept.flatMap((leaf) => characterCuts(leaf, near, inserts));
  for (const leaf of chain) {
    const isBetween = kept.length > 0 && leaf.start > kept[0]!.start && leaf.start < kept.at(-1)!.start;
    if (kept.includes(leaf) || isBetween) continue;
    // A line of code that keeps its end stays as an empty line.
    if (leaf.kind === 'code' && chain.length === 1) cuts.push(...characterCuts(leaf, near, inserts));
    else if (leaf.text !== '' || chain.length > 1) cuts.push(blockCut(leaf, manuscript));
  }
  for (const [i, leaf] of kept.slice(1).entries()) cuts.push({ start: kept[i]!.end, end: leaf.start });
  return cuts;
}

/** Removes words of cells, and rows that were deleted with the ends of their cells. */
function cellCuts(
  chain: readonly Leaf[],
  manuscript: string,
  ranges: readonly Cut[],
  inserts: readonly AcceptedEdit[],
): Cut[] {
  const cells = chain.filter((leaf) => leaf.kind === 'cell');
  const lines = new Set(cells.map(({ line }) => line));
  const cuts: Cut[] = [];
  for (const line of lines) {
    const row = cells.filter((cell) => cell.line === line);
    const isFirst = row[0]!.blockStart === row[0]!.outerStart;
    const isWhole =
      row[0]!.cell === 0 && row.length > 1 && !isFirst && manuscript[row.at(-1)!.end] !== undefined;
    const endOfRow = lineEnd(manuscript, row.at(-1)!.end);
    const isDeleted =
      isWhole && !row.some((cell) => hasWords(cell, ranges, inserts)) && isLastCell(manuscript, row);
    if (isDeleted) cuts.push({ start: row[0]!.blockStart, end: endOfRow });
    else for (const cell of row) cuts.push(...characterCuts(cell, ranges, inserts));
  }
  for (const leaf of chain) if (leaf.kind !== 'cell') cuts.push(...characterCuts(leaf, ranges, inserts));
  return cuts;
}

const isLastCell = (manuscript: string, row: readonly Leaf[]): boolean => {
  const { end } = row.at(-1)!;
  const rest = manuscript.slice(end, lineEnd(manuscript, end)).trimEnd();
  return !rest.slice(0, -1).includes('|');
};

function lineEnd(text: string, from: number): number {
  const at = text.indexOf('\n', from);
  return at < 0 ? text.length : at + 1;
}

const isRemoved = (leaf: Leaf, i: number, ranges: readonly Cut[]): boolean =>
  covers(ranges, leaf.from[i]!, leaf.to[i]!);

/** Returns whether a leaf still shows something. */
function hasWords(leaf: Leaf, ranges: readonly Cut[], inserts: readonly AcceptedEdit[]): boolean {
  if (inserts.some(({ at, lead }) => lead === null && at >= leaf.start && at <= leaf.end)) return true;
  for (let i = 0; i < leaf.text.length; i++) if (!isRemoved(leaf, i, ranges)) return true;
  return false;
}

function characterCuts(leaf: Leaf, ranges: readonly Cut[], inserts: readonly AcceptedEdit[]): Cut[] {
  const cuts: Cut[] = [];
  const removed = leaf.from.map((_, i) => isRemoved(leaf, i, ranges));
  removed.forEach((is, i) => is && cuts.push({ start: leaf.from[i]!, end: leaf.to[i]! }));
  for (const { first, last, start, end } of leaf.nodes) {
    const isEmpty = last > first && removed.slice(first, last).every(Boolean);
    const isUsed = inserts.some(({ at }) => at > start && at < end);
    if (isEmpty && !isUsed) cuts.push({ start, end });
  }
  return cuts;
}

/** Returns the lines of a block with the blank lines after it. */
function blockCut(leaf: Leaf, manuscript: string): Cut {
  const start = manuscript.lastIndexOf('\n', leaf.blockStart - 1) + 1;
  let end = lineEnd(manuscript, leaf.end);
  // The blank lines after the last item of a list separate it from the next block.
  const isApart = start === 0 || /\n[ \t>]*\r?\n$/.test(manuscript.slice(Math.max(0, start - 200), start));
  if (leaf.kind === 'code' || !isApart) return { start, end };
  const blank = /(?:[ \t]*\r?\n)*/y;
  blank.lastIndex = end;
  end += blank.exec(manuscript)?.[0].length ?? 0;
  return { start, end };
}

/** Removes the cuts and adds the insertions; an insertion inside of a cut is added before it. */
function spliced(text: string, cuts: readonly Cut[], inserts: readonly AcceptedEdit[]): string {
  const lineFeed = text.includes('\r\n') ? '\r\n' : '\n';
  const merged: Cut[] = [];
  for (const cut of [...cuts].sort((a, b) => a.start - b.start)) {
    const open = merged.at(-1);
    if (open && cut.start <= open.end) open.end = Math.max(open.end, cut.end);
    else merged.push({ ...cut });
  }
  const parts: string[] = [];
  let [at, next] = [0, 0];
  for (const { start, end } of [...merged, { start: text.length, end: text.length }]) {
    for (; next < inserts.length && inserts[next]!.at < start; next++) {
      parts.push(text.slice(at, inserts[next]!.at), inserts[next]!.text.replace(/\r?\n/g, lineFeed));
      at = inserts[next]!.at;
    }
    parts.push(text.slice(at, start));
    at = start;
    for (; next < inserts.length && inserts[next]!.at <= end; next++) {
      const { text: added, at: place, lead } = inserts[next]!;
      // The lines of the paragraph above were removed with their end.
      const isMoved = lead !== null && place > start && place < end;
      const written = isMoved ? added.replace(/^(\n*)(.*)$/s, '$2$1') : added;
      parts.push(written.replace(/\r?\n/g, lineFeed));
    }
    at = Math.max(at, end);
  }
  return parts.join('');
}
