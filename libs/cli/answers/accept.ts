import { phrase } from '#contracts/phrases/phrase.js';
import { translate } from '../language.js';
import { askAtTerminal, type Terminal } from './terminal.js';

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
