import type { Span } from '#contracts/findings.js';
import { hardTokens } from '#verbatim/source/tokens.js';

/** A replacement for a place of a text. */
interface Correction extends Span {
  id: string;
  words: string;
}

/** Number of characters around a correction in which hard tokens are compared; more than any token needs. */
const AROUND = 700;

const tokensOf = (text: string): string =>
  hardTokens(text)
    .filter(({ kind }) => kind !== 'name' && kind !== 'negation')
    .map(({ kind, key }) => `${kind} ${key}`)
    .join('\n');

/**
 * Applies corrections in order, as span patches. Skips corrections that overlap an earlier one or that would
 * change a hard token (a figure, an address, code, a quotation). Finally compares the tokens of the whole
 * result; if they differ, the text stays unchanged.
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

/**
 * Returns the corrections that preserve hard tokens: all of them if possible, otherwise tests each half
 * separately.
 */
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
