import { scanText } from '#markdown/fences.js';
import {
  buildLedger,
  isFault,
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
}

type LedgerFile = Ledger['files'][number];

/**
 * Traces the sources to a manuscript. A source that the agent has opened but not written yet counts as open, not as
 * missing, if the manuscript carries another source that is new, and no text that may come from the open source.
 *
 * @param written sources of the last version that passed; undefined if every source is required
 */
export function traceWritten(
  markdown: string,
  sources: LedgerSource[],
  options: LedgerOptions,
  written?: string[],
): WrittenTrace {
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
