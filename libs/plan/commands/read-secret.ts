import { phrase } from '#contracts/phrases/phrase.js';
import { CliError } from '#cli/cli-error.js';
import { createInterface } from 'node:readline/promises';
import { text } from 'node:stream/consumers';
import { Writable } from 'node:stream';

/** Streams from which a secret is read, and on which it is asked for. */
interface Streams {
  input: NodeJS.ReadableStream & { isTTY?: boolean };
  output: NodeJS.WritableStream;
}

/**
 * Reads a secret: all of the input without its last line end, or a line that is typed at a terminal and not shown.
 * A secret is never a command-line argument, because other users of the machine can read arguments.
 *
 * @throws CliError without a value
 */
export async function readSecret(
  prompt: string,
  { input, output }: Streams = { input: process.stdin, output: process.stderr },
): Promise<string> {
  const value = input.isTTY ? await typed(prompt, input, output) : (await text(input)).replace(/\r?\n$/, '');
  if (value === '') throw new CliError(phrase('cli_error.no_value'));
  return value;
}

async function typed(
  prompt: string,
  input: NodeJS.ReadableStream,
  output: NodeJS.WritableStream,
): Promise<string> {
  const unseen = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input, output: unseen, terminal: true });
  terminal.on('SIGINT', () => process.kill(process.pid, 'SIGINT'));
  try {
    output.write(`${prompt}: `);
    const closed = new Promise<string>((resolve) => terminal.once('close', () => resolve('')));
    return await Promise.race([terminal.question(''), closed]);
  } finally {
    terminal.close();
    output.write('\n');
  }
}
