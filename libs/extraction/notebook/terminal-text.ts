/** Columns to which a cursor may jump; a jump further right stops there. */
const WIDEST = 500;
/**
 * Escape sequences (ECMA-48): commands with parameters, short sequences, and strings such as titles and addresses
 * of links, up to their end.
 */
const ESCAPES =
  /(?:\u001b\[|\u009b)([0-?]{0,100})[ -/]{0,10}([@-~])|(?:\u001b[\]PX^_]|[\u009d\u0090\u0098\u009e\u009f])[^\u0007\u001b\u009c\n]{0,4000}(?:\u0007|\u001b\\|\u009c)?|\u001b[ -/]{0,10}[0-~]|\u001b/g;

/**
 * Returns the text that a terminal shows for a program's output: without escape sequences, and only the last state of a
 * line that was drawn repeatedly, such as a progress bar. Linear.
 */
export function terminalText(output: string): string {
  if (!/[^\P{Cc}\t\n]/u.test(output)) return output;
  return output
    .replace(/\r{1,9}\n/g, '\n')
    .split('\n')
    .map(shownLine)
    .join('\n');
}

function shownLine(line: string): string {
  const shown = new Line();
  let at = 0;
  for (const escape of line.matchAll(ESCAPES)) {
    shown.write(line.slice(at, escape.index));
    shown.command(escape[2] ?? '', escape[1] ?? '');
    at = escape.index + escape[0].length;
  }
  shown.write(line.slice(at));
  return shown.text();
}

/** Line of a terminal. The cursor overwrites existing characters. */
class Line {
  private cells: string[] = [];
  private column = 0;

  write(text: string): void {
    for (const character of text) {
      if (character === '\r') this.column = 0;
      else if (character === '\u0008') this.column = Math.max(0, this.column - 1);
      else if (character === '\t' || !/\p{Cc}/u.test(character)) this.cells[this.column++] = character;
    }
  }

  /** Executes the commands that change one line (cursor moves, erasing). Ignores colours and other commands. */
  command(name: string, parameters: string): void {
    const count = Number(/^\d{1,4}$/.exec(parameters)?.[0] ?? (name === 'K' ? 0 : 1));
    if (name === 'G') this.moveTo(count - 1);
    else if (name === 'C') this.moveTo(this.column + Math.max(1, count));
    else if (name === 'D') this.moveTo(this.column - Math.max(1, count));
    else if (name === 'K' && count === 0) this.cells.length = Math.min(this.cells.length, this.column);
    else if (name === 'K' && count === 1) this.cells.fill(' ', 0, this.column + 1);
    else if (name === 'K' && count === 2) this.cells = [];
  }

  text(): string {
    // Array.from fills the gaps left by jumps of the cursor.
    return Array.from(this.cells, (cell) => cell ?? ' ').join('');
  }

  private moveTo(column: number): void {
    this.column = Math.max(0, Math.min(column, Math.max(WIDEST, this.cells.length)));
  }
}
