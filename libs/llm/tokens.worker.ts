import { tokensOf } from './tokens.js';

/** Counts the tokens of texts. Runs in a thread. */
export default function countTokens(texts: string[]): number {
  return texts.reduce((sum, text) => sum + tokensOf(text), 0);
}
