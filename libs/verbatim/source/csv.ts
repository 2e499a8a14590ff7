/**
 * One record of a CSV text: its cells, and its first and last line (1-based). A quoted cell may span lines.
 */
export interface CsvRecord {
  cells: string[];
  line: number;
  lastLine: number;
}

/**
 * Returns the separator of a CSV text: tab for TSV. Otherwise it is the most frequent candidate in the first
 * line: comma, semicolon, tab or `|`.
 */
export function csvSeparator(firstLine: string, name: string): string {
  if (/\.(?:tsv|tab)$/i.test(name)) return '\t';
  const unquoted = firstLine.replace(/"[^"]*"/g, '');
  const counts = [',', ';', '\t', '|'].map((separator) => unquoted.split(separator).length - 1);
  const best = counts.indexOf(Math.max(...counts));
  return [',', ';', '\t', '|'][best] as string;
}

/**
 * Parses lines of CSV (RFC 4180, any separator, doubled quotes) one record at a time, because the cells of a large file
 * need several times its memory. Blank lines are skipped. Linear.
 *
 * @param from index of the line where the first record begins
 */
export function* parseCsv(lines: string[], separator: string, from = 0): Generator<CsvRecord, void> {
  let cells: string[] = [];
  let open: string | null = null;
  let begun = 1;
  for (let index = from; index < lines.length; index++) {
    const line = lines[index]!;
    if (open === null) {
      if (line === '') continue;
      begun = index + 1;
      cells = [];
    }
    open = readLine(line, separator, cells, open);
    if (open === null) yield { cells, line: begun, lastLine: index + 1 };
  }
  if (open !== null) yield { cells: [...cells, open], line: begun, lastLine: lines.length };
}

/** Adds the cells of one line. Returns the text of a quoted cell that is still open at the end, or null. */
function readLine(line: string, separator: string, cells: string[], open: string | null): string | null {
  let at = 0;
  let quoted = open;
  for (;;) {
    if (quoted === null && line[at] === '"') {
      quoted = '';
      at++;
    } else if (quoted !== null && open !== null) quoted += '\n';
    if (quoted !== null) {
      const end = quoteEnd(line, at);
      quoted += line.slice(at, end < 0 ? undefined : end).replaceAll('""', '"');
      if (end < 0) return quoted;
      at = end + 1;
      open = null;
    }
    const next = line.indexOf(separator, at);
    const rest = line.slice(at, next < 0 ? undefined : next);
    cells.push(quoted === null ? rest : quoted + rest);
    if (next < 0) return null;
    quoted = null;
    at = next + 1;
  }
}

function quoteEnd(line: string, from: number): number {
  for (let at = line.indexOf('"', from); at >= 0; at = line.indexOf('"', at + 2))
    if (line[at + 1] !== '"') return at;
  return -1;
}
