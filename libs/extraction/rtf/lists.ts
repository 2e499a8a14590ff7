import { FORMAT_CODES } from '../number-formats.js';
import { Numbering } from '../numbering.js';

/** Code of lists without numbers. */
const NONE = 255;

/** Definitions of an RTF file's lists, for items without a written number. */
export class RtfLists {
  readonly numbering = new Numbering();
  /** Number of the current list. The file contains its ID after its levels. */
  private list = 0;
  private level = -1;
  private readonly listOf = new Map<number, number>();
  /** The list that an entry of the override table names; null in the list table. */
  private overridden: number | null = null;
  private restart: number | null = null;
  private text = '';

  word(name: string, value: number): void {
    if (name === 'list') this.begin();
    else if (name === 'listlevel') this.level++;
    else if (name === 'listoverride') Object.assign(this, { overridden: 0, level: -1, restart: null });
    else if (name === 'lfolevel') this.level++;
    else if (name === 'listid' && this.overridden === null) this.listOf.set(value, this.list);
    else if (name === 'listid') this.overridden = this.listOf.get(value) ?? 0;
    else if (name === 'levelnfc')
      this.describe().format = value === NONE ? 'none' : (FORMAT_CODES[value] ?? 'decimal');
    else if (name === 'levelstartat') this.start(value);
    else if (name === 'leveltext') this.text = '';
    else if (name === 'ls' && this.overridden !== null) this.end(String(value));
  }

  /** Adds to a level's text: its length, then characters. Codes 0 to 8 are placeholders for the levels' numbers. */
  addText(text: string): void {
    this.text += text;
    const length = this.text.charCodeAt(0);
    this.describe().text = this.text
      .slice(1, 1 + length)
      .replace(/[\0-\u0008]/g, (character) => `%${character.charCodeAt(0) + 1}`);
  }

  private begin(): void {
    this.list++;
    this.level = -1;
    this.overridden = null;
  }

  private describe() {
    this.text = this.text.slice(0, 1_000);
    return this.numbering.describe(String(this.list), Math.max(0, this.level));
  }

  private start(value: number): void {
    if (this.overridden === null) this.describe().start = value;
    else this.restart = value;
  }

  private end(list: string): void {
    this.numbering.addList(list, String(this.overridden));
    if (this.restart !== null) this.numbering.restart(list, Math.max(0, this.level), this.restart);
  }
}
