import { visibleLines } from '#office/docx/check/check.js';
import { readDocx } from '#office/docx/read/read.js';
import type { Structure } from '#contracts/structure.js';
import { takeText } from '#contracts/moved-bytes.js';
import { type SourceBytes, takeTexts } from '#verbatim/schema.js';
import { fileAddresses } from '#office/structure/file-address.js';
import { ledgerPage, ledgerSchema, type Ledger } from '#verbatim/ledger.js';
import type { MissingText } from '#verbatim/word/missing-text.js';
import { traceToWord } from '#verbatim/word/word-trace.js';

export interface TraceWork {
  docx: Uint8Array;
  /** JSON of the structure, which shows addresses of files only as link targets, and of the ledger. */
  structure: Uint8Array;
  ledger: Uint8Array;
  sources: SourceBytes[];
  /** Manuscript of the ledger. Null for runs parked by an older release: their ledgers are not changed. */
  manuscript: Uint8Array | null;
}

export interface TraceResult {
  missing: MissingText[];
  /** Ledger extended to the Word file, and its HTML page in pieces; null without a manuscript. */
  traced: { ledger: Ledger; page: Uint8Array[] } | null;
}

/** Runs in a thread. Completes the ledger: traces source lines to the visible text of the Word file (X1). */
export default function trace({ docx, manuscript, ...work }: TraceWork): TraceResult {
  const addresses = fileAddresses(JSON.parse(takeText(work.structure)) as Structure);
  const ledger = ledgerSchema.parse(JSON.parse(takeText(work.ledger)));
  const sources = takeTexts(work.sources);
  const { word, missing, textOf } = traceToWord(ledger, sources, visibleLines(readDocx(docx)), addresses);
  if (manuscript === null) return { missing, traced: null };
  const traced = { ...ledger, word };
  return {
    missing,
    traced: { ledger: traced, page: ledgerPage(traced, takeText(manuscript), sources, textOf) },
  };
}

/** Byte arrays of a result that the thread does not copy. */
export const moved = ({ traced }: TraceResult): Uint8Array[] => traced?.page ?? [];
