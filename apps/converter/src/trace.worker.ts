import { visibleLines } from '#office/docx/check/visible.js';
import { readDocx } from '#office/docx/read/read.js';
import type { Ledger, LedgerSource } from '#verbatim/ledger.js';
import { missingText, type MissingText } from '#verbatim/word/missing-text.js';
import { wantedLines } from '#verbatim/word/trace.js';

export interface TraceWork {
  docx: Uint8Array;
  ledger: Ledger;
  sources: LedgerSource[];
}

/** Runs in a thread: the last link of the ledger, from each source line to the words that a reader of the Word file sees (X1). */
export default function trace({ docx, ledger, sources }: TraceWork): MissingText[] {
  return missingText(wantedLines(sources, ledger), visibleLines(readDocx(docx)));
}
