import { lineAt, lineStarts } from '#contracts/line-starts.js';
import { splitLines } from '#markdown/scan/scan-text.js';
import { linesPerSourceLine, type Ledger, type LedgerSource } from '#verbatim/schema.js';

/** Maximum length of `sourceText` in UTF-16 units. */
const MAX_TEXT = 2_000;

/** Line of a source that a line of the manuscript carries. */
export interface SourcePlace {
  sourceName: string;
  sourceLine: number;
  /** Its beginning: a table can be one part with all its lines. */
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
  const starts = lineStarts(manuscript);
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
  const linesOf = new Map(sources.map(({ name, text }) => [name, splitLines(text)]));
  return ({ start, end }) => {
    const [first, last] = [lineAt(starts, start), lineAt(starts, Math.max(start, end - 1))];
    let found: SourcePlace | null = null;
    for (let line = first; line <= last; line++) {
      const place = carriedBy.get(line);
      const name = place && ledger.files[place.source]?.name;
      if (!place || name === undefined || (found && found.sourceName !== name)) continue;
      found ??= {
        ...{ sourceName: name, sourceLine: place.line, sourceLastLine: place.last },
        sourceText: (
          linesOf
            .get(name)
            ?.slice(place.line - 1, place.last)
            .join('\n') ?? ''
        ).slice(0, MAX_TEXT),
      };
      found.sourceLastLine = Math.max(found.sourceLastLine, place.last);
    }
    return found;
  };
}
