import type { Ledger } from '#verbatim/schema.js';

/** State of a line in the ledger; most lines are carried. */
export type LineKind = 'carried' | 'omitted' | 'altered' | 'removed' | 'added';

interface Interval {
  first: number;
  last: number;
  kind: LineKind;
  /** First line of the counterpart, and whether each line has its own. */
  other?: number;
  eachOwn?: boolean;
}

/** Lines of one text (1-based), with their states and counterparts. */
export class LineMap {
  private readonly intervals: Interval[];

  constructor(intervals: Interval[]) {
    this.intervals = intervals.sort((a, b) => a.first - b.first);
  }

  /** Returns the interval of a line; undefined if the ledger says nothing about it, such as a blank line. */
  private at(line: number): Interval | undefined {
    let [low, high] = [0, this.intervals.length - 1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (this.intervals[middle]!.first <= line) low = middle;
      else high = middle - 1;
    }
    const found = this.intervals[low];
    return found && found.first <= line && line <= found.last ? found : undefined;
  }

  kindOf(line: number): LineKind | undefined {
    return this.at(line)?.kind;
  }

  /** Returns the counterpart of a line in the other text, or null. */
  counterpart(line: number): number | null {
    const found = this.at(line);
    if (found?.other === undefined) return null;
    return found.eachOwn ? found.other + line - found.first : found.other;
  }

  /** Returns the next or previous line that is not carried, or null. */
  next(line: number, step: 1 | -1): number | null {
    const open = this.intervals.filter(({ kind }) => kind !== 'carried');
    const found =
      step === 1 ? open.find(({ first }) => first > line) : open.findLast(({ first }) => first < line);
    return found?.first ?? null;
  }
}

const isLineByLine = (how: Ledger['runs'][number]['how']) => how === 'exact' || how === 'table';

/** Returns the lines of one source, given its index in the ledger's files. */
export function sourceMap(ledger: Ledger, source: number): LineMap {
  const file = ledger.files[source];
  const own = ({ source: name }: { source: string }) => name === file?.name;
  return new LineMap([
    ...carriedOf(ledger, source).map(({ line: first, count, manuscript_line: other, eachOwn }): Interval => ({
      ...{ first, last: first + count - 1, kind: 'carried', other, eachOwn },
    })),
    ...(file?.omissions ?? []).map((omission) => intervalOf(omission, 'omitted')),
    ...ledger.altered.filter(own).map(({ line, manuscript_line: other }): Interval => ({
      ...{ first: line, last: line, kind: 'altered', other },
    })),
    ...ledger.unaccounted
      .filter(own)
      .map(({ line, last_line }) => intervalOf({ first_line: line, last_line }, 'removed')),
  ]);
}

/** Returns the manuscript's lines that belong to one source, and all added lines. */
export function manuscriptMap(ledger: Ledger, source: number): LineMap {
  const name = ledger.files[source]?.name;
  return new LineMap([
    ...carriedOf(ledger, source).map(({ line: other, count, manuscript_line: first, eachOwn }): Interval => ({
      ...{ first, last: eachOwn ? first + count - 1 : first, kind: 'carried', other, eachOwn },
    })),
    ...ledger.altered
      .filter((altered) => altered.source === name)
      .map(({ line: other, manuscript_line: line }): Interval => ({
        ...{ first: line, last: line, kind: 'altered', other },
      })),
    ...ledger.added.map(({ manuscript_line: first_line, last_line }) =>
      intervalOf({ first_line, last_line }, 'added'),
    ),
  ]);
}

/** Returns the runs of carried lines of a source, and whether each line has its own counterpart. */
const carriedOf = ({ runs }: Ledger, source: number) =>
  runs.filter((run) => run.source === source).map((run) => ({ ...run, eachOwn: isLineByLine(run.how) }));

const intervalOf = (
  { first_line: first, last_line: last }: { first_line: number; last_line: number },
  kind: LineKind,
): Interval => ({ first, last, kind });

/** Returns the source of a manuscript line, or null. */
export function sourceAt(ledger: Ledger, line: number): number | null {
  const run = ledger.runs.find(({ manuscript_line: first, count, how }) =>
    isLineByLine(how) ? first <= line && line < first + count : first === line,
  );
  return run?.source ?? null;
}
