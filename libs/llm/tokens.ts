import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/**
 * Characters counted at a time. The tokenizer takes quadratic time for text without spaces; splitting limits
 * that and can only raise the count.
 */
const PIECE = 1_000;

/** Counts the tokens of a text with the tokenizer of OpenAI's recent models. */
export function tokensOf(text: string): number {
  // Load the tokenizer with the first text: loading its tables takes longer than most processes take to
  // start.
  const { countTokens } = require('gpt-tokenizer') as typeof import('gpt-tokenizer');
  let tokens = 0;
  for (let at = 0; at < text.length; at += PIECE) tokens += countTokens(text.slice(at, at + PIECE));
  return tokens;
}
