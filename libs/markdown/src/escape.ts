/** Marks that mean something within a line: code, emphasis, links, tags, entities, math; a backslash in front of a mark or a line end. */
const MARKS =
  /[`*~[]|\\(?=[!-/:-@[-`{-~\n]|$)|<(?=[A-Za-z/!?])|&(?=#?[A-Za-z0-9]+;)|\$(?=\$)|(?<=\$)\$|(?<![^ \t\n])#+(?![^ \t\n])|(?<![\p{L}\p{N}_])_+|(?<!_)_+(?![\p{L}\p{N}_])/gu;
const HAS_MARK = new RegExp(MARKS.source, 'u');
/** Bare addresses. Markdown reads one to its end as it stands, backslashes of escapes included, also that of `\|` in a table's cell. */
const ADDRESS = /(?:https?:\/\/|www\.)\S*/gi;
const SCHEME = /https?(?=:\/\/)|www(?=\.)/gi;
/** Beginnings of blocks, and lines that make the line above them a heading or a table. */
const BLOCK_START = /^(?:>|[-+](?=[ \t]|$)|[-=:|][-=:| \t]*$)/;
const ORDERED_ITEM = /^(\d{1,9})([.)])(?=[ \t]|$)/;

/**
 * Plain text as markdown that shows exactly this text: whatever markdown or HTML would read otherwise is escaped. For text inside a line
 * (a heading, a table's cell); what begins a line needs `escapeText`.
 */
export function escapeInline(text: string): string {
  let out = '';
  let from = 0;
  for (const { 0: address, index } of text.matchAll(ADDRESS)) {
    if (!HAS_MARK.test(address) && !address.includes('|')) continue;
    // An address that is no longer read as one may hold escapes; it stays a link, because words that look like one become one.
    for (const scheme of address.matchAll(SCHEME)) {
      const end = index + scheme.index + scheme[0].length;
      out += `${escapeMarks(text.slice(from, end))}\\`;
      from = end;
    }
  }
  return out + escapeMarks(text.slice(from));
}

/**
 * Plain text of any number of lines as markdown that shows exactly this text: lines stay lines, and a blank line parts two paragraphs.
 * Blanks at both ends of a line are dropped, for indentation means code.
 */
export function escapeText(text: string): string {
  const lines = text.split(/\r\n?|\n/).map(withoutBlanks);
  return escapeInline(lines.join('\n')).split('\n').map(escapeLineStart).join('\n');
}

/** Plain text as a table's cell shows exactly this text, its line ends as `<br>`; the borders of cells (`|`) are left to whoever writes the row. */
export function escapeCell(text: string): string {
  return escapeInline(text).replaceAll('\n', '<br>');
}

/** Escapes what would begin a block, in a line whose marks are escaped already. */
export function escapeLineStart(line: string): string {
  const text = withoutBlanks(line);
  return BLOCK_START.test(text) ? `\\${text}` : text.replace(ORDERED_ITEM, '$1\\$2');
}

const withoutBlanks = (line: string) => line.replace(/^[ \t]+|[ \t]+$/g, '');

function escapeMarks(text: string): string {
  return text.replace(MARKS, (mark) => mark.replace(/./gs, '\\$&'));
}
