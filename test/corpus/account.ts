import type { Inventory } from '#contracts/inventory.js';
import { extractText } from '#extraction/extract.js';
import { isContainer, listPieces } from '#inventory/list-pieces.js';
import { takeInventory } from '#inventory/take-inventory.js';
import { FoundWords } from './found-words.js';
import type { OtherReading } from './other-readers.js';

const MAX_LINES = 50;

/** Counts of the pieces of a file, with the places of the lost ones. */
export interface FileAccount {
  counts: Pick<Inventory, 'pieces' | 'carried' | 'said_twice' | 'left_out' | 'lost'> & {
    /** Lines with words that other programs read and the text neither carries nor reports. */
    seen_by_others: number;
  };
  /** Lost pieces, and words that other programs read and the text does not carry. */
  lost: string[];
}

/** Accounts for the pieces of a file, and for the lines that other programs read, in its extracted text; null for a file that is text. */
export async function accountOf(
  name: string,
  bytes: Uint8Array,
  readings: readonly OtherReading[],
): Promise<FileAccount | null> {
  if (!isContainer(name)) return null;
  const { text, encoding = null } = await extractText(bytes, name);
  const { entries, problem, ...counts } = await takeInventory(bytes, name, { text, encoding });
  const lostEntries = entries.filter(({ outcome }) => outcome === 'lost');
  const named = (await listPieces(bytes, name, encoding ?? undefined).catch(() => []))
    .filter(({ again, isContents }) => again !== undefined || isContents)
    .map((piece) => piece.text);
  const words = new FoundWords([text, ...named].join('\n'));
  const unread = readings.map((reading) => unreadLines(reading, words));
  return {
    counts: { ...counts, seen_by_others: unread.reduce((sum, { count }) => sum + count, 0) },
    lost: [
      ...(problem === undefined ? [] : [`not counted: ${problem}`]),
      ...lostEntries.map(({ place, words, reason }) => `${place}: ${words} (${reason})`),
      ...unread.flatMap(({ lines }) => lines),
    ],
  };
}

/** Returns the lines of another program that contain words missing from the text and from its notes about omissions. */
function unreadLines({ program, text }: OtherReading, words: FoundWords): { count: number; lines: string[] } {
  const unread = text.split(/[\n\f]/).flatMap((line, index) => {
    const missing = words.missingOf(line);
    return missing.length === 0 ? [] : [{ line: `${program}, line ${index + 1}: ${line.trim()}`, missing }];
  });
  // Some programs show the codes of letters that have no characters.
  const letters = unread.flatMap(({ missing }) => missing).join('').length;
  if (letters <= words.unnamed) return { count: 0, lines: [] };
  const lines = unread.slice(0, MAX_LINES).map(({ line, missing }) => `${line} (${missing.join(' ')})`);
  return { count: unread.length, lines };
}

/** Returns a table of counts by kind of file. */
export function accountTable(accounts: readonly { kind: string; account: FileAccount | null }[]): string {
  const kinds = new Map<string, { files: number; counts: FileAccount['counts'] }>();
  for (const { kind, account } of accounts) {
    if (account === null) continue;
    const sum = kinds.get(kind) ?? {
      files: 0,
      counts: { pieces: 0, carried: 0, said_twice: 0, left_out: 0, lost: 0, seen_by_others: 0 },
    };
    for (const key of Object.keys(sum.counts) as (keyof FileAccount['counts'])[])
      sum.counts[key] += account.counts[key];
    kinds.set(kind, { ...sum, files: sum.files + 1 });
  }
  const rows = [...kinds]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([kind, { files, counts }]) => [kind, files, ...Object.values(counts)]);
  const table = [['kind', 'files', 'pieces', 'carried', 'said twice', 'left out', 'lost', 'unread'], ...rows];
  return table
    .map((row) =>
      row.map((cell, column) => (column === 0 ? String(cell).padEnd(8) : String(cell).padStart(11))).join(''),
    )
    .join('\n');
}
