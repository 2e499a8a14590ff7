import { tokensOf } from '#llm/tokens.js';

/** A part of a text, with the tokens it has. */
export interface Piece {
  start: number;
  end: number;
  tokens: number;
}

/** Tokens of what stands between two pieces: one for a blank or two, which are most. */
function tokensBetween(text: string, { end }: Piece, { start }: Piece): number {
  return start - end <= 2 ? 1 : tokensOf(text.slice(end, start));
}

/** The tokens of pieces that follow each other, with what stands between them. */
export function sumTokens(text: string, pieces: readonly Piece[]): number {
  let sum = 0;
  for (const [at, piece] of pieces.entries())
    sum += piece.tokens + (at === 0 ? 0 : tokensBetween(text, pieces[at - 1]!, piece));
  return sum;
}

/** Whether a part of a text is within a limit; counted only where the sum of its pieces, which may be a few off, is close to it. */
export function fits(text: string, { start, end, tokens }: Piece, maxTokens: number): boolean {
  const error = 4 + (end - start) / 250;
  if (tokens > maxTokens || tokens + error <= maxTokens) return tokens <= maxTokens;
  return tokensOf(text.slice(start, end)) <= maxTokens;
}
