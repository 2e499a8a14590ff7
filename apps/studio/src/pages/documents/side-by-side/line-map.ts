import type { Ledger } from '../../../api/ledger';

/** What the ledger says of a line; of most lines, that it is carried. */
export type LineKind = 'carried' | 'omitted' | 'altered' | 'removed' | 'added';

interface Interval {
  first: number;
  last: number;
  kind: LineKind;
  /** The line of the other side that it begins at, and whether each line has one of its own. */
  other?: number;
  eachOwn?: boolean;
}

/** The lines of one text, from 1, with what they are and where their counterpart is. */
export class LineMap {
  private readonly intervals: Interval[];

  constructor(intervals: Interval[]) {
    this.intervals = intervals.sort((a, b) => a.first - b.first);
  }

  /** The stretch that a line is in; undefined for one that nothing is said of, such as a blank one. */
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

  /** The line of the other text that belongs to this one; null when there is none. */
  counterpart(line: number): number | null {
    const found = this.at(line);
    if (found?.other === undefined) return null;
    return found.eachOwn ? found.other + line - found.first : found.other;
  }

  /** The next line, before or behind, that is not simply carried; null when there is none. */
  next(line: number, step: 1 | -1): number | null {
    const open = this.intervals.filter(({ kind }) => kind !== 'carried');
    const found =
      step === 1 ? open.find(({ first }) => first > line) : open.findLast(({ first }) => first < line);
    return found?.first ?? null;
  }
}

const isLineByLine = (how: Ledger['runs'][number]['how']) => how === 'exact' || how === 'table';

/** The lines of one source, by its place in the ledger's files. */
export function sourceMap(ledger: Ledger, source: number): LineMap {
  const file = ledger.files[source];
  const own = ({ source: name }: { source: string }) => name === file?.name;
  return new LineMap([
    ...ledger.runs
      .filter((run) => run.source === source)
      .map(({ line, count, manuscript_line: other, how }) => ({
        first: line,
        last: line + count - 1,
        kind: 'carried' as const,
        other,
        eachOwn: isLineByLine(how),
      })),
    ...(file?.omissions ?? []).map(({ first_line: first, last_line: last }) => ({
      first,
      last,
      kind: 'omitted' as const,
    })),
    ...ledger.altered.filter(own).map(({ line, manuscript_line: other }) => ({
      first: line,
      last: line,
      kind: 'altered' as const,
      other,
    })),
    ...ledger.unaccounted.filter(own).map(({ line, last_line: last }) => ({
      first: line,
      last,
      kind: 'removed' as const,
    })),
  ]);
}

/** The lines of the manuscript that come from one source; what was added comes from none. */
export function manuscriptMap(ledger: Ledger, source: number): LineMap {
  const name = ledger.files[source]?.name;
  return new LineMap([
    ...ledger.runs
      .filter((run) => run.source === source)
      .map(({ line: other, count, manuscript_line: first, how }) => ({
        first,
        last: isLineByLine(how) ? first + count - 1 : first,
        kind: 'carried' as const,
        other,
        eachOwn: isLineByLine(how),
      })),
    ...ledger.altered
      .filter((altered) => altered.source === name)
      .map(({ line: other, manuscript_line: first }) => ({
        first,
        last: first,
        kind: 'altered' as const,
        other,
      })),
    ...ledger.added.map(({ manuscript_line: first, last_line: last }) => ({
      first,
      last,
      kind: 'added' as const,
    })),
  ]);
}

/** The source that a line of the manuscript comes from; null when it comes from none. */
export function sourceAt(ledger: Ledger, line: number): number | null {
  const run = ledger.runs.find(({ manuscript_line: first, count, how }) =>
    isLineByLine(how) ? first <= line && line < first + count : first === line,
  );
  return run?.source ?? null;
}

/** Where the Word file shows a line of a source: in one of its lines, not whole, or nowhere because it has no words; null when that was not recorded. */
export type WordPlace = { shown: number } | { missing: string } | 'nothing' | null;

export function wordPlace({ word }: Ledger, source: number, line: number): WordPlace {
  if (!word) return null;
  const lost = word.missing.find((missing) => missing.source === source && missing.line === line);
  if (lost) return { missing: lost.text };
  const run = word.runs.find(
    ({ source: own, line: first, count }) => own === source && first <= line && line < first + count,
  );
  return run ? { shown: run.shown + (line - run.line) * run.step } : 'nothing';
}
