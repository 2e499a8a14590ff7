import { shiftedText, type Piece, type PieceList } from '../piece.js';
import { isOn, walkXml, type Attributes } from '../xml.js';
import { symbolCharacter } from './symbols.js';
import { inFont, setRunProperty, shiftOf, type RunProperties, type StyleSheet } from './word-styles.js';

/** Describes a part of a Word file and the meaning of its references. */
interface WordPartOptions {
  /** Name of the part in words for people, such as `header 1`; empty for the document itself. */
  part: string;
  styles: StyleSheet;
  /** Called for an included or embedded file with the ID of its relationship. */
  onFile: (kind: 'included' | 'embedded', id: string) => void;
}

interface Paragraph {
  text: string;
  deleted: string;
  isContents: boolean;
  /** Properties that its style gives to its runs. */
  style: RunProperties;
  /** Properties and text of the run at hand; null outside of runs. */
  run: { own: RunProperties; style: RunProperties; text: string } | null;
}

/** Form field that shows a choice: a box or a list. */
interface Choice {
  kind: 'checkBox' | 'ddList';
  value: string | null;
  preset: string | null;
  entries: string[];
}

/** Lists the pieces of one part of a Word file: a piece for each paragraph, and one for its deleted text. */
export function listWordPart(xml: string, list: PieceList, options: WordPartOptions): void {
  const reader = new WordPartReader(list, options);
  walkXml(xml, {
    open: (name, attributes, fullName) => reader.open(name, attributes, fullName),
    text: (text) => reader.text(text),
    close: (name) => reader.close(name),
  });
  reader.end();
}

const NOTES = new Set(['footnote', 'endnote', 'comment']);
const TEXTS = new Set(['t', 'delText', 'instrText']);
/** Fields that show words of their instruction. */
const SHOWN_FIELD = /^\s*(?:EQ\b|MACROBUTTON\s+\S{1,200})([^]*)$/;
const BLANKS = new Set(['tab', 'br', 'cr', 'ptab']);

class WordPartReader {
  private readonly paragraphs: Paragraph[] = [];
  /** Choices of alternative content: whether the preferred form has text. */
  private readonly choices: { hasText: boolean; isFallback: boolean }[] = [];
  private readonly counts = new Map<string, number>();
  private textIn = '';
  private deleting = 0;
  private moving = 0;
  private former = 0;
  /** Texts before the open raised and lowered parts of formulas. */
  private readonly scripts: { paragraph: Paragraph; before: string }[] = [];
  private controls = 0;
  private contentsControl = 0;
  private choice: Choice | null = null;
  private readonly instructions: string[] = [];
  private description = '';
  private note = '';
  private skipsNote = false;
  private readonly rows: { row: number; cell: number; table: number }[] = [];

  constructor(
    private readonly list: PieceList,
    private readonly options: WordPartOptions,
  ) {}

  open(name: string, attributes: Attributes, fullName: string): void {
    if (/PrChange$|^numberingChange$/.test(name)) this.former++;
    if (this.former > 0) return;
    if (TEXTS.has(name)) this.textIn = name;
    else if (name === 'p') this.paragraphs.push(this.newParagraph());
    else if (BLANKS.has(name) && this.textIn === '') this.words(' ');
    else if (name === 'r') this.beginRun();
    else if (name === 'del') this.deleting++;
    else if (name === 'moveFrom') this.moving++;
    else if (name === 'sym') this.words(symbolCharacter(attributes['font'] ?? '', attributes['char'] ?? ''));
    else if (name === 'noBreakHyphen') this.words('-');
    else if (name === 'rt' || (name === 'oMath' && this.textIn === '')) this.words(' ');
    else if (name === 'AlternateContent') this.choices.push({ hasText: false, isFallback: false });
    else if (name === 'Fallback') this.setFallback(true);
    else if (name === 'sup' || name === 'sub') this.beginScript();
    else if (NOTES.has(name)) this.beginNote(name, attributes);
    else if (name === 'tbl' || name === 'tr' || name === 'tc') this.enter(name);
    else if (name === 'altChunk') this.options.onFile('included', attributes['id'] ?? '');
    else if (name === 'OLEObject') this.options.onFile('embedded', attributes['id'] ?? '');
    else if (name === 'sdt') this.controls++;
    else if (name === 'fldChar') this.field(attributes['fldCharType'] ?? '');
    else if (name === 'textpath') this.words(` ${attributes['string'] ?? ''} `);
    else if (name === 'docPr' || name === 'cNvPr') this.describe(attributes);
    else if (name === 'shape') this.describe({ descr: attributes['alt'] ?? '' });
    else if (name === 'tblCaption' || name === 'tblDescription')
      this.describe({ descr: attributes['val'] ?? '' });
    else if (name === 'chart' || name === 'relIds') this.hasChoice();
    else this.property(name, attributes, fullName);
  }

  text(text: string): void {
    if (this.textIn === '' || this.former > 0) return;
    if (this.textIn === 'instrText') {
      if (this.instructions.length > 0) this.instructions.push(this.instructions.pop()! + text);
    } else if (this.textIn === 'delText' || this.deleting > 0) this.paragraph().deleted += text;
    else this.words(text);
  }

  close(name: string): void {
    if (/PrChange$|^numberingChange$/.test(name)) this.former--;
    else if (this.former > 0) return;
    else if (TEXTS.has(name)) this.textIn = '';
    else if (name === 'r') this.endRun();
    else if (name === 'p') this.endParagraph();
    else if (name === 'del') this.deleting--;
    else if (name === 'moveFrom') this.moving--;
    else if (name === 'rt') this.words(' ');
    else if (name === 'AlternateContent') this.choices.pop();
    else if (name === 'Fallback') this.setFallback(false);
    else if (name === 'sup' || name === 'sub') this.endScript(name);
    else if (NOTES.has(name)) this.skipsNote = false;
    else if (name === 'tbl') this.rows.pop();
    else if (name === 'checkBox' || name === 'ddList') this.endChoice();
    else if (name === 'sdt') this.endControl();
  }

  /** Lists the pieces that are still open at the end of a damaged part. */
  end(): void {
    while (this.paragraphs.length > 0) this.endParagraph();
  }

  /** Innermost open paragraph, or an implicit one: formulas and damaged parts have text outside of paragraphs. */
  private paragraph(): Paragraph {
    if (this.paragraphs.length === 0) this.paragraphs.push(this.newParagraph());
    return this.paragraphs.at(-1)!;
  }

  private words(text: string): void {
    const choice = this.choices.at(-1);
    if (choice?.isFallback && choice.hasText) return;
    if (this.moving > 0) return;
    if (choice && !choice.isFallback && text.trim() !== '') this.hasChoice();
    const paragraph = this.paragraph();
    if (paragraph.run === null) paragraph.text += text;
    else paragraph.run.text += text;
  }

  private newParagraph(): Paragraph {
    return {
      text: '',
      deleted: '',
      isContents: false,
      style: this.options.styles.propertiesOf(null),
      run: null,
    };
  }

  /** Records that the preferred form of alternative content has text, so that the fallback is skipped. */
  private hasChoice(): void {
    if (this.choices.at(-1)?.isFallback === false) for (const each of this.choices) each.hasText = true;
  }

  private field(type: string): void {
    if (type === 'begin') this.instructions.push('');
    else if (this.instructions.length > 0) {
      const shown = SHOWN_FIELD.exec(this.instructions.at(-1)!)?.[1] ?? '';
      this.words(` ${shown.replace(/\\[*a-z]{1,3}(?: ?\d{1,4})?/g, ' ')} `);
      this.instructions[this.instructions.length - 1] = '';
    }
    if (type === 'end') this.instructions.pop();
  }

  /** Lists the title and description of a drawing. A picture may repeat its frame's. */
  private describe({ title = '', descr = '' }: Attributes): void {
    const text = title === descr ? descr : `${title} ${descr}`.trim();
    if (this.choices.at(-1)?.isFallback || text === '') return;
    const { part } = this.options;
    const place = `${part === '' ? '' : `${part}, `}alternative text ${this.count('alternative text')}`;
    this.list.add({
      place,
      text,
      ...(text === this.description ? { again: 'it repeats the text of its frame' } : {}),
    });
    this.description = text;
  }

  private setFallback(isFallback: boolean): void {
    const choice = this.choices.at(-1);
    if (choice) choice.isFallback = isFallback;
  }

  private beginScript(): void {
    const paragraph = this.paragraph();
    this.scripts.push({ paragraph, before: paragraph.text });
    paragraph.text = '';
  }

  private endScript(name: string): void {
    const script = this.scripts.pop();
    if (!script) return;
    const { paragraph, before } = script;
    paragraph.text = before + shiftedText(paragraph.text, name === 'sup' ? '^' : '_');
  }

  private beginRun(): void {
    this.endRun();
    this.paragraph().run = { own: {}, style: {}, text: '' };
  }

  private endRun(): void {
    const paragraph = this.paragraph();
    const { run } = paragraph;
    paragraph.run = null;
    if (run === null) return;
    const properties = { ...paragraph.style, ...run.style, ...run.own };
    const text = inFont(run.text, properties.font);
    const shift = shiftOf(properties, text);
    paragraph.text += shift === '' ? text : shiftedText(text, shift);
  }

  private setStyle(id: string): void {
    const paragraph = this.paragraph();
    paragraph.isContents ||= this.options.styles.contents.has(id);
    paragraph.style = this.options.styles.propertiesOf(id);
  }

  private property(name: string, attributes: Attributes, fullName: string): void {
    const value = attributes['val'];
    const run = this.paragraphs.at(-1)?.run;
    if (run && setRunProperty(run.own, name, attributes)) return;
    if (run && name === 'rStyle') run.style = this.options.styles.propertiesOf(value ?? '');
    else if (name === 'pStyle') this.setStyle(value ?? '');
    else if (name === 'docPartGallery' && value === 'Table of Contents')
      this.contentsControl ||= this.controls;
    else if ((name === 'checkBox' || name === 'ddList') && !fullName.startsWith('w14'))
      this.choice = { kind: name, value: null, preset: null, entries: [] };
    else if (this.choice) this.choiceProperty(this.choice, name, value);
    else if (name === 'num' || name === 'den' || name === 'e') this.words(' ');
  }

  private choiceProperty(choice: Choice, name: string, value: string | undefined): void {
    if (name === 'default') choice.preset = value ?? '1';
    else if (name === 'checked' || name === 'result') choice.value = value ?? '1';
    else if (name === 'listEntry') choice.entries.push(value ?? '');
  }

  private endChoice(): void {
    const { choice } = this;
    this.choice = null;
    if (!choice) return;
    const value = choice.value ?? choice.preset ?? '0';
    if (choice.kind === 'checkBox') this.words(isOn(value) ? ' ☒ ' : ' ☐ ');
    else this.words(` ${choice.entries[Number(value) || 0] ?? ''} `);
  }

  private endControl(): void {
    if (this.controls === this.contentsControl) this.contentsControl = 0;
    this.controls--;
  }

  private beginNote(kind: string, { id = '', type = '' }: Attributes): void {
    this.note = `${kind} ${id}`;
    this.skipsNote = /separator|notice/i.test(type);
  }

  private enter(name: string): void {
    if (name === 'tbl') this.rows.push({ table: this.count('table'), row: 0, cell: 0 });
    const at = this.rows.at(-1);
    if (!at) return;
    if (name === 'tr') Object.assign(at, { row: at.row + 1, cell: 0 });
    else if (name === 'tc') at.cell += 1;
  }

  private endParagraph(): void {
    if (this.paragraphs.length > 0) this.endRun();
    const { text, deleted, isContents } = this.paragraphs.pop() ?? this.paragraph();
    if (this.skipsNote) return;
    const place = this.placeOf();
    const add = (words: string, rest: Partial<Piece>) => this.list.add({ place, text: words, ...rest });
    add(text, isContents || this.contentsControl > 0 ? { isContents: true } : {});
    add(deleted, { place: `deleted text in ${place}` });
  }

  private placeOf(): string {
    const cell = this.rows.at(-1);
    const where = cell
      ? `table ${cell.table}, row ${cell.row}, cell ${cell.cell}`
      : `paragraph ${this.count('paragraph')}`;
    if (this.note !== '') return this.note;
    return this.options.part === '' ? where : `${this.options.part}, ${where}`;
  }

  private count(what: string): number {
    const count = (this.counts.get(what) ?? 0) + 1;
    this.counts.set(what, count);
    return count;
  }
}
