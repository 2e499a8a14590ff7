import type { FirstPagePart, ValidationIssue } from '#contracts/manuscript.js';
import { folderOf } from '#contracts/source-name.js';
import { fixMarkdown, lintMarkdown } from '#markdown/lint/lint.js';
import { findReferences } from '#markdown/references/find.js';
import { referenceResolver } from '#markdown/references/resolve.js';
import type { CoverageReport } from '#contracts/coverage.js';
import { takeText } from '#contracts/moved-bytes.js';
import { coverageReport } from '#verbatim/report/coverage.js';
import { withFirstPage } from '#verbatim/own-lines/first-page.js';
import { timeSpan } from '#verbatim/own-lines/stamps.js';
import { ledgerPage, type Ledger, type LedgerSource } from '#verbatim/ledger.js';
import { type LedgerOmission, type SourceBytes, takeTexts } from '#verbatim/schema.js';
import { traceWritten, type WritingState } from './trace-written.js';

export interface ValidationWork {
  /** In UTF-8; freed, as the texts of the sources. */
  markdown: Uint8Array;
  sources: SourceBytes[];
  policy: 'verbatim' | 'narrative';
  /** See `LedgerOptions`. */
  zones?: boolean | undefined;
  /** First page to begin the manuscript with. */
  firstPage?: { parts: FirstPagePart[]; language: string | null } | undefined;
  /** References about which a person decided. */
  decided: string[];
  /** Names of the session's files, including images. */
  fileNames: string[];
  /** Lines of sources from which people departed. */
  departures?: LedgerOmission[];
  /** Whether this is only a part of a manuscript, for which no HTML page is created. */
  isPart?: boolean;
  /** See `traceWritten`. */
  writing?: WritingState;
}

export interface ValidationResult {
  /** Manuscript after automatic fixes; null if nothing was fixed. */
  fixed: string | null;
  issues: ValidationIssue[];
  /** Null if there were no sources to trace. */
  ledger: Ledger | null;
  /** HTML page of the ledger in pieces. */
  page: Uint8Array[] | null;
  coverageReport: CoverageReport | null;
  /** See `WrittenTrace`. */
  open: string[];
  uncarried: string[];
}

/** Runs in a thread. Applies automatic fixes, then lints and traces the sources (D26, X1). */
export default async function validate(work: ValidationWork): Promise<ValidationResult> {
  const text = takeText(work.markdown);
  // A separator begins a part.
  const taken = work.isPart ? text.trimStart() : text;
  const sources = takeTexts(work.sources);
  const { firstPage } = work;
  const given = firstPage ? withFirstPage(taken, sources, firstPage) : taken;
  const mended = await fixMarkdown(given);
  const markdown = mended.fixed > 0 ? mended.markdown : given;
  const issues = await lintMarkdown(markdown, {
    knownReferences: [...work.decided, ...resolvable(markdown, work)],
    found: mended.found,
  });
  const fixed = markdown === taken ? null : markdown;
  if (sources.length === 0)
    return { fixed, issues, ledger: null, page: null, coverageReport: null, open: [], uncarried: [] };
  const { policy, zones, departures: omissions = [] } = work;
  const options = { policy, otherFiles: work.fileNames, zones, omissions };
  const trace = traceWritten(markdown, sources, options, work.writing);
  const { open, uncarried } = trace;
  const span = work.isPart ? undefined : timeSpan(sources);
  const ledger = span ? { ...trace.ledger, span } : trace.ledger;
  const untraced = open.filter((name) => !ledger.files.some((file) => file.name === name));
  const page = work.isPart ? null : ledgerPage(ledger, markdown, tracedSources(sources, untraced));
  return {
    fixed,
    issues: [...issues, ...trace.issues],
    ledger,
    page,
    coverageReport: coverageReport(ledger),
    open,
    uncarried,
  };
}

/** Byte arrays of a result that the thread does not copy. */
export const moved = ({ page }: ValidationResult): Uint8Array[] => page ?? [];

const tracedSources = (sources: LedgerSource[], open: string[]) =>
  sources.filter(({ name }) => !open.includes(name));

/** Returns the manuscript's references that resolve to a session file from a source's folder (D26). */
function resolvable(markdown: string, { fileNames, sources }: ValidationWork): string[] {
  const resolve = referenceResolver(fileNames);
  const folders = new Set(['', ...sources.map(({ name }) => folderOf(name))]);
  return findReferences(markdown, 'manuscript.md')
    .map(({ ref }) => ref)
    .filter((ref) => [...folders].some((folder) => resolve(ref, folder).match !== null));
}
