/** A line of a message without its quote marks. */
export interface QuotedLine {
  /** Quote depth; 0 for the sender's own words. */
  depth: number;
  text: string;
}

const QUOTE_MARKS = /^(?:> ?)+/;

/** Returns the lines of plain text with their quote depths: `> > a` and `>> a` are two levels deep. */
export function quotedLines(text: string): QuotedLine[] {
  return linesOf(text).map((line) => {
    const marks = QUOTE_MARKS.exec(line)?.[0] ?? '';
    return { depth: marks.replaceAll(' ', '').length, text: line.slice(marks.length) };
  });
}

/**
 * Returns the lines of `format=flowed` text (RFC 3676): a line that ends in a blank continues in the next line
 * of the same quote depth. The signature's separator `-- ` does not.
 *
 * @param isDeleted whether the blank before a break is not part of the text (`DelSp=yes`)
 */
export function flowedLines(text: string, isDeleted: boolean): QuotedLine[] {
  const lines: (QuotedLine & { pieces: string[] })[] = [];
  let isOpen = false;
  for (const { depth, text: words } of linesOf(text).map(unstuffed)) {
    const last = lines.at(-1);
    const isSeparator = words === '-- ';
    const continues = isOpen && last !== undefined && last.depth === depth && !isSeparator;
    const flows = words.endsWith(' ') && !isSeparator;
    const piece = flows && isDeleted ? words.slice(0, -1) : words;
    if (continues) last.pieces.push(piece);
    else lines.push({ depth, text: '', pieces: [piece] });
    isOpen = flows;
  }
  return lines.map(({ depth, pieces }) => ({ depth, text: pieces.join('') }));
}

/** Removes the quote marks and the blank that the sender put before the text. */
function unstuffed(line: string): QuotedLine {
  // Blanks between the marks are not in the standard, but some programs write them.
  const marks = /^>(?: ?>)*/.exec(line)?.[0] ?? '';
  const text = line.slice(marks.length);
  return { depth: marks.replaceAll(' ', '').length, text: text.startsWith(' ') ? text.slice(1) : text };
}

const linesOf = (text: string): string[] => text.split(/\r\n?|\n/);
