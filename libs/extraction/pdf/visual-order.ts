import { directionOf, withoutShapes } from './text-direction.js';

/** Returns whether a text and a letter drawn next to it run in one direction; each number, mark and sign has its own. */
export function isOfOneDirection(text: string, letter: string): boolean {
  return /^\p{M}+$/u.test(letter) || /^\p{M}+$/u.test(text) || directionOf(text) === directionOf(letter);
}

/**
 * Adds a letter to a text that is drawn from left to right. The text is in reading order: a letter of a right-to-left script comes before the
 * letters to its left.
 */
export function addLetters(text: string, letter: string, blank = ''): string {
  const own = withoutShapes(letter);
  return directionOf(text + own) === 'toLeft' ? own + blank + text : text + blank + own;
}
