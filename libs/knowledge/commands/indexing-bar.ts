import { translate } from '#cli/language.js';
import { phrase } from '#contracts/phrases/phrase.js';

const WIDTH = 30;

/**
 * Shows on a terminal how much of the sources is indexed; quiet in a pipe.
 *
 * @param share of the work, 0…1
 */
export function showBar(done: number, all: number, share: number): void {
  if (process.stderr.isTTY)
    process.stderr.write(`\r\x1b[2K${bar(share)} ${translate(phrase('out.indexed_of', { done, all }))}`);
}

/** Ends the line of the bar. */
export function endBar(): void {
  if (process.stderr.isTTY) process.stderr.write('\n');
}

function bar(share: number): string {
  const filled = Math.floor(share * WIDTH);
  return '█'.repeat(filled) + '░'.repeat(WIDTH - filled);
}
