/** Counts the tokens of texts, by the tokenizer of OpenAI's recent models. */
export type CountTokens = (texts: string[]) => Promise<number>;

/** Counts where it is called. The tokenizer is loaded only then. */
export const countHere: CountTokens = async (texts) => {
  const { default: count } = await import('./tokens.worker.js');
  return count(texts);
};

const WORKER = new URL('./tokens.worker.js', import.meta.url);

/**
 * Counts in a thread, because the time depends on what sources hold. When that takes too long the bytes are taken: a token has one at least.
 *
 * @param inThread calls the default export of a module in a thread with limits
 */
export function countInThread(inThread: <T>(module: URL, input: unknown) => Promise<T>): CountTokens {
  return (texts) =>
    inThread<number>(WORKER, texts).catch(() =>
      texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0),
    );
}
