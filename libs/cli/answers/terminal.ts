import { phrase } from '#contracts/phrases/phrase.js';
import { createInterface } from 'node:readline/promises';
import { translate } from '../language.js';
import { printable } from '../progress/printable.js';

/** Parses the choice, in English or in the terminal's language. */
function readChoice(typed: string): boolean | undefined {
  const word = typed.toLowerCase();
  if (['accept', translate(phrase('cli.accept'))].includes(word)) return true;
  if (['reject', translate(phrase('cli.reject'))].includes(word)) return false;
  return undefined;
}

/**
 * Asks at the terminal whether a proposal is accepted.
 *
 * @returns undefined when the person closes the terminal's input (Ctrl-D) instead
 */
export function acceptAtTerminal(
  question: string,
  signal: AbortSignal,
  terminal?: Terminal,
): Promise<boolean | undefined> {
  const first = translate(phrase('cli.accept'));
  const choices = translate(phrase('cli.or', { first, last: translate(phrase('cli.reject')) }));
  return askAtTerminal(question, signal, (ask) => ask(choices, choices, readChoice), terminal);
}

/** Streams for questions and answers. Standard output is reserved for the result. */
export interface Terminal {
  input: NodeJS.ReadableStream;
  output: NodeJS.WritableStream;
}

/**
 * Repeats a prompt until the input is valid.
 *
 * @param help describes the accepted input
 * @param read parses the input; returns undefined if it is invalid
 */
export type Ask = <T>(
  prompt: string,
  help: string,
  read: (typed: string) => T | undefined | Promise<T | undefined>,
) => Promise<T>;

/**
 * Shows a question at the terminal and runs `work` with a function that prompts for input.
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
  // Raw mode delivers Ctrl-C as a key only: send the usual signal.
  terminal.on('SIGINT', () => process.kill(process.pid, 'SIGINT'));
  const either = AbortSignal.any([signal, closed.signal]);
  const ask: Ask = async (prompt, help, read) => {
    for (;;) {
      const typed = (await terminal.question(printable(`  ${prompt} > `), { signal: either })).trim();
      const answer = await read(typed);
      if (answer !== undefined) return answer;
      const wrong =
        typed === '' ? phrase('cli.please_answer', { help }) : phrase('cli.invalid_answer', { typed, help });
      output.write(`  ${translate(wrong)}\n`);
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
