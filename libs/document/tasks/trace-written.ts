import type { ValidationIssue } from '#contracts/manuscript.js';
import { scanText } from '#markdown/fences.js';
import {
  buildLedger,
  isFault,
  ledgerIssues,
  type Ledger,
  type LedgerOptions,
  type LedgerSource,
} from '#verbatim/ledger.js';

/** Below this share of carried lines, a source may be open: many files share single lines, such as `}`. */
const WRITTEN_SHARE = 0.25;

interface WrittenTrace {
  ledger: Ledger;
  /** Sources that the manuscript does not carry yet; the ledger does not contain them. */
  open: string[];
  /** Sources of the ledger of which no line is carried. */
  uncarried: string[];
  issues: ValidationIssue[];
}

/** What the agent has written of the sources, while it still writes. */
export interface WritingState {
  /** Sources of the last version that passed. */
  written?: string[] | undefined;
  /** Lines that the agent has not placed, of sources of which it placed others. */
  unplaced?: Record<string, [first: number, last: number][]> | undefined;
}

type LedgerFile = Ledger['files'][number];

/**
 * Traces the sources to a manuscript, and returns the faults. Lines that are not placed yet are none, so that the parts
 * of a source can belong to different chapters; such a source is open.
 */
export function traceWritten(
  markdown: string,
  sources: LedgerSource[],
  options: LedgerOptions,
  { written, unplaced = {} }: WritingState = {},
): WrittenTrace {
  const trace = traceSources(markdown, sources, options, written);
  const isDue = ({ rule, source_file: name = '', source_line: first = 0, ...issue }: ValidationIssue) =>
    rule !== 'SCR-missing' ||
    issue.last_line_number !== undefined ||
    !(unplaced[name] ?? []).some(([from, to]) => from <= first && (issue.last_source_line ?? first) <= to);
  const all = ledgerIssues(trace.ledger);
  const issues = all.filter(isDue);
  const waiting = all.filter((issue) => !isDue(issue)).map(({ source_file: name = '' }) => name);
  return { ...trace, issues, open: [...new Set([...trace.open, ...waiting])] };
}

/**
 * Traces the sources to a manuscript. A source that the agent has opened but not written yet counts as open, not as
 * missing, if the manuscript carries another source that is new, and no text that may come from the open source.
 *
 * @param written sources of the last version that passed; undefined if every source is required
 */
function traceSources(
  markdown: string,
  sources: LedgerSource[],
  options: LedgerOptions,
  written?: string[],
): Omit<WrittenTrace, 'issues'> {
  const all = buildLedger(markdown, sources, options);
  const uncarried = all.files.filter((file) => shownLines(file) === 0 && file.unaccounted > 0).map(nameOf);
  const complete = { ledger: all, open: [], uncarried };
  if (written === undefined) return complete;
  const open = new Set(all.files.filter(isHardlyShown).map(nameOf));
  const isNew = (name: string) => !open.has(name) && !written.includes(name);
  if (open.size === 0 || !sources.some(({ name }) => isNew(name))) return complete;
  const ledger = buildLedger(
    markdown,
    sources.filter(({ name }) => !open.has(name)),
    options,
  );
  return mayComeFromOpen(markdown, all, ledger) ? complete : { ledger, open: [...open], uncarried: [] };
}

/**
 * Returns whether the manuscript has text that may come from the open sources, such as their lines or a summary:
 * faults that are found only if these sources are left out of the trace, or faults in a chapter that carries nothing
 * else.
 */
function mayComeFromOpen(markdown: string, all: Ledger, without: Ledger): boolean {
  const faultsOf = ({ added, policy }: Ledger) =>
    added
      .filter((entry) => isFault(entry, policy) && entry.kind !== 'empty')
      .map((entry) => entry.manuscript_line);
  const known = new Set(faultsOf(all));
  const chapters = scanText(markdown)
    .outline.filter(({ level }) => level === 1)
    .map(({ line }) => line);
  const chapterOf = (line: number) => chapters.findLast((start) => start <= line) ?? 0;
  const carrying = new Set(without.runs.map(({ manuscript_line }) => chapterOf(manuscript_line)));
  return faultsOf(without).some((line) => !known.has(line) || !carrying.has(chapterOf(line)));
}

const nameOf = ({ name }: LedgerFile) => name;
const shownLines = ({ carried, altered }: LedgerFile) => carried + altered;

const isHardlyShown = (file: LedgerFile): boolean =>
  file.unaccounted > 0 && shownLines(file) < WRITTEN_SHARE * (shownLines(file) + file.unaccounted);
