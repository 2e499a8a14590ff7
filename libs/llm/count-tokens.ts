/** Counts the tokens of texts with the tokenizer of OpenAI's recent models. */
export type CountTokens = (texts: string[]) => Promise<number>;

/** Counts in the calling thread. The tokenizer is loaded on the first call. */
export const countHere: CountTokens = async (texts) => {
  const { default: count } = await import('./tokens.worker.js');
  return count(texts);
};

const WORKER = new URL('./tokens.worker.js', import.meta.url);

/**
 * Returns a counter that runs in a thread, because the time depends on the content of sources. If the thread
 * fails or exceeds its limits, the counter returns the number of bytes: a token has at least one.
 *
 * @param inThread calls the default export of a module in a thread with limits
 */
export function countInThread(inThread: <T>(module: URL, input: unknown) => Promise<T>): CountTokens {
  return (texts) =>
    inThread<number>(WORKER, texts).catch(() =>
      texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0),
    );
}
