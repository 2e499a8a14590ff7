import type { InputPort } from '#kit/graph/ports.js';

/** Pages read at once: normally, and at most if a line or block is longer than what was read. */
const PAGES = { ahead: 8, most: 64 };

/** A source while it is written; `text` is what was read and is not written yet. */
export class OpenSource {
  text = '';
  /** Share of the file that was read, in percent. */
  share = 0;
  private cursor: number | null = 0;
  /** Pages to read next. The first page alone decides how the file is written. */
  private ahead = 1;
  /** Pages read since text was last used. */
  private waiting = 0;

  constructor(
    private readonly inputs: InputPort,
    private readonly file: string,
  ) {}

  /** Whether the file is read to its end. */
  get isRead(): boolean {
    return this.cursor === null;
  }

  /** @throws ToolError if the file is missing or not text */
  async read(): Promise<void> {
    for (let count = this.ahead; count > 0 && this.cursor !== null; count--) {
      const { text, end, size, next_cursor } = await this.inputs.readPage(this.file, this.cursor);
      this.text += this.cursor === 0 ? text.replace(/^\uFEFF/, '') : text;
      this.share = size === 0 ? 100 : Math.floor((100 * end) / size);
      this.cursor = next_cursor;
      this.waiting += 1;
    }
  }

  /** Removes the written characters. Without any, about twice as much text is read. */
  use(characters: number): void {
    this.text = this.text.slice(characters);
    this.ahead = characters > 0 ? PAGES.ahead : Math.min(this.waiting, PAGES.most);
    if (characters > 0) this.waiting = 0;
  }
}
