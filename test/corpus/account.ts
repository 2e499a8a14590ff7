import type { Inventory } from '#contracts/inventory.js';
import { extractText } from '#extraction/extract.js';
import { accountFor } from '#inventory/account.js';
import { isContainer } from '#inventory/list-pieces.js';
import { takeInventory } from '#inventory/take-inventory.js';
import type { OtherReading } from './other-readers.js';

/** Counts of the pieces of a file, with the places of the lost ones. */
export interface FileAccount {
  counts: Pick<Inventory, 'pieces' | 'carried' | 'said_twice' | 'left_out' | 'lost'>;
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
  const lost = entries.filter(({ outcome }) => outcome === 'lost');
  return {
    counts,
    lost: [
      ...(problem === undefined ? [] : [`not counted: ${problem}`]),
      ...lost.map(({ place, words, reason }) => `${place}: ${words} (${reason})`),
      ...readings.flatMap((reading) => unread(reading, text)),
    ],
  };
}

/** Returns what another program reads and the text neither carries nor reports. */
function unread({ program, text: read }: OtherReading, text: string): string[] {
  const pieces = read
    .split(/[\n\f]/)
    .map((line, index) => ({ place: `${program}, line ${index + 1}`, text: line }));
  const options = { isMarkdown: true, knowsRaised: false, showsNumbers: true };
  return accountFor(pieces, text, options)
    .entries.filter(({ outcome }) => outcome === 'lost')
    .map(({ place, words, reason }) => `${place}: ${words} (${reason})`);
}

/** Returns a table of counts by kind of file. */
export function accountTable(accounts: readonly { kind: string; account: FileAccount | null }[]): string {
  const kinds = new Map<string, { files: number; counts: FileAccount['counts'] }>();
  for (const { kind, account } of accounts) {
    if (account === null) continue;
    const sum = kinds.get(kind) ?? {
      files: 0,
      counts: { pieces: 0, carried: 0, said_twice: 0, left_out: 0, lost: 0 },
    };
    for (const key of Object.keys(sum.counts) as (keyof FileAccount['counts'])[])
      sum.counts[key] += account.counts[key];
    kinds.set(kind, { ...sum, files: sum.files + 1 });
  }
  const rows = [...kinds]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([kind, { files, counts }]) => [kind, files, ...Object.values(counts)]);
  const table = [['kind', 'files', 'pieces', 'carried', 'said twice', 'left out', 'lost'], ...rows];
  return table
    .map((row) =>
      row.map((cell, column) => (column === 0 ? String(cell).padEnd(8) : String(cell).padStart(11))).join(''),
    )
    .join('\n');
}
