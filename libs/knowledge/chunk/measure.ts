import { tokensOf } from '#llm/tokens.js';

/** A part of a text with its number of tokens. */
export interface Piece {
  start: number;
  end: number;
  tokens: number;
}

/** Counts the tokens between two pieces: one for one or two characters, the most frequent case. */
function tokensBetween(text: string, { end }: Piece, { start }: Piece): number {
  return start - end <= 2 ? 1 : tokensOf(text.slice(end, start));
}

/** Returns the tokens of consecutive pieces, including the text between them. */
export function sumTokens(text: string, pieces: readonly Piece[]): number {
  let sum = 0;
  for (const [at, piece] of pieces.entries())
    sum += piece.tokens + (at === 0 ? 0 : tokensBetween(text, pieces[at - 1]!, piece));
  return sum;
}

/**
 * Returns whether a part of a text is within a limit. The sum over its pieces may be slightly off, so tokens
 * are counted exactly only if it is close to the limit.
 */
export function fits(text: string, { start, end, tokens }: Piece, maxTokens: number): boolean {
  const error = 4 + (end - start) / 250;
  if (tokens > maxTokens || tokens + error <= maxTokens) return tokens <= maxTokens;
  return tokensOf(text.slice(start, end)) <= maxTokens;
}
