import type { Span } from '#contracts/findings.js';
import { hardTokens } from '#verbatim/source/tokens.js';

/** Other words for a place of a text. */
export interface Correction extends Span {
  id: string;
  words: string;
}

/** How far around a correction hard tokens are compared: farther than any of them reaches. */
const AROUND = 700;

const tokensOf = (text: string): string =>
  hardTokens(text)
    .filter(({ kind }) => kind !== 'name' && kind !== 'negation')
    .map(({ kind, key }) => `${kind} ${key}`)
    .join('\n');

/**
 * Applies corrections in their order, as span patches. One after which a hard token would differ (a figure, an address, code, a
 * quotation) is not applied, nor one that touches another. The tokens of the whole result are compared again in the end: did they
 * differ after all, the text stays as it is.
 */
export function correct(text: string, corrections: Correction[]): { corrected: string; applied: string[] } {
  let at = 0;
  const apart = corrections.filter(({ start, end }) => start >= at && ((at = end), true));
  const kept = harmless(text, apart);
  const corrected = patch(text, kept);
  return tokensOf(text) === tokensOf(corrected)
    ? { corrected, applied: kept.map(({ id }) => id) }
    : { corrected: text, applied: [] };
}

/** Corrections that leave the hard tokens as they are: all together, or else each half of them by itself. */
function harmless(text: string, corrections: Correction[]): Correction[] {
  if (corrections.length === 0) return [];
  const from = Math.max(0, corrections[0]!.start - AROUND);
  const to = corrections.at(-1)!.end + AROUND;
  const moved = corrections.map((one) => ({ ...one, start: one.start - from, end: one.end - from }));
  const around = text.slice(from, to);
  if (tokensOf(around) === tokensOf(patch(around, moved))) return corrections;
  if (corrections.length === 1) return [];
  const middle = corrections.length >> 1;
  return [...harmless(text, corrections.slice(0, middle)), ...harmless(text, corrections.slice(middle))];
}

function patch(text: string, corrections: Correction[]): string {
  const pieces: string[] = [];
  let at = 0;
  for (const { start, end, words } of corrections) {
    pieces.push(text.slice(at, start), words);
    at = end;
  }
  return pieces.join('') + text.slice(at);
}
