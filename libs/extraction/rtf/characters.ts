import { withoutSpaces } from '#contracts/text.js';
import { FormulaReader } from '../docx/formula.js';
import { FORMAT_CODES } from '../number-formats.js';
import { Numbering } from '../numbering.js';
import type { RunStyle } from '../styled-text.js';
import type { FormulaText } from '../tex.js';
import type { Destination } from './tokens.js';
import { RtfFonts, RtfStyles } from './fonts.js';
import { RtfStory } from './story.js';
import { fieldWords, linkAddress } from '../field-words.js';

/** Value of `\ffres` that means the default. */
const DEFAULT_RESULT = 25;
const CHECK_BOX = 1;
const SELECTION = 2;

/** A field: a link, a form field, or another one, which shows its stored result. */
export class RtfField {
  instruction = '';
  /** Entries of a selection. */
  readonly entries: string[] = [];
  private type = 0;
  private result = DEFAULT_RESULT;
  private defaultResult = 0;

  word(name: string, value: number): void {
    if (name === 'fftype') this.type = value;
    else if (name === 'ffres') this.result = value;
    else if (name === 'ffdefres') this.defaultResult = value;
  }

  /** Address of a link; null for other fields and for places in the document. */
  get address(): string | null {
    return linkAddress(this.instruction);
  }

  /** Returns the text that the field shows; null if it shows its stored result. */
  shown(): string | null {
    const value = this.result === DEFAULT_RESULT ? this.defaultResult : this.result;
    const words = fieldWords(this.instruction);
    if (words !== null) return words;
    if (this.type === CHECK_BOX || /^\s*FORMCHECKBOX\b/.test(this.instruction))
      return value === 1 ? '☒' : '☐';
    return this.type === SELECTION ? (this.entries[value] ?? '') : null;
  }
}

/** Endings of the files of pictures, by the word that names their kind. */
const ENDINGS: ReadonlyMap<string, string> = new Map([
  ['pngblip', 'png'],
  ['jpegblip', 'jpg'],
  ['emfblip', 'emf'],
  ['wmetafile', 'wmf'],
  ['macpict', 'pict'],
  ['dibitmap', 'dib'],
  ['wbitmap', 'dib'],
]);

/** A picture while it is being read. */
export class RtfPicture {
  ending = 'bin';
  alt = '';
  private readonly hex: string[] = [];
  private readonly binary: Uint8Array[] = [];

  word(name: string): void {
    this.ending = ENDINGS.get(name) ?? this.ending;
  }

  addHex(text: string): void {
    this.hex.push(withoutSpaces(text));
  }

  addBytes(bytes: Uint8Array): void {
    this.binary.push(bytes);
  }

  /** Returns the picture's bytes, or null. */
  take(): Uint8Array | null {
    const bytes = Buffer.concat([Buffer.from(this.hex.join(''), 'hex'), ...this.binary]);
    return bytes.length === 0 ? null : bytes;
  }
}

/** Code of lists without numbers. */
const NONE = 255;

/** Definitions of an RTF file's lists, for items without a written number. */
class RtfLists {
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

/** Groups that contain one formula each. */
const FORMULAS = new Set(['mmath', 'mmathPara', 'moMath', 'moMathPara']);

interface FormulaGroup {
  /** Name of the element in Word's own XML; null for a group that only formats. */
  name: string | null;
  /** Words of a property; null for other groups. */
  value: string | null;
}

/** Collects one formula of an RTF file. Its groups are the elements of formulas in Word files (OMML), with an `m` before their names. */
class RtfMath {
  private readonly formula = new FormulaReader();
  private readonly groups: FormulaGroup[] = [];

  open(): void {
    this.groups.push({ name: null, value: null });
  }

  /** Reads a control word. The first word of a group names the group. @param value number after the word */
  word(word: string, value: number | null): void {
    const group = this.groups.at(-1);
    if (!group || !/^m[A-Za-z]{1,20}$/.test(word)) return;
    if (word === 'mnor') this.plainText(value);
    else if (group.name === null && !/^m(?:scr|sty|lit|aln|brk)$/.test(word)) this.begin(word, group);
  }

  text(text: string): void {
    const group = this.groups.findLast(({ name }) => name !== null);
    if (!group || text === '') return;
    if (group.value !== null) group.value += text;
    else if (!group.name!.endsWith('Pr')) this.run(text, group.name === 'm:r');
  }

  /** @returns the formula when its last group ends, else null */
  close(): FormulaText | null {
    const group = this.groups.pop();
    if (!group || group.name === null) return null;
    if (group.value !== null) this.formula.begin(group.name, { 'm:val': group.value.trim() });
    return this.formula.end();
  }

  private begin(word: string, group: FormulaGroup): void {
    const outer = this.groups.slice(0, -1).findLast(({ name }) => name !== null);
    group.name = FORMULAS.has(word) ? 'm:oMath' : `m:${word.slice(1)}`;
    if (outer?.name?.endsWith('Pr') && !group.name.endsWith('Pr')) group.value = '';
    else this.formula.begin(group.name, {});
  }

  private run(text: string, isRun: boolean): void {
    if (!isRun) this.formula.begin('m:r', {});
    this.formula.begin('m:t', {});
    this.formula.words(text);
    this.formula.end();
    if (!isRun) this.formula.end();
  }

  /** Marks the current run as words instead of signs. */
  private plainText(value: number | null): void {
    this.formula.begin('m:rPr', {});
    this.formula.begin('m:nor', { 'm:val': String(value ?? 1) });
    this.formula.end();
    this.formula.end();
  }
}

/** Text boxes and notes within each other. */
const DEEPEST_STORY = 50;

/** Properties of a group, inherited by its inner groups. */
interface Group {
  /** Meaning of the group's words. */
  destination: Destination;
  font: number;
  /** Number of fallback characters after `\u`. */
  fallbacks: number;
  style: RunStyle;
  isHidden: boolean;
  isDeleted: boolean;
  onEnd: (() => void) | null;
}

/** Passes the characters of an RTF file to the story, table, field or picture of the current group. */
export class RtfCharacters {
  protected readonly styles = new RtfStyles();
  protected readonly lists = new RtfLists();
  protected readonly fonts = new RtfFonts();
  protected readonly groups: Group[] = [];
  protected group: Group = {
    destination: 'text',
    font: 0,
    fallbacks: 1,
    style: 'plain' as RunStyle,
    isHidden: false,
    isDeleted: false,
    onEnd: null,
  };
  protected readonly stories = [this.newStory()];
  protected readonly fields: RtfField[] = [];
  protected readonly pictures: RtfPicture[] = [];
  /** The formula that is being read. */
  protected math = new RtfMath();
  /** Words of the destination that is being collected. */
  protected collected = '';
  protected bytes: number[] = [];
  protected toSkip = 0;
  protected defaultFont = 0;

  protected get story(): RtfStory {
    return this.stories.at(-1)!;
  }

  protected newStory(): RtfStory {
    return new RtfStory({ styles: this.styles, numbering: this.lists.numbering });
  }

  /** Returns whether this character, word or byte only repeats a `\u` character; counts it as skipped. */
  protected isFallback(): boolean {
    if (this.toSkip === 0) return false;
    this.toSkip--;
    return true;
  }

  protected ascii(text: string): void {
    let rest = text.slice(this.toSkip);
    this.toSkip -= text.length - rest.length;
    if (rest === '') return;
    if (this.bytes.length > 0 && this.fonts.isCut(this.group.font, this.bytes)) {
      this.bytes.push(rest.charCodeAt(0));
      rest = rest.slice(1);
    }
    this.flushBytes();
    const isText = this.group.destination === 'text' || this.group.destination === 'label';
    if (isText && this.fonts.isSymbolic(this.group.font))
      this.words([...rest].map((each) => this.fonts.symbol(this.group.font, each.charCodeAt(0))).join(''));
    else this.words(rest);
  }

  protected flushBytes(): void {
    if (this.bytes.length === 0) return;
    const { bytes } = this;
    this.bytes = [];
    this.words(this.fonts.decode(this.group.font, bytes));
  }

  protected words(text: string): void {
    const { destination } = this.group;
    if (destination === 'text') this.shown(text);
    else if (destination === 'fonts') this.fonts.addName(text);
    else if (destination === 'picture') this.pictures.at(-1)?.addHex(text);
    else if (destination === 'field') this.fields.at(-1)!.instruction += text;
    else if (destination === 'levelText') this.lists.addText(text);
    else if (destination === 'label' || destination === 'collect') this.collected += text;
    else if (destination === 'styles') this.styles.name(text);
    else if (destination === 'math') this.math.text(text);
  }

  protected shown(text: string): void {
    const { story, group } = this;
    story.plain += text;
    const reason = group.isDeleted ? 'deleted text' : group.isHidden ? 'hidden text' : null;
    if (reason !== null) {
      story.omitted.set(reason, (story.omitted.get(reason) ?? '') + text);
      return;
    }
    story.inline.runStyle = group.style;
    story.inline.words(text);
  }

  protected collect(use: (text: string) => void): void {
    const before = this.collected;
    this.collected = '';
    this.group.onEnd = () => {
      use(this.collected);
      this.collected = before;
    };
  }

  /** Begins a text apart from the current one. @param use gets the text when it ends, and the one around it */
  protected beginStory(use: (story: RtfStory, outer: RtfStory) => void): void {
    // Deeper stories are merged into the one around them.
    if (this.stories.length > DEEPEST_STORY) return this.story.endParagraph();
    this.stories.push(this.newStory());
    Object.assign(this.group, { style: 'plain', isHidden: false, isDeleted: false });
    this.group.onEnd = () => {
      const story = this.stories.pop()!;
      story.end();
      // A comment about a story also contains the words of inner stories.
      if (this.stories.length > 1) this.story.plain += ` ${story.plain}`;
      use(story, this.story);
    };
  }

  protected unicode(value: number): void {
    const code = value < 0 ? value + 0x10000 : value;
    const { font } = this.group;
    const isSymbol = code >= 0xf000 && code <= 0xf0ff && this.fonts.isSymbolic(font);
    if (isSymbol) this.words(this.fonts.symbol(font, code));
    // The halves of a surrogate pair follow each other and form one character in the text.
    else if (code > 0 && code <= 0xffff) this.words(String.fromCharCode(code));
    else if (code > 0xffff && code <= 0x10ffff) this.words(String.fromCodePoint(code));
  }
}
