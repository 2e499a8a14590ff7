import { askAtTerminal } from './terminal.js';

const CHOICES = 'accept, or reject';
const readChoice = (typed: string): boolean | undefined =>
  typed === 'accept' ? true : typed === 'reject' ? false : undefined;

/**
 * Asks at the terminal whether a proposal is accepted.
 *
 * @returns undefined when the person closes the terminal's input (Ctrl-D) instead
 */
export const acceptAtTerminal = (question: string, signal: AbortSignal): Promise<boolean | undefined> =>
  askAtTerminal(question, signal, (ask) => ask(CHOICES, CHOICES, readChoice));
