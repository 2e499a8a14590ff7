import { tokensOf } from './tokens.js';

/** Runs in a thread: the tokens of texts. */
export default function countTokens(texts: string[]): number {
  return texts.reduce((sum, text) => sum + tokensOf(text), 0);
}
