import type { Inventory } from '#contracts/inventory.js';
import { ledgerPhrase } from '#contracts/ledger-phrases.js';
import { fileEnding } from '#contracts/text.js';
import { accountFor } from './account.js';
import { isContainerFile, listPieces } from './list-pieces.js';
import { InventoryError } from './piece.js';
import { hasLettersToLeft, hasSpacingAccents } from './words.js';

/** Text that was extracted from a file, as the extraction returns it. */
interface ExtractedFile {
  text: string;
  /** Encoding that a person or the file named; null for UTF-8. */
  encoding: string | null;
}

/**
 * Lists the pieces of a file and accounts for each of them in its extracted text. If the pieces cannot be listed, the
 * inventory contains the reason.
 */
export async function takeInventory(
  bytes: Uint8Array,
  name: string,
  { text, encoding }: ExtractedFile,
): Promise<Inventory> {
  try {
    const pieces = await listPieces(bytes, name, encoding ?? undefined);
    return accountFor(pieces, text, {
      isMarkdown: isContainerFile(name, bytes),
      // A PDF places letters higher or lower, but does not say that they are raised.
      knowsRaised: fileEnding(name) !== 'pdf',
      ignoresAccents: fileEnding(name) === 'pdf' && pieces.some((piece) => hasSpacingAccents(piece.text)),
      runsToLeft: pieces.some((piece) => hasLettersToLeft(piece.text)),
    });
  } catch (error) {
    if (!(error instanceof InventoryError)) throw error;
    return unreadInventory(error.message);
  }
}

/** Returns the inventory of a file that could not be listed. */
export function unreadInventory(problem: string): Inventory {
  const phrase = ledgerPhrase(problem);
  return {
    ...{ pieces: 0, carried: 0, said_twice: 0, left_out: 0, lost: 0, entries: [] },
    problem,
    ...(phrase && { problem_phrase: phrase }),
  };
}
