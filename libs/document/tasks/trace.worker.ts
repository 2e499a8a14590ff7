import { visibleLines } from '#office/docx/check/check.js';
import { readDocx } from '#office/docx/read/read.js';
import { ledgerPage, type Ledger, type LedgerSource } from '#verbatim/ledger.js';
import type { MissingText } from '#verbatim/word/missing-text.js';
import { traceToWord } from '#verbatim/word/word-trace.js';

export interface TraceWork {
  docx: Uint8Array;
  ledger: Ledger;
  sources: LedgerSource[];
  /** Addresses of files that the document contains only as link targets. */
  addresses: string[];
  /** Manuscript of the ledger. Null for runs parked by an older release: their ledgers are not changed. */
  manuscript: string | null;
}

export interface TraceResult {
  missing: MissingText[];
  /** Ledger extended to the Word file, and its HTML page in pieces; null without a manuscript. */
  traced: { ledger: Ledger; page: Uint8Array[] } | null;
}

/** Runs in a thread. Completes the ledger: traces source lines to the visible text of the Word file (X1). */
export default function trace({ docx, ledger, sources, addresses, manuscript }: TraceWork): TraceResult {
  const { word, missing, textOf } = traceToWord(ledger, sources, visibleLines(readDocx(docx)), addresses);
  if (manuscript === null) return { missing, traced: null };
  const traced = { ...ledger, word };
  return { missing, traced: { ledger: traced, page: ledgerPage(traced, manuscript, sources, textOf) } };
}
