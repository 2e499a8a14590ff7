import { printable } from '../progress/printable.js';

/** Prints a result on standard output: as JSON for scripts, else as `render` shows it to people. */
export function print<T>(json: boolean, result: T, render: (result: T) => string): void {
  process.stdout.write(json ? `${JSON.stringify(result)}\n` : printable(render(result)));
}

/** Returns a renderer of lists, with a line for each item. */
export const renderLines =
  <T>(renderLine: (item: T) => string) =>
  (items: readonly T[]): string =>
    items.map((item) => `${renderLine(item)}\n`).join('');
