import { hasSpace } from '#contracts/text.js';
import { escapeInline, escapeLineStart } from '#markdown/escape.js';
import type { Leaf } from './leaves.js';
import { BREAK, OBJECT, type WordParagraph } from './marked-text.js';
import type { SentText } from './original.js';
import { inLeaf, leafFrom, paragraphAt } from './places.js';

/** Markdown of inserted words, and its place. */
export interface Insertion {
  at: number;
  text: string;
  /** Length of what begins the first of whole paragraphs; null for words, which belong to a paragraph. */
  lead: number | null;
  /** What is deleted in addition. */
  start?: number;
  end?: number;
}

interface InsertedPiece {
  text: string;
  marks: readonly string[];
  href?: string;
  paragraph: WordParagraph;
}

/** Words of one inserted paragraph, or of its part. */
interface Segment {
  pieces: InsertedPiece[];
  paragraph: WordParagraph;
}

/**
 * Writes inserted words as Markdown for their place.
 *
 * @param range what the words replace in the sent text
 * @param follows paragraph of the text after them
 * @param near place of the words of another person right before them
 * @returns null if the place is not a part of the manuscript
 */
export function insertion(
  sent: SentText,
  range: { start: number; end: number },
  pieces: readonly InsertedPiece[],
  follows: WordParagraph | undefined,
  near: number | null = null,
): Insertion | null {
  const index = paragraphAt(sent, range.end);
  const place = sent.paragraphs[index];
  if (!place) return null;
  const segments = segmentsOf(pieces, follows ?? place.paragraph);
  const isWhole = segments.length > 1 && segments.at(-1)!.pieces.length === 0;
  if (isWhole && range.end === place.start) return blocks(sent, range, segments.slice(0, -1));
  if (!place.leaf) return null;
  const { leaf } = place;
  const own = inLeaf(place, range.end);
  const { at, marks } =
    near === null ? spot(leaf, own, pieces[0]!.marks) : { at: near, marks: marksAround(leaf, near) };
  const edges = edgesOf(sent, range, leaf);
  const around = near === null ? edges : { ...edges, before: EDGE };
  // Words of other people before them may be deleted, so that they begin a line.
  const isVerbatim = leaf.kind === 'cell' || leaf.kind === 'code' || marks.includes('code');
  const [first, ...rest] = segments;
  const isInMarks = leaf.nodes.some((node) => node.start < at && at < node.end);
  const seam = isInMarks ? EDGE : '';
  const start = inline(first!, leaf.kind, marks, rest.length > 0 ? { ...around, after: seam } : around);
  let text = isVerbatim ? start : atLineStart(start);
  if (rest.length === 0) return { at, text, lead: null };
  const inside = leaf.nodes
    .filter((node) => node.start < at && at < node.end)
    .sort((a, b) => a.start - b.start);
  const closes = inside.map((node) => node.close).reverse();
  const opens = inside.map((node) => node.open);
  for (const [i, segment] of rest.entries()) {
    const ends = { before: seam, after: i < rest.length - 1 ? seam : around.after };
    const begin = separator(leaf, segment, place.paragraph);
    text += closes.join('') + begin + opens.join('') + inline(segment, leaf.kind, marks, ends);
  }
  if (inside.length === 0) return { at, text, lead: null };
  const isBare = (segment: Segment) => segment.pieces.length === 0;
  return { at, text, lead: null, ...blanksAround(leaf, at, inside, isBare(first!), isBare(rest.at(-1)!)) };
}

/** Returns the place of the blanks around a place in inline elements: marks next to blanks would be shown as they are. */
function blanksAround(
  leaf: Leaf,
  at: number,
  inside: readonly Leaf['nodes'][number][],
  isBefore: boolean,
  isAfter: boolean,
): { start: number; end: number } {
  const next = leaf.from.findIndex((from) => from >= at);
  let [first, last] = [next < 0 ? leaf.text.length : next, next < 0 ? leaf.text.length : next];
  const [least, most] = [
    Math.max(...inside.map((node) => node.first)),
    Math.min(...inside.map((node) => node.last)),
  ];
  while (isBefore && first > least && hasSpace(leaf.text[first - 1]!)) first--;
  while (isAfter && last < most && hasSpace(leaf.text[last]!)) last++;
  return { start: Math.min(at, leaf.from[first] ?? at), end: Math.max(at, leaf.to[last - 1] ?? at) };
}

function segmentsOf(pieces: readonly InsertedPiece[], follows: WordParagraph): Segment[] {
  const segments: Segment[] = [{ pieces: [], paragraph: follows }];
  for (const piece of pieces) {
    const last = segments.at(-1)!;
    last.paragraph = piece.paragraph;
    const open = last.pieces.at(-1);
    if (piece.text === '\n') segments.push({ pieces: [], paragraph: follows });
    else if (open && open.href === piece.href && open.marks.join() === piece.marks.join())
      open.text += piece.text;
    else last.pieces.push({ ...piece });
  }
  return segments;
}

const marksAround = (leaf: Leaf, at: number): string[] =>
  leaf.nodes.filter(({ start, end }) => start < at && at < end).map(({ mark }) => mark);

/** Finds the place in the manuscript of a position of a leaf's text: in the inline element whose formatting the words have. */
function spot(leaf: Leaf, at: number, marks: readonly string[]): { at: number; marks: readonly string[] } {
  const around = (index: number) =>
    leaf.nodes
      .filter(({ first, last }) => first <= index && index < last)
      .map(({ mark }) => mark)
      .sort();
  const isIn = (context: readonly string[]) => context.join() === marks.join();
  if (leaf.text === '') return { at: leaf.start, marks: [] };
  if (at > 0 && isIn(around(at - 1))) return { at: leaf.to[at - 1]!, marks };
  if (at < leaf.text.length && isIn(around(at))) return { at: leaf.from[at]!, marks };
  if (at === 0) return { at: leaf.start, marks: [] };
  // Outside of the elements that end here.
  const ending = leaf.nodes.filter(({ last, first }) => last === at && first < at);
  const outer = ending.reduce((end, node) => Math.max(end, node.end), leaf.to[at - 1]!);
  const context = leaf.nodes.filter(({ first, last }) => first < at && at < last).map(({ mark }) => mark);
  return { at: outer, marks: context };
}

const WRAPS: Readonly<Record<string, string>> = { bold: '**', italic: '*', strike: '~~' };

/** Stands for the marks of an element, or for the words of another person, next to words. */
const EDGE = '*';

/** Characters next to words; empty at the ends of a paragraph. */
interface Edges {
  before: string;
  after: string;
}

/** Returns the characters around what words replace in a leaf. */
function edgesOf(sent: SentText, { start, end }: { start: number; end: number }, leaf: Leaf): Edges {
  const [first, last] = [start, end].map((at) => sent.paragraphs[paragraphAt(sent, at)]!);
  if (first!.leaf !== leaf) return { before: EDGE, after: EDGE };
  const [from, to] = [inLeaf(first!, start), inLeaf(last!, end)];
  const isIn = (index: number) => from <= index && index <= to;
  if (leaf.nodes.some((node) => isIn(node.first) || isIn(node.last))) return { before: EDGE, after: EDGE };
  return { before: leaf.text.slice(Math.max(0, from - 1), from), after: leaf.text.slice(to, to + 1) };
}

/**
 * Returns whether Markdown reads marks between a character of the words that they are around and the one next to them:
 * CommonMark's rule for delimiter runs, more strictly.
 */
const allowsMarks = (inner: string, outer: string): boolean =>
  outer.trim() === '' || (/[\p{L}\p{N}]/u.test(inner) && !'*_~`\\'.includes(outer));

/** Writes the words of a segment; marks that the place has already are not repeated, and marks that would be shown are left out. */
function inline({ pieces }: Segment, kind: Leaf['kind'], context: readonly string[], edges: Edges): string {
  let text = '';
  let { before } = edges;
  for (const [i, piece] of pieces.entries()) {
    const shown = piece.text.replaceAll(OBJECT, '');
    const after = i + 1 < pieces.length ? pieces[i + 1]!.text.slice(0, 1) : edges.after;
    if (kind === 'code') text += shown.replaceAll(BREAK, ' ');
    else if (context.includes('code')) text += shown.replace(/[`\v\t]/g, ' ');
    else {
      const own = wrapped({ ...piece, text: shown }, context, { before, after });
      text += kind === 'cell' ? own.text.replaceAll('|', '\\|') : own.text;
      before = own.isMarked && shown === shown.trimEnd() ? EDGE : shown.slice(-1) || before;
    }
  }
  return text;
}

function wrapped(
  { text: words, marks, href }: InsertedPiece,
  context: readonly string[],
  edges: Edges,
): { text: string; isMarked: boolean } {
  const blankTabs = words.replaceAll('\t', ' ');
  const core = blankTabs.trim();
  const before = blankTabs.slice(0, blankTabs.length - blankTabs.trimStart().length);
  const after = blankTabs.slice(blankTabs.trimEnd().length);
  const spaced = (blanks: string) => blanks.replaceAll(BREAK, '<br>');
  if (core === '') return { text: spaced(before), isMarked: false };
  const [first = '', last = first] = [[...core][0], [...core].at(-1)];
  // `![` would be an image, and brackets may end the words of a link.
  const isLink =
    !context.includes('link') &&
    (before || edges.before) !== '!' &&
    !core.includes('[') &&
    !core.includes(']');
  const address = isLink ? href : undefined;
  const outer = address === undefined ? [before || edges.before, after || edges.after] : ['', ''];
  const canMark = allowsMarks(first, outer[0]!) && allowsMarks(last, outer[1]!);
  const isCode = marks.includes('code') && canMark && !core.includes('`') && !core.includes(BREAK);
  const plain = isCode ? `\`${core}\`` : escapeInline(core).replaceAll(BREAK, '<br>');
  // Marks of several characters inside each other need blanks or punctuation around them.
  const single = isCode ? ['code'] : marks.includes('strike') ? ['strike'] : marks;
  const used = !canMark ? [] : outer.some((char) => char.trim() !== '') ? single : marks;
  const wraps = used.flatMap((mark) => (context.includes(mark) ? [] : (WRAPS[mark] ?? [])));
  const marked = wraps.reduce((inner, wrap) => wrap + inner + wrap, plain);
  const text = address === undefined ? marked : `[${marked}](${destination(address)})`;
  return { text: spaced(before) + text + spaced(after), isMarked: text !== plain || isCode };
}

/** Writes an address as Markdown. */
const destination = (href: string): string =>
  href
    .replace(/[\s<>()\\]/g, (char) => encodeURIComponent(char).replace('(', '%28').replace(')', '%29'))
    .replaceAll('&', '&amp;');

/** Escapes what would begin a block. Blanks at both ends remain, because words of another person may be there. */
function atLineStart(text: string): string {
  if (/^\s*[*_~`<]/.test(text)) return text;
  const [start, end] = [/^\s/.test(text) ? ' ' : '', /\S\s+$/.test(text) ? ' ' : ''];
  return start + escapeLineStart(text) + end;
}

const LIST_MARK = /[-+*]|\d{1,9}[.)]/;

const hashes = ({ style }: WordParagraph): string => {
  const level = Number(/^heading ([1-6])$/i.exec(style)?.[1] ?? 0);
  return level > 0 ? `${'#'.repeat(level)} ` : '';
};

/** Returns what begins a further paragraph after words of a leaf. */
function separator(leaf: Leaf, { paragraph }: Segment, own: WordParagraph): string {
  if (leaf.kind === 'cell') return '<br>';
  if (leaf.kind === 'code') return `\n${leaf.lead}`;
  if (paragraph.isListItem) return `\n${LIST_MARK.test(leaf.lead) ? leaf.lead : `${leaf.lead}- `}`;
  if (leaf.lead === '' || (paragraph.style !== own.style && !/^List|^Quote|^Callout/.test(paragraph.style)))
    return `\n\n${hashes(paragraph)}`;
  const lead = leaf.lead.replace(/[^>\s]/g, ' ');
  return `\n${lead.trimEnd()}\n${lead}${hashes(paragraph)}`;
}

/** Writes whole paragraphs between two paragraphs of the sent text. */
function blocks(
  sent: SentText,
  range: { start: number; end: number },
  segments: Segment[],
): Insertion | null {
  const isReplaced =
    range.start < range.end && sent.paragraphs[paragraphAt(sent, range.start)]!.start === range.start;
  const before = leafFrom(sent, paragraphAt(sent, isReplaced ? range.start : range.end) - 1, -1);
  const after = leafFrom(sent, paragraphAt(sent, range.end), 1);
  if (segments[0]!.paragraph.cell !== null) {
    const rows = rowsOf(segments);
    if (after?.kind === 'cell') return { at: after.blockStart, text: `${rows.join('\n')}\n`, lead: 0 };
    if (before?.kind === 'cell') return { at: before.outerEnd, text: `\n${rows.join('\n')}`, lead: 1 };
  }
  const isList = segments.every(({ paragraph }) => paragraph.isListItem);
  const isInside = before !== null && after !== null && before.outerStart === after.outerStart;
  const continues = before !== null && (isInside || (isList && LIST_MARK.test(before.lead)));
  if (continues && !isReplaced)
    return below(sent, before, segments, isInside && !isList && before.lead !== '');
  if (after && after.lead !== '' && (isReplaced || (isList && LIST_MARK.test(after.lead))))
    return itemsAbove(after, segments);
  return after ? above(after, segments) : before && above(before, segments, true);
}

/** Writes paragraphs below one that they continue: items of a list, paragraphs of a quotation, lines of code. */
function below(sent: SentText, before: Leaf, segments: Segment[], needsBlank: boolean): Insertion {
  const own = sent.paragraphs.find(({ leaf }) => leaf === before)!.paragraph;
  const begins = segments.map((segment) => separator(before, segment, own));
  const texts = segments.map((segment, i) => begins[i] + words(segment, before.kind));
  return { at: before.end, text: texts.join('') + (needsBlank ? '\n' : ''), lead: begins[0]!.length };
}

function itemsAbove(after: Leaf, segments: Segment[]): Insertion {
  // Lines of a quotation without a blank line between them are one paragraph.
  const blank = LIST_MARK.test(after.lead) ? '' : `${after.lead.trimEnd()}\n`;
  const items = segments.map((segment) => `${after.lead}${words(segment, after.kind)}\n${blank}`);
  return { at: after.blockStart - after.lead.length, text: items.join(''), lead: after.lead.length };
}

/** Writes paragraphs outside of lists and quotations, above a block, or below the last one. */
function above(leaf: Leaf, segments: Segment[], isBelow = false): Insertion {
  const begins = segments.map(({ paragraph }) => (paragraph.isListItem ? '- ' : hashes(paragraph)));
  const texts = segments.map((segment, i) => begins[i] + words(segment, 'paragraph'));
  const text = segments.map(({ paragraph }, i) => {
    const isTight = paragraph.isListItem && segments[i + 1]?.paragraph.isListItem === true;
    return isBelow ? `\n\n${texts[i]}` : `${texts[i]}${isTight ? '\n' : '\n\n'}`;
  });
  const lead = begins[0]!.length + (isBelow ? 2 : 0);
  return { at: isBelow ? leaf.outerEnd : leaf.outerStart, text: text.join(''), lead };
}

/** Writes the words of a whole paragraph. */
function words(segment: Segment, kind: Leaf['kind']): string {
  const text = inline(segment, kind, [], { before: '', after: '' });
  return kind === 'code' ? text : atLineStart(text);
}

/** Writes inserted rows of a table. */
function rowsOf(segments: readonly Segment[]): string[] {
  const rows: string[][] = [];
  for (const segment of segments) {
    if (segment.paragraph.cell === 0 || rows.length === 0) rows.push([]);
    rows.at(-1)!.push(inline(segment, 'cell', [], { before: '', after: '' }));
  }
  return rows.map((cells) => `| ${cells.join(' | ')} |`);
}
