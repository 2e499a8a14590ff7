import { linesPerSourceLine, type Ledger, type LedgerSource } from '#verbatim/schema.js';

/** Line of a source that a line of the manuscript carries. */
export interface SourcePlace {
  sourceName: string;
  sourceLine: number;
  sourceText: string;
  /** Last line of the source that the part of the manuscript carries. */
  sourceLastLine: number;
}

/** Returns a function that finds the lines of a source which a part of a manuscript carries; null for own words. */
export function sourcePlaces(
  manuscript: string,
  ledger: Ledger,
  sources: readonly LedgerSource[],
): (span: { start: number; end: number }) => SourcePlace | null {
  const starts = [0];
  for (let at = manuscript.indexOf('\n'); at >= 0; at = manuscript.indexOf('\n', at + 1)) starts.push(at + 1);
  const carriedBy = new Map<number, { source: number; line: number; last: number }>();
  for (const run of ledger.runs) {
    const isEach = linesPerSourceLine(run) === 1;
    for (let i = 0; i < (isEach ? run.count : 1); i++)
      carriedBy.set(run.manuscript_line + i, {
        source: run.source,
        line: run.line + i,
        last: run.line + (isEach ? i : run.count - 1),
      });
  }
  const linesOf = sources.map(({ text }) => text.split(/\r\n|\r|\n/));
  return ({ start, end }) => {
    const [first, last] = [lineAt(starts, start), lineAt(starts, Math.max(start, end - 1))];
    let found: SourcePlace | null = null;
    for (let line = first; line <= last; line++) {
      const place = carriedBy.get(line);
      const name = place && ledger.files[place.source]?.name;
      if (!place || name === undefined || (found && found.sourceName !== name)) continue;
      const index = sources.findIndex((source) => source.name === name);
      const text = linesOf[index]?.slice(place.line - 1, place.last).join('\n') ?? '';
      found ??= { sourceName: name, sourceLine: place.line, sourceText: text, sourceLastLine: place.last };
      found.sourceLastLine = Math.max(found.sourceLastLine, place.last);
    }
    return found;
  };
}

/** Returns the line of a position, from 1. */
function lineAt(starts: readonly number[], at: number): number {
  let [low, high] = [0, starts.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (starts[middle]! <= at) low = middle;
    else high = middle - 1;
  }
  return low + 1;
}
