import { detectEncoding } from '#extraction/encoding.js';
import { isExtractedName, isTextName } from '#contracts/file-kinds.js';
import { ExtractionError } from '#extraction/errors.js';
import { writeInProcess } from '#testing/in-process.js';
import { missingText } from '#verbatim/word/missing-text.js';
import { accountOf, type FileAccount } from './account.js';
import { readByOthers, type OtherReading } from './other-readers.js';
import { seenByOthers } from './seen-by-others.js';

export interface DocumentResult {
  /** `skipped`: the product rejects the file with a reason. */
  status: 'shown' | 'skipped' | 'lost';
  details: string[];
  /** Pieces of the file; null for a file that is text, and for one that the product refuses. */
  account: FileAccount | null;
}

/**
 * Runs one file through the pipeline and compares the content of the Word file with the file as other programs read it.
 */
export default async function run({
  name,
  path,
  bytes,
  office,
}: {
  name: string;
  path: string;
  bytes: Uint8Array;
  /** Text that LibreOffice reads. */
  office?: OtherReading;
}): Promise<DocumentResult> {
  const account = null;
  if (isTextName(name) && !detectEncoding(bytes).utf8)
    return { status: 'skipped', account, details: [`not UTF-8: ${detectEncoding(bytes).encoding}`] };
  if (!isTextName(name) && !isExtractedName(name))
    return { status: 'skipped', account, details: ['not carried'] };
  try {
    const readings = [...(await readByOthers(path)), ...(office ? [office] : [])];
    const pieces = await accountOf(name, bytes, readings);
    const { ledger, issues, missing, shown } = await writeInProcess({ [name]: bytes });
    const seen = seenByOthers(name, bytes, shown);
    const details = [
      ...(ledger.coverage < 1
        ? [
            `coverage ${ledger.coverage}: ${JSON.stringify([...ledger.unaccounted, ...ledger.altered].slice(0, 2))}`,
          ]
        : []),
      ...issues.map(({ rule, message }) => `${rule}: ${message}`),
      ...missing.map(({ line, missing: words }) => `line ${line}: ${words}`),
      ...missingText(seen, shown).map(({ line, missing: words }) => `seen by others, ${line}: ${words}`),
    ];
    details.push(...(pieces?.lost ?? []));
    return {
      status: details.length === 0 ? 'shown' : 'lost',
      account: pieces,
      details: details.slice(0, 10),
    };
  } catch (error) {
    if (error instanceof ExtractionError) return { status: 'skipped', account, details: [error.message] };
    throw error;
  }
}
