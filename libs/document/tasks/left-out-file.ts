import type { Inventory } from '#contracts/inventory.js';
import { detailOf } from '#contracts/phrases/detail.js';
import { englishText, phrase } from '#contracts/phrases/phrase.js';
import type { Unreadable } from '../contract/tasks.js';

/** Returns the inventory of a file that was left out as a whole. */
export function leftOutFile(file: Unreadable): Inventory {
  const reason = phrase('uncarried.unreadable_file', { reason: detailOf({ ...file, message: file.reason }) });
  const entry = {
    ...{ place: 'the whole file', place_phrase: phrase('piece.whole_file') },
    ...{ outcome: 'left_out' as const, words: file.name },
    ...{ reason: englishText(reason), reason_phrase: reason },
  };
  return { pieces: 1, carried: 0, said_twice: 0, left_out: 1, lost: 0, entries: [entry] };
}
