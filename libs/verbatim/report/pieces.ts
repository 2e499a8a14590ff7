import type { Inventory, UncarriedPiece } from '#contracts/inventory.js';
import { piecePhrase } from '#contracts/ledger-phrases.js';
import { detailOf, type Detail } from '#contracts/phrases/detail.js';
import { englishText, joinPhrases, phrase, type Phrase } from '#contracts/phrases/phrase.js';
import type { LedgerFile } from '../schema.js';
import { carriedShare } from './coverage.js';

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
export function describePieces(inventory: Inventory | undefined): Phrase[] {
  if (inventory === undefined) return [];
  const { pieces, carried, said_twice, left_out, lost, entries, problem, problem_phrase } = inventory;
  const byOcr = (inventory.read_by_ocr ?? []).map(({ place, lines: count, ...read }) =>
    phrase('appendix.piece_by_ocr', { place: piecePhrase(place) ?? place, count, ...read }),
  );
  if (problem !== undefined)
    return [
      phrase('appendix.uncounted', { problem: detailOf({ message: problem, phrase: problem_phrase }) }),
      ...byOcr,
    ];
  const counts = joinPhrases('list', [
    phrase('appendix.count_carried', { number: carried }),
    ...(left_out > 0 ? [phrase('appendix.count_left_out', { number: left_out })] : []),
    ...(said_twice > 0 ? [phrase('appendix.count_said_twice', { number: said_twice })] : []),
    ...(lost > 0 ? [phrase('appendix.count_lost', { number: lost })] : []),
  ]);
  const rest = pieces - carried - entries.length;
  return [
    phrase('appendix.piece_counts', { pieces, counts }),
    ...entries.map((entry) =>
      phrase(`appendix.piece_${entry.outcome}`, { words: entry.words, ...whereAndWhy(entry) }),
    ),
    ...(rest > 0 ? [phrase('appendix.more_pieces', { number: rest })] : []),
    ...byOcr,
  ];
}

/** Like `describePieces`, in English. */
export const pieceNotes = (inventory: Inventory | undefined): string[] =>
  describePieces(inventory).map(englishText);

function whereAndWhy(entry: UncarriedPiece): Record<'place' | 'reason', Detail> {
  return { place: entry.place_phrase ?? entry.place, reason: entry.reason_phrase ?? entry.reason };
}

/** Returns the numbers of pieces in the file, carried, left out and lost, for a table; null if not counted. */
export function pieceFigures({ inventory }: LedgerFile): [number, number, number, number] | null {
  if (inventory === undefined || inventory.problem !== undefined) return null;
  const { pieces, carried, said_twice, left_out, lost } = inventory;
  return [pieces, carried + said_twice, left_out, lost];
}
