import { hardTokens } from '#verbatim/source/tokens.js';
import { noteLabels, withoutNotes } from './sentences.js';

/**
 * Whether a reworded paragraph still says what the first one says, by rule: the same figures, dates, certain names, quotations,
 * addresses, code and citations, none more and none less (A7).
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
