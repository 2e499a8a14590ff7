import {
  buildLedger,
  isFault,
  type Ledger,
  type LedgerOptions,
  type LedgerSource,
} from '#verbatim/ledger.js';

/** Below this share of carried lines, a source may be open: single lines, such as `}`, look alike in many files. */
const WRITTEN_SHARE = 0.25;

export interface WrittenTrace {
  ledger: Ledger;
  /** Sources that the manuscript does not carry yet; the ledger does not contain them. */
  open: string[];
  /** Sources of the ledger of which no line is carried. */
  uncarried: string[];
}

type LedgerFile = Ledger['files'][number];

/**
 * Traces the sources to a manuscript. A source that the agent has opened but not written yet counts as open, not as
 * missing, if the manuscript carries another source that is new, and no text of unknown origin, such as a summary.
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
  const isFree = !ledger.added.some((entry) => isFault(entry, options.policy));
  return isFree ? { ledger, open: [...open], uncarried: [] } : complete;
}

const nameOf = ({ name }: LedgerFile) => name;
const shownLines = ({ carried, altered }: LedgerFile) => carried + altered;

const isHardlyShown = (file: LedgerFile): boolean =>
  file.unaccounted > 0 && shownLines(file) < WRITTEN_SHARE * (shownLines(file) + file.unaccounted);
