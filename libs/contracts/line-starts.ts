import { countWhile } from './count-while.js';

/** Returns the position of the beginning of each line. */
export function lineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}

/** Returns the line of a position, from 1. @param starts of `lineStarts` */
export const lineAt = (starts: readonly number[], at: number): number =>
  countWhile(starts.length, (line) => starts[line]! <= at);
