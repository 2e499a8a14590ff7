import { extractText } from '#extraction/extract.js';
import { isExtractedName } from '#contracts/file-kinds.js';
import { checkDocx, type QualityIssue, visibleLines } from '#office/docx/check/check.js';
import { readDocx } from '#office/docx/read/read.js';
import { writeDocx } from '#office/docx/write/write.js';
import { buildStructure } from '#office/structure/build.js';
import { fileAddresses } from '#office/structure/file-address.js';
import { buildLedger, type Ledger } from '#verbatim/ledger.js';
import { missingText, type MissingText } from '#verbatim/word/missing-text.js';
import { wantedLines } from '#verbatim/word/word-trace.js';
import { writeOffline } from './write-offline.js';

/** Result of converting sources into a Word file. */
interface InProcessDocument {
  manuscript: string;
  ledger: Ledger;
  docx: Uint8Array;
  /** Lines that a reader of the file sees. */
  shown: string[];
  /** Differences between manuscript and file. */
  issues: QualityIssue[];
  /** Words of the sources that are missing from the file. */
  missing: MissingText[];
}

/** Converts sources by the steps of a run with the offline writer, without servers: text, manuscript, ledger, Word file, checks. */
export async function writeInProcess(files: Record<string, Uint8Array>): Promise<InProcessDocument> {
  const texts = await Promise.all(
    Object.entries(files).map(async ([name, bytes]) => ({
      name,
      text: isExtractedName(name)
        ? (await extractText(bytes, name)).text
        : Buffer.from(bytes).toString('utf8'),
    })),
  );
  const { manuscript } = await writeOffline(Object.fromEntries(texts.map(({ name, text }) => [name, text])));
  const ledger = buildLedger(manuscript, texts, { policy: 'verbatim' });
  const structure = buildStructure(manuscript);
  const docx = await writeDocx(structure, () => Promise.resolve(null), {});
  const shown = visibleLines(readDocx(docx));
  const missing = missingText(wantedLines(texts, ledger), shown, { addresses: fileAddresses(structure) });
  return { manuscript, ledger, docx, shown, issues: checkDocx(structure, docx), missing };
}
