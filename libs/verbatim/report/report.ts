import {
  type Ledger,
  type LedgerCounts,
  type LedgerFile,
  type LedgerRun,
  type LedgerSource,
  type LedgerUnaccounted,
  type LineClass,
  linesPerSourceLine,
} from '../schema.js';
import { isAddedText } from './added.js';
import { pieceNotes, pieceShare } from './pieces.js';
import { MATCH_METHODS, STATUS, type ManuscriptState, type SourceState } from '../match/state.js';

const MAX_ENTRIES = 2000;
const MAX_TEXT = 500;

/** Returns the counts of one file. Altered and unaccounted lines are not covered. */
export function fileReport(state: SourceState, { text, converted, inventory }: LedgerSource): LedgerFile {
  const { source, reading } = state;
  const kinds: Partial<Record<LineClass, LedgerCounts>> = {};
  const total = counts();
  let missing = 0;
  source.lines.forEach((content, line) => {
    const kind = reading.classes[line] as LineClass;
    const own = (kinds[kind] ??= counts());
    for (const entry of [own, total]) {
      entry.lines++;
      entry[FIELD[state.status[line] as number] as keyof LedgerCounts]++;
    }
    if (isOpen(state.status[line])) missing += Buffer.byteLength(content) + 1;
  });
  return {
    name: source.name,
    form: reading.form,
    ...total,
    coverage: coverageOf(total, [inventory]),
    bytes: bytesOf(text, missing, total),
    kinds,
    omissions: omissions(state),
    notes: [...source.notes, ...pieceNotes(inventory)],
    ...(converted ? { converted } : {}),
    ...(inventory ? { inventory } : {}),
  };
}

const isOpen = (status: number | undefined) => status === STATUS.unaccounted || status === STATUS.altered;

/**
 * Bounds the missing bytes, which are counted as if each line ended with one character. If all lines are
 * missing, all bytes are.
 */
function bytesOf(text: string, missing: number, { lines, altered, unaccounted }: LedgerCounts) {
  const total = Buffer.byteLength(text);
  return { total, missing: altered + unaccounted === lines ? total : Math.min(missing, total) };
}

const FIELD = ['unaccounted', 'carried', 'altered', 'omitted', 'omitted'] as const;

function counts(): LedgerCounts {
  return { lines: 0, carried: 0, omitted: 0, altered: 0, unaccounted: 0 };
}

/** Returns the share of covered lines; exactly 1 only if nothing is missing or altered. */
function share({ lines, altered, unaccounted }: LedgerCounts): number {
  const open = altered + unaccounted;
  if (open === 0) return 1;
  return Math.min((lines - open) / lines, 1 - Number.EPSILON);
}

/** Returns the share of covered lines, or of pieces of the files that are not lost if that is less. */
export const coverageOf = (lines: LedgerCounts, inventories: readonly LedgerFile['inventory'][]): number =>
  Math.min(share(lines), pieceShare(inventories));

function omissions(state: SourceState): LedgerFile['omissions'] {
  const found: LedgerFile['omissions'] = [];
  state.status.forEach((status, line) => {
    if (status !== STATUS.byRule && status !== STATUS.byPerson) return;
    const by = status === STATUS.byRule ? ('rule' as const) : ('person' as const);
    const reason = state.reasons.get(line) ?? '';
    const last = found[found.length - 1];
    if (last && last.last_line === line && last.reason === reason && last.by === by)
      last.last_line = line + 1;
    else found.push({ first_line: line + 1, last_line: line + 1, reason, by });
  });
  return found;
}

/**
 * Groups consecutive unaccounted lines of one kind. `lost` returns the manuscript line with the same text out
 * of order, or null.
 */
export function unaccountedLines(
  state: SourceState,
  lost: (line: number) => number | null,
): LedgerUnaccounted[] {
  const found: LedgerUnaccounted[] = [];
  state.status.forEach((status, line) => {
    if (status !== STATUS.unaccounted) return;
    const kind = state.reading.classes[line] as LineClass;
    const reason = state.reasons.get(line) ?? null;
    const foundAt = lost(line);
    const last = found[found.length - 1];
    const joins =
      last &&
      last.last_line === line &&
      last.kind === kind &&
      last.reason === reason &&
      foundAt === null &&
      last.found_at === null;
    if (joins) last.last_line = line + 1;
    else {
      const text = (state.source.lines[line] as string).slice(0, MAX_TEXT);
      found.push({
        source: state.source.name,
        line: line + 1,
        last_line: line + 1,
        kind,
        text,
        reason,
        found_at: foundAt,
      });
    }
  });
  return found;
}

/** Returns the carried lines as runs; all lines of a `wrapped` run belong to one manuscript line. */
export function lineRuns(state: SourceState): LedgerRun[] {
  const runs: LedgerRun[] = [];
  state.status.forEach((status, line) => {
    if (status !== STATUS.carried) return;
    const how = MATCH_METHODS[state.how[line] as number] as LedgerRun['how'];
    const at = (state.manuscriptLine[line] as number) + 1;
    const last = runs[runs.length - 1];
    const follows = last && last.how === how && last.line + last.count === line + 1;
    const step = linesPerSourceLine({ how }) * (last?.count ?? 0);
    if (follows && last.manuscript_line + step === at) last.count++;
    else runs.push({ source: state.source.index, line: line + 1, manuscript_line: at, count: 1, how });
  });
  return runs;
}

/** Returns the counts of the manuscript; blank lines are neither carried nor added. */
export function manuscriptReport(manuscript: ManuscriptState, added: Ledger['added']): Ledger['manuscript'] {
  const lines = manuscript.text.lines.length;
  let blank = 0;
  for (const line of manuscript.text.scanned) if (line.kind === 'blank') blank++;
  let extra = 0;
  for (const entry of added) extra += entry.last_line - entry.manuscript_line + 1;
  const added_text = added.filter(isAddedText).length;
  return { lines, carried: Math.max(0, lines - blank - extra), added: extra, blank, added_text };
}

/** Returns the first entries of a list, and the number of those left out. */
export function limited<T>(entries: T[]): { kept: T[]; left: number } {
  return { kept: entries.slice(0, MAX_ENTRIES), left: Math.max(0, entries.length - MAX_ENTRIES) };
}
