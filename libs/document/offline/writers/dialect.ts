import type { List, Nodes, Root, RootContent } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { isHardToParse } from '#markdown/parse-cost.js';
import { PARSE_OPTIONS } from '#markdown/parse.js';
import { splitBlocks } from '#markdown/split.js';

/** Parses a short text in the manuscript's dialect of Markdown. */
export function parsePiece(markdown: string): Root {
  return fromMarkdown(markdown, PARSE_OPTIONS);
}

/** Lines without any meaning in Markdown; most prose lines match, which saves parsing them. */
const PLAIN = /^[\p{L}(“„"'«][\p{L}\p{N} ,.:;?!'"’“”„–—()%/-]*$/u;
const RISKY = /www\.|mailto:|xmpp:/i;

/** Maximum number of characters of a paragraph; the parser's time grows faster than its input. */
const MAX_PROSE_LENGTH = 20_000;

/**
 * Returns whether Markdown shows these lines exactly as written: paragraphs, or list items that contain only
 * text.
 *
 * @param lines a block without blank lines
 */
export function isFaithful(lines: string[]): boolean {
  if (lines.every((line) => PLAIN.test(line) && !RISKY.test(line))) return true;
  if (lines.some((line) => /[\r\u0000\t]|\uFEFF/.test(line))) return false;
  const text = lines.join('\n');
  // Markdown reads it as a link, or searches for the end of one: the parser moves all the rest for each that has no end.
  const hasLink = text.includes('](') && (lines.length > 1 || !text.startsWith('!['));
  if (hasLink || text.length > MAX_PROSE_LENGTH || isHardToParse(text)) return false;
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

/** The marker of a list item that has text. */
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

/**
 * Returns the text of nodes that show only text; a bare URL is a link with itself as text. Null for any
 * markup.
 */
function plainText(node: Nodes): string | null {
  if (node.type === 'text') return node.value;
  if (node.type === 'break') return '\n';
  if (node.type !== 'paragraph' && node.type !== 'link') return null;
  const parts = node.children.map(plainText);
  if (parts.includes(null)) return null;
  const text = parts.join('');
  return node.type === 'link' && !node.url.endsWith(text) ? null : text;
}

/**
 * Returns the texts of a paragraph or list, in order; null marks anything else, including tasks and
 * lists that would be renumbered.
 */
function blockTexts(node: RootContent): (string | null)[] {
  if (node.type === 'paragraph') return [plainText(node)];
  if (node.type !== 'list' || node.ordered === true)
    return node.type === 'list' ? orderedTexts(node) : [null];
  return node.children.flatMap((item) => (item.checked == null ? item.children.flatMap(blockTexts) : [null]));
}

/**
 * Returns the texts of an ordered list. Markdown numbers lists from their first number, so only consecutive
 * numbers are shown faithfully.
 */
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

/**
 * Returns whether the numbers of an ordered list increase by one and are followed by a point, as Markdown
 * shows them.
 */
export function countsUp(lines: string[]): boolean {
  if (lines.some((line) => /^ *\d{1,9}\) +\S/.test(line))) return false;
  const numbers = lines.flatMap((line) => /^ *(\d{1,9})[.)] +\S/.exec(line)?.[1] ?? []).map(Number);
  return numbers.every((number, index) => number === (numbers[0] ?? 0) + index);
}

/**
 * Lines that end an unclosed block. Comments, scripts and styles are not ended this way, because that would
 * hide their content.
 */
const ENDINGS = ['?>', ']]>', '>', '</pre>', '</textarea>', '$$', '$$$', '$$$$'];
/**
 * Starts of lines that may open such a block: after list and quote marks, and not closed on the same line.
 */
const OPENERS = [
  String.raw`<!--(?!.*-->)`,
  String.raw`<(?:\?|![A-Z[])`,
  String.raw`<(?:script|style|pre|textarea)(?!.*<\/)`,
  String.raw`\$\$(?!.*\$\$)`,
];
const MARKS = String.raw`[ \t>*+\-\d.)]*`;
/** A code fence after a list or quote mark. */
const NESTED_FENCE = String.raw`[ \t]*[>*+\-\d.)]${MARKS}(?:\`{3}|~{3})`;
const MAY_STAY_OPEN = new RegExp(`^(?:${NESTED_FENCE}|${MARKS}(?:${OPENERS.join('|')}))`, 'im');

/** Returns whether the text has a mark that may begin a block without an end. */
export function mayStayOpen(markdown: string): boolean {
  return MAY_STAY_OPEN.test(markdown);
}

/**
 * Returns the text to add so that a heading after this Markdown is read as a heading: "" if nothing is open,
 * null if no known ending works.
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
