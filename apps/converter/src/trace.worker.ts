import { visibleLines } from '#office/docx/check/visible.js';
import { readDocx } from '#office/docx/read/read.js';
import { ledgerHtml, type Ledger, type LedgerSource } from '#verbatim/ledger.js';
import type { MissingText } from '#verbatim/word/missing-text.js';
import { traceToWord } from '#verbatim/word/word-trace.js';

export interface TraceWork {
  docx: Uint8Array;
  ledger: Ledger;
  sources: LedgerSource[];
  /** Of the files that the document tells behind the words of links. */
  addresses: string[];
  /** What the ledger is about; null for runs that were parked by an older release, whose ledger stays as it is. */
  manuscript: string | null;
}

export interface TraceResult {
  missing: MissingText[];
  /** The ledger with its last link, and its page; null without a manuscript. */
  traced: { ledger: Ledger; page: string } | null;
}

/** Runs in a thread: the last link of the ledger, from each source line to the words that a reader of the Word file sees (X1). */
export default function trace({ docx, ledger, sources, addresses, manuscript }: TraceWork): TraceResult {
  const { word, missing, textOf } = traceToWord(ledger, sources, visibleLines(readDocx(docx)), addresses);
  if (manuscript === null) return { missing, traced: null };
  const traced = { ...ledger, word };
  return { missing, traced: { ledger: traced, page: ledgerHtml(traced, manuscript, sources, textOf) } };
}
