import type { Phrase } from '#contracts/phrases/phrase.js';
import { translate } from '../language.js';

/** Says on standard error what a command does that may take more than a second; quiet in a pipe. */
export function sayOnTerminal(
  message: Phrase,
  stream: Pick<NodeJS.WriteStream, 'isTTY' | 'write'> = process.stderr,
): void {
  if (stream.isTTY) stream.write(`${translate(message)}\n`);
}
