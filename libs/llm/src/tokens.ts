import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/** The tokenizer's time grows with the square of a text without blanks; pieces bound it and only add to the count. */
const PIECE = 1_000;

/** Tokens of a text, by the tokenizer of OpenAI's recent models. */
export function tokensOf(text: string): number {
  // At the first text only, because its tables take longer to load than most processes take to start.
  const { countTokens } = require('gpt-tokenizer') as typeof import('gpt-tokenizer');
  let tokens = 0;
  for (let at = 0; at < text.length; at += PIECE) tokens += countTokens(text.slice(at, at + PIECE));
  return tokens;
}
