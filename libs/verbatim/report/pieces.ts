import type { Inventory } from '#contracts/inventory.js';
import type { LedgerFile } from '../schema.js';
import { carriedShare } from './coverage.js';

const OUTCOMES = { lost: 'lost', left_out: 'left out', said_twice: 'said twice' } as const;

/** Returns the share of the pieces of files that are not lost, 0…1; exactly 1 only if none is. */
export function pieceShare(inventories: readonly (Inventory | undefined)[]): number {
  let [total, missing] = [0, 0];
  for (const inventory of inventories) {
    total += inventory?.pieces ?? 0;
    missing += inventory?.lost ?? 0;
  }
  return carriedShare({ total, missing });
}

/** Describes the pieces of a file that its text does not carry, each in a sentence for people. */
export function pieceNotes(inventory: Inventory | undefined): string[] {
  if (inventory === undefined) return [];
  const { pieces, carried, said_twice, left_out, lost, entries, problem } = inventory;
  if (problem !== undefined) return [`the pieces of the file were not counted: ${problem}`];
  const counts = [
    `${carried} carried`,
    ...counted(left_out, 'left out'),
    ...counted(said_twice, 'said twice'),
    ...counted(lost, 'lost'),
  ];
  const named = entries.map(
    ({ place, outcome, words, reason }) => `${OUTCOMES[outcome]}: ${place}: “${words}” (${reason})`,
  );
  const rest = pieces - carried - entries.length;
  return [
    `${pieces} pieces of the file: ${counts.join(', ')}`,
    ...named,
    ...(rest > 0 ? [`and ${rest} more pieces`] : []),
  ];
}

const counted = (count: number, what: string): string[] => (count > 0 ? [`${count} ${what}`] : []);

/** Returns the numbers of pieces in the file, carried, left out and lost, for a table; null if not counted. */
export function pieceFigures({ inventory }: LedgerFile): [number, number, number, number] | null {
  if (inventory === undefined || inventory.problem !== undefined) return null;
  const { pieces, carried, said_twice, left_out, lost } = inventory;
  return [pieces, carried + said_twice, left_out, lost];
}
