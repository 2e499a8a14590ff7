import { hardTokens } from '#verbatim/source/tokens.js';
import { noteLabels, withoutNotes } from './sentences.js';

/**
 * Returns whether a reworded paragraph has exactly the same hard tokens as the original: figures, dates,
 * certain names, quotations, addresses, code and citations (A7).
 */
export function keepsHardTokens(before: string, after: string): boolean {
  return tokenList(before) === tokenList(after);
}

function tokenList(text: string): string {
  const tokens = hardTokens(withoutNotes(text))
    .filter(({ kind, uncertain }) => !uncertain && kind !== 'negation')
    .map(({ kind, key }) => `${kind} ${key}`);
  return [...tokens, ...noteLabels(text).map((label) => `note ${label}`)].sort().join('\n');
}
