import { parse } from 'csv-parse/sync';

const MARKS = ['\t', ';', '|', ','] as const;
/** Characters and records at the start of a text from which the separator is found. */
const SAMPLE = { characters: 10_000, records: 20 };
/** Excel's first line that names the separator. */
const SEPARATOR_LINE = /^\uFEFF?"?sep=([^\r\n"])"?(?:\r\n|\n|\r|$)/i;

/**
 * Parses CSV or TSV into records. A quotation mark inside a cell is a normal character. In
 * text separated by tabs this is true of every quotation mark, unless the text clearly uses quotes as CSV does.
 *
 * @param delimiter separator of cells, by default detected in the text. Excel's line `sep=,` is not returned.
 * @param most maximum number of records that are not blank lines
 * @param keepsBlankLines whether a blank line is a record with one empty cell, so that records are the rows of the file
 * @throws Error naming the line if a quoted cell is not closed
 */
export function readCsv(
  text: string,
  delimiter: string | undefined,
  most: number,
  keepsBlankLines = false,
): string[][] {
  const csv = text.replace(SEPARATOR_LINE, keepsBlankLines ? '\n' : '');
  const separator = delimiter ?? delimiterIn(text);
  const read = (options: { quote?: false; relax_quotes?: true }): string[][] => {
    const rows: string[][] = [];
    parse(csv, {
      delimiter: separator,
      bom: true,
      relax_column_count: true,
      skip_empty_lines: true,
      to: most,
      // The parser is slow where it returns blank lines itself.
      on_record: (record: string[], { records, empty_lines: blank }) => {
        while (keepsBlankLines && rows.length < records - 1 + blank) rows.push(BLANK_LINE);
        rows.push(record);
        return null;
      },
      ...options,
    });
    return rows;
  };
  if (separator === '\t') return readTabs(read);
  try {
    return read({});
  } catch {
    return read({ relax_quotes: true });
  }
}

/** Returns the separator of cells that a text names or uses. */
export const delimiterIn = (text: string): string =>
  SEPARATOR_LINE.exec(text)?.[1] ?? likelyDelimiter(text.replace(SEPARATOR_LINE, ''));

function readTabs(read: (options: { quote?: false; relax_quotes?: true }) => string[][]): string[][] {
  const literal = read({ quote: false });
  if (!literal.some((record) => record.some((cell) => cell.startsWith('"')))) return literal;
  let quoted: string[][];
  try {
    quoted = read({});
  } catch {
    return literal;
  }
  if (usesQuotes(literal)) return quoted;
  // Line ends within quoted cells tear the records of the literal reading apart.
  return isRectangular(quoted) && !isRectangular(literal) ? quoted : literal;
}

/** Returns whether every cell that begins with a quotation mark is quoted, and some cell needs it or all heads are. */
function usesQuotes(records: readonly string[][]): boolean {
  const head = records.find((record) => !isBlankLine(record)) ?? [];
  const marked = records.flatMap((record) => record.filter((cell) => cell.includes('"')));
  const isQuoted = (cell: string) => /^"(?:[^"]|"")*"$/.test(cell);
  return (
    marked.every(isQuoted) && (head.every(isQuoted) || marked.some((cell) => /""|,/.test(cell.slice(1, -1))))
  );
}

const BLANK_LINE = [''];

/** Returns whether a record of `readCsv` is a blank line. */
export const isBlankLine = ([first, ...others]: readonly unknown[]): boolean =>
  first === '' && others.length === 0;

function isRectangular(records: readonly string[][]): boolean {
  const filled = records.filter((record) => !isBlankLine(record));
  return filled.every(({ length }) => length === filled[0]!.length);
}

/**
 * Returns the separator that each record at the start of a text has equally often outside of quotes. If several
 * do, a comma is the least likely: it is also a decimal mark.
 */
function likelyDelimiter(csv: string): string {
  const records = countMarks(csv.slice(0, SAMPLE.characters));
  const candidates = MARKS.map((mark, rank) => {
    const counts = records.map((record) => record.get(mark) ?? 0);
    const count = counts[0] ?? 0;
    return { mark, rank, count, isEven: counts.every((other) => other === count) };
  }).filter(({ count }) => count > 0);
  const isSure = records.length > 1;
  candidates.sort(
    (a, b) =>
      Number(b.isEven) - Number(a.isEven) || (isSure && a.isEven ? 0 : b.count - a.count) || a.rank - b.rank,
  );
  return candidates[0]?.mark ?? ',';
}

/** Counts the possible separators outside of quotes in each of the first records. */
function countMarks(sample: string): Map<string, number>[] {
  const records: Map<string, number>[] = [];
  let counts = new Map<string, number>();
  let isQuoted = false;
  let isBlank = true;
  for (const character of `${sample}\n`) {
    if (character === '"') isQuoted = !isQuoted;
    if (character === '\n' && !isQuoted) {
      if (!isBlank) records.push(counts);
      counts = new Map<string, number>();
      isBlank = true;
      if (records.length === SAMPLE.records) break;
    } else {
      isBlank &&= character === '\r';
      if (!isQuoted) counts.set(character, (counts.get(character) ?? 0) + 1);
    }
  }
  // The sample may end within a record.
  if (sample.length === SAMPLE.characters && records.length > 1) records.pop();
  return records;
}
