import { createInterface } from 'node:readline/promises';
import { printable } from '../progress/printable.js';

/** Where questions are shown and answers typed; standard output belongs to the result. */
export interface Terminal {
  input: NodeJS.ReadableStream;
  output: NodeJS.WritableStream;
}

/**
 * Asks until what is typed can be used.
 *
 * @param help what can be typed
 * @param read returns the answer in what was typed; undefined when there is none
 */
export type Ask = <T>(
  prompt: string,
  help: string,
  read: (typed: string) => T | undefined | Promise<T | undefined>,
) => Promise<T>;

/**
 * Shows a question to the person at the terminal, and asks.
 *
 * @returns what `work` returns; undefined when the person closes the terminal's input (Ctrl-D) instead
 */
export async function askAtTerminal<T>(
  question: string,
  signal: AbortSignal,
  work: (ask: Ask) => Promise<T>,
  { input, output }: Terminal = { input: process.stdin, output: process.stderr },
): Promise<T | undefined> {
  const terminal = createInterface({ input, output });
  const closed = new AbortController();
  terminal.once('close', () => closed.abort());
  // At a terminal in raw mode Ctrl-C is a key; it means the same as everywhere.
  terminal.on('SIGINT', () => process.kill(process.pid, 'SIGINT'));
  const either = AbortSignal.any([signal, closed.signal]);
  const ask: Ask = async (prompt, help, read) => {
    for (;;) {
      const typed = (await terminal.question(printable(`  ${prompt} > `), { signal: either })).trim();
      const answer = await read(typed);
      if (answer !== undefined) return answer;
      output.write(`  ${typed === '' ? 'Please answer' : `"${typed}" cannot be used`}: ${help}\n`);
    }
  };
  try {
    output.write(printable(`\n${question}\n`));
    return await work(ask);
  } catch (error) {
    if (closed.signal.aborted && !signal.aborted) return undefined;
    throw error;
  } finally {
    terminal.close();
  }
}
