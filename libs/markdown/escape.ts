import { splitAtLineEnds } from '#contracts/text.js';

/** Inline markup: code, emphasis, links, tags, entities, math, and `\` before punctuation or a line end. */
const MARKS =
  /[`*~[]|\\(?=[!-/:-@[-`{-~\n]|$)|<(?=[A-Za-z/!?])|&(?=#?[A-Za-z0-9]+;)|\$(?=\$)|(?<=\$)\$|(?<![\p{L}\p{N}])\$(?=[^\s$][^$\n]{0,299}\$)|(?<![^ \t\n])#+(?![^ \t\n])|(?<![\p{L}\p{N}_])_+|(?<!_)_+(?![\p{L}\p{N}_])/gu;
const HAS_MARK = new RegExp(MARKS.source, 'u');
/**
 * Bare URLs. Markdown reads them verbatim, including the backslashes of escapes, even `\|` in a table cell.
 */
const ADDRESS = /(?:https?:\/\/|www\.)\S*/gi;
const SCHEME = /https?(?=:\/\/)|www(?=\.)/gi;
/** Starts of blocks, and lines that turn the line above into a heading or table. */
const BLOCK_START = /^(?:>|[-+](?=[ \t]|$)|[-=:|][-=:| \t]*$)/;
const ORDERED_ITEM = /^(\d{1,9})([.)])(?=[ \t]|$)/;

/**
 * Escapes plain text so that Markdown shows exactly this text. For text inside a line (a heading, a table
 * cell); for text at the start of a line use `escapeText`.
 */
export function escapeInline(text: string): string {
  let out = '';
  let from = 0;
  for (const { 0: address, index } of text.matchAll(ADDRESS)) {
    if (!HAS_MARK.test(address) && !address.includes('|')) continue;
    // An escape after the scheme keeps Markdown from reading a URL verbatim. The result is still a link,
    // because the parser also links text that looks like a URL.
    for (const scheme of address.matchAll(SCHEME)) {
      const end = index + scheme.index + scheme[0].length;
      out += `${escapeMarks(text.slice(from, end))}\\`;
      from = end;
    }
  }
  return out + escapeMarks(text.slice(from));
}

/**
 * Escapes multi-line plain text so that Markdown shows exactly this text. Line breaks are preserved; a blank
 * line separates paragraphs. Blanks at both ends of a line are dropped, since indentation means code.
 */
export function escapeText(text: string): string {
  const lines = splitAtLineEnds(text).map(withoutBlanks);
  return escapeInline(lines.join('\n')).split('\n').map(escapeLineStart).join('\n');
}

const LIST_MARKER = /^[ \t]*(?:[-+*]|\d{1,9}[.)])[ \t]+(?=\S)/;

/** Escapes a line of plain text, except its list marker if it has one. */
export function escapeItem(line: string): string {
  const marker = LIST_MARKER.exec(line)?.[0] ?? '';
  return marker + escapeText(line.slice(marker.length));
}

/**
 * Escapes plain text for a table cell, with line breaks as `<br>`. The caller must escape cell borders (`|`).
 */
export function escapeCell(text: string): string {
  return escapeInline(text).replaceAll('\n', '<br>');
}

/** Escapes the start of a line that would begin a block; inline markup must already be escaped. */
export function escapeLineStart(line: string): string {
  const text = withoutBlanks(line);
  return BLOCK_START.test(text) ? `\\${text}` : text.replace(ORDERED_ITEM, '$1\\$2');
}

const withoutBlanks = (line: string) => line.replace(/^[ \t]+|[ \t]+$/g, '');

function escapeMarks(text: string): string {
  return text.replace(MARKS, (mark) => mark.replace(/./gs, '\\$&'));
}
