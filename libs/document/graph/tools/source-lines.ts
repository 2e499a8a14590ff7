import { withoutByteOrderMark } from '#contracts/text.js';
import type { InputPort } from '#kit/graph/ports.js';

/** Lines of the inputs. Caches the last file, because a step often places several parts of it. */
export class SourceLines {
  private last: { filename: string; lines: Promise<string[]> } | null = null;

  constructor(private readonly inputs: InputPort) {}

  /**
   * Returns the lines of a file without line feeds; carriage returns are kept, a byte order mark is not.
   *
   * @throws ToolError if the file is missing or not text
   */
  async read(filename: string): Promise<string[]> {
    if (this.last?.filename !== filename) this.last = { filename, lines: this.readAll(filename) };
    return this.last.lines;
  }

  private async readAll(filename: string): Promise<string[]> {
    const pages: string[] = [];
    for (let cursor: number | null = 0; cursor !== null;) {
      const page = await this.inputs.readPage(filename, cursor);
      pages.push(page.text);
      cursor = page.next_cursor;
    }
    const lines = withoutByteOrderMark(pages.join('')).split('\n');
    if (lines.at(-1) === '') lines.pop();
    return lines;
  }
}
