import type { List, Nodes, Root, RootContent } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { isHardToParse } from '#markdown/parse-cost.js';
import { PARSE_OPTIONS } from '#markdown/parse.js';
import { splitBlocks } from '#markdown/split.js';

/** Parses a short piece in the dialect of the manuscript. */
export function parsePiece(markdown: string): Root {
  return fromMarkdown(markdown, PARSE_OPTIONS);
}

/** Words that mean nothing to markdown anywhere in a line; most lines of prose are spared the parser. */
const PLAIN = /^[\p{L}(“„"'«][\p{L}\p{N} ,.:;?!'"’“”„–—()%/-]*$/u;
const RISKY = /www\.|mailto:|xmpp:/i;

/** Nobody writes paragraphs this long, in characters; the parser's time grows faster than its input. */
const LONGEST_PROSE = 20_000;

/**
 * Whether markdown shows these lines exactly as they are written: paragraphs, or list items that carry nothing but text.
 *
 * @param lines a block without blank lines
 */
export function isFaithful(lines: string[]): boolean {
  if (lines.every((line) => PLAIN.test(line) && !RISKY.test(line))) return true;
  if (lines.some((line) => /[\r\u0000\t]|\uFEFF/.test(line))) return false;
  const text = lines.join('\n');
  if (text.length > LONGEST_PROSE || isHardToParse(text)) return false;
  const { children } = parsePiece(text);
  if (lines.length === 1 && isImageAlone(children)) return true;
  const texts = children.flatMap(blockTexts);
  const items = lines.filter((line) => LIST_ITEM.test(line)).length;
  if (
    !countsUp(lines) ||
    texts.includes(null) ||
    items !== children.reduce((sum, child) => sum + countItems(child), 0)
  )
    return false;
  return texts.join('\n') === lines.map((line) => line.replace(LIST_ITEM, '').trim()).join('\n');
}

/** The marker of a list item with text behind it. */
export const LIST_ITEM = /^ *(?:[-*+]|\d{1,9}[.)]) +(?=\S)/;

function isImageAlone(children: RootContent[]): boolean {
  const [only] = children;
  return (
    children.length === 1 &&
    only?.type === 'paragraph' &&
    only.children.length === 1 &&
    only.children[0]?.type === 'image'
  );
}

/** The text of nodes that show nothing but text; a bare URL is a link whose text is itself. Null for any markup. */
function plainText(node: Nodes): string | null {
  if (node.type === 'text') return node.value;
  if (node.type === 'break') return '\n';
  if (node.type !== 'paragraph' && node.type !== 'link') return null;
  const parts = node.children.map(plainText);
  if (parts.includes(null)) return null;
  const text = parts.join('');
  return node.type === 'link' && !node.url.endsWith(text) ? null : text;
}

/** The texts of a paragraph or a list, in order; null stands for anything else, tasks and renumbered lists among it. */
function blockTexts(node: RootContent): (string | null)[] {
  if (node.type === 'paragraph') return [plainText(node)];
  if (node.type !== 'list' || node.ordered === true)
    return node.type === 'list' ? orderedTexts(node) : [null];
  return node.children.flatMap((item) => (item.checked == null ? item.children.flatMap(blockTexts) : [null]));
}

/** A list numbered by hand is shown with the numbers that follow from its first one: only consecutive ones are faithful. */
function orderedTexts(list: List): (string | null)[] {
  return list.children.flatMap((item) => {
    const [only] = item.children;
    return item.checked == null && item.children.length === 1 && only?.type === 'paragraph'
      ? [plainText(only)]
      : [null];
  });
}

function countItems(node: RootContent): number {
  if (node.type !== 'list') return 0;
  return node.children.reduce(
    (sum, item) => sum + 1 + item.children.reduce((inner, child) => inner + countItems(child), 0),
    0,
  );
}

/** Whether the numbers of an ordered list count up by one and have a point behind them, as they will be shown. */
function countsUp(lines: string[]): boolean {
  if (lines.some((line) => /^ *\d{1,9}\) +\S/.test(line))) return false;
  const numbers = lines.flatMap((line) => /^ *(\d{1,9})[.)] +\S/.exec(line)?.[1] ?? []).map(Number);
  return numbers.every((number, index) => number === (numbers[0] ?? 0) + index);
}

/** Blocks that a missing end leaves open, and what ends them; but for comments, scripts and styles, which would hide what stands in them. */
const ENDINGS = ['?>', ']]>', '>', '</pre>', '</textarea>', '$$', '$$$', '$$$$'];
/** Lines that may open one: it begins a line, but for the marks of lists and quotes, and does not end on it. */
const OPENERS = [
  String.raw`<!--(?!.*-->)`,
  String.raw`<(?:\?|![A-Z[])`,
  String.raw`<(?:script|style|pre|textarea)(?!.*<\/)`,
  String.raw`\$\$(?!.*\$\$)`,
];
const MARKS = String.raw`[ \t>*+\-\d.)]*`;
/** A fence behind the mark of a list or a quote. */
const NESTED_FENCE = String.raw`[ \t]*[>*+\-\d.)]${MARKS}(?:\`{3}|~{3})`;
const MAY_STAY_OPEN = new RegExp(`^(?:${NESTED_FENCE}|${MARKS}(?:${OPENERS.join('|')}))`, 'im');

/** Whether the text has a mark that may begin a block without an end of its own. */
export function mayStayOpen(markdown: string): boolean {
  return MAY_STAY_OPEN.test(markdown);
}

/**
 * What has to be added so that a heading behind this markdown is read as one: "" when nothing is open, null when no known ending
 * helps.
 */
export function missingEnding(markdown: string): string | null {
  if (!mayStayOpen(markdown) || endsClosed(markdown)) return '';
  return ENDINGS.find((ending) => endsClosed(`${markdown}${endsWithNewline(markdown)}${ending}\n`)) ?? null;
}

const endsWithNewline = (text: string): string => (text === '' || text.endsWith('\n') ? '' : '\n');

function endsClosed(markdown: string): boolean {
  const text = `${markdown}${endsWithNewline(markdown)}\n# end\n`;
  const last = parsePiece(text.slice(splitBlocks(text).at(-1)?.start)).children.at(-1);
  return last?.type === 'heading' && last.depth === 1;
}
