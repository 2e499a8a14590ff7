import { countWhile } from '#contracts/count-while.js';
import { isFault } from './added.js';
import {
  type Ledger,
  type LedgerAdded,
  type LedgerAltered,
  type LedgerRun,
  type LedgerUnaccounted,
  type LineClass,
  linesPerSourceLine,
} from '../schema.js';

/** Altered lines that follow each other in source and manuscript, for the same reason. */
export interface AlteredLines extends LedgerAltered {
  last_line: number;
}

/** Missing lines that follow each other, of any kind, with the classes of the lines. */
export interface MissingLines extends Omit<LedgerUnaccounted, 'kind'> {
  kinds: Set<LineClass>;
  /** Manuscript line behind which they belong; null if the manuscript carries nothing of the source. */
  after: number | null;
}

/** The faults of a ledger, one for each cause. */
interface Causes {
  altered: AlteredLines[];
  missing: MissingLines[];
  added: LedgerAdded[];
}

export function causesOf(ledger: Ledger): Causes {
  const missing = missingLines(ledger);
  const isMoved = ({ manuscript_line: first, last_line: last }: LedgerAdded) =>
    missing.some(
      ({ found_at: at, line, last_line }) => at !== null && at <= first && last <= at + last_line - line,
    );
  const faults = ledger.added.filter((entry) => isFault(entry, ledger.policy) && !isMoved(entry));
  return { altered: alteredLines(ledger), missing, added: addedLines(ledger, faults) };
}

/** Joins entries with the one before where `extend` can add them to it. */
function join<T>(entries: T[], extend: (last: T, entry: T) => boolean): T[] {
  const joined: T[] = [];
  for (const entry of entries) {
    const last = joined.at(-1);
    if (last === undefined || !extend(last, entry)) joined.push(entry);
  }
  return joined;
}

function alteredLines({ altered }: Ledger): AlteredLines[] {
  const single = altered.map((entry): AlteredLines => ({ ...entry, last_line: entry.line }));
  return join(single, (last, { source, line, manuscript_line: at, reason, diff }) => {
    const follows =
      last.source === source && last.last_line + 1 === line && last.manuscript_line + line - last.line === at;
    if (!follows || last.reason !== reason) return false;
    last.last_line = line;
    last.diff = [...last.diff, { op: 'equal', text: '\n' }, ...diff];
    return true;
  });
}

/**
 * Joins lines of one source with only lines omitted by rule (blank ones) between them, so that each gap is one entry, and
 * each block that was moved.
 */
function missingLines(ledger: Ledger): MissingLines[] {
  const blankAfter = new Map(
    ledger.files.flatMap(({ name, omissions }) =>
      omissions
        .filter(({ by }) => by === 'rule')
        .map(({ first_line, last_line }) => [`${first_line} ${name}`, last_line] as const),
    ),
  );
  const single = ledger.unaccounted.map(({ kind, ...entry }): MissingLines => ({
    ...entry,
    kinds: new Set([kind]),
    after: null,
  }));
  const gaps = join(single, (last, entry) => {
    const next = last.last_line + 1;
    const follows =
      last.source === entry.source &&
      entry.line === (blankAfter.get(`${next} ${last.source}`) ?? next - 1) + 1;
    const isMovedAlike =
      last.found_at === null
        ? entry.found_at === null
        : last.found_at + entry.line - last.line === entry.found_at;
    if (!follows || last.reason !== entry.reason || !isMovedAlike) return false;
    last.last_line = entry.last_line;
    entry.kinds.forEach((kind) => last.kinds.add(kind));
    return true;
  });
  const runs = new Map(ledger.files.map(({ name }): [string, LedgerRun[]] => [name, []]));
  for (const run of ledger.runs) runs.get(ledger.files[run.source]!.name)!.push(run);
  return gaps.map((gap) => ({ ...gap, after: placeOf(gap, runs.get(gap.source) ?? []) }));
}

/** Returns the manuscript line behind which missing lines belong: the line before in the source, or before the next one. */
function placeOf({ line }: MissingLines, runs: readonly LedgerRun[]): number | null {
  const from = countWhile(runs.length, (index) => runs[index]!.line < line);
  const [before, next] = [runs[from - 1], runs[from]];
  if (before && linesPerSourceLine(before) === 1) return before.manuscript_line + before.count - 1;
  // Where a wrapped line ends is not recorded.
  if (next) return next.manuscript_line - 1;
  return before?.manuscript_line ?? null;
}

/** Joins added lines of one kind that follow each other; repeated ones also over a blank line. */
function addedLines({ runs }: Ledger, faults: LedgerAdded[]): LedgerAdded[] {
  const isCarried = (line: number) =>
    runs.some((run) => {
      const at = run.manuscript_line;
      return at <= line && line <= at + (run.count - 1) * linesPerSourceLine(run);
    });
  const copies = faults.map((entry) => ({ ...entry }));
  return join(copies, (last, { kind, text, tokens, manuscript_line: at, last_line }) => {
    const isAlike = last.kind === kind && !last.tokens === !tokens && isBlank(last) === isBlank({ text });
    const isBehindBlank = kind === 'duplicate' && at === last.last_line + 2 && !isCarried(at - 1);
    const follows = at === last.last_line + 1 || isBehindBlank;
    if (!isAlike || !follows || kind === 'empty' || kind === 'added_heading') return false;
    last.last_line = last_line;
    if (tokens) last.tokens = [...new Set([...last.tokens!, ...tokens])];
    return true;
  });
}

/** Returns whether an added line has no words. */
export const isBlank = ({ text }: Pick<LedgerAdded, 'text'>): boolean => text.trim() === '';
