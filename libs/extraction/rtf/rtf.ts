import { oneLine } from '#contracts/text.js';
import { phrase } from '#contracts/phrases/phrase.js';
import type { EmbeddedImages } from '../embedded-images.js';
import { ExtractionError } from '../errors.js';
import { rtfStart } from '#contracts/byte-text.js';
import { rtfTokens, type RtfToken, CHARACTERS, DESTINATIONS, SKIPPED, type Destination } from './tokens.js';
import { imageMarkdown } from '../inline-text.js';
import { RtfCharacters, RtfField, RtfPicture } from './characters.js';
import { codePageName } from './fonts.js';

/** Reads the tokens of an RTF file. Groups nest in an array, so that their depth is bounded by the file's size only. */
class RtfReader extends RtfCharacters {
  private readonly pageParts: [string, string][] = [];
  private notes = 0;
  private shapeProperty = '';
  private isOptional = false;
  private skipsNext = false;

  constructor(private readonly images: EmbeddedImages) {
    super();
  }

  read(token: RtfToken): void {
    if (token.type !== 'byte' && token.type !== 'text') this.flushBytes();
    switch (token.type) {
      case 'open':
        this.open();
        break;
      case 'close':
        this.close();
        break;
      case 'text':
        this.ascii(token.text);
        break;
      case 'byte':
        if (!this.isFallback()) this.bytes.push(token.value);
        break;
      case 'binary':
        this.toSkip = 0;
        this.pictures.at(-1)?.addBytes(token.bytes);
        break;
      case 'symbol':
        this.symbol(token.name);
        break;
      case 'word':
        this.control(token.name, token.value);
    }
  }

  /** Returns the document's text. */
  take(): string {
    this.flushBytes();
    while (this.groups.length > 0) this.close();
    const text = this.stories[0]!.end();
    const seen = new Set<string>();
    for (const [what, words] of this.pageParts) {
      const key = `${what} ${oneLine(words)}`;
      if (!seen.has(key)) text.leaveOut(what, words);
      seen.add(key);
    }
    return text.take();
  }

  private open(): void {
    this.toSkip = 0;
    this.groups.push(this.group);
    this.group = { ...this.group, onEnd: null };
    if (this.group.destination === 'math') this.beginMath();
    if (this.skipsNext) this.group.destination = 'skip';
    this.skipsNext = false;
    this.isOptional = false;
  }

  private close(): void {
    this.toSkip = 0;
    this.isOptional = false;
    const outer = this.groups.pop();
    if (outer === undefined) return;
    this.group.onEnd?.();
    this.group = outer;
  }

  private symbol(name: string): void {
    if (name === '*') this.isOptional = true;
    else if (!this.isFallback()) this.words(CHARACTERS.get(name) ?? '');
  }

  private control(name: string, value: number | null): void {
    const { isOptional } = this;
    this.isOptional = false;
    const character = CHARACTERS.get(name);
    if (character !== undefined) return this.isFallback() ? undefined : this.words(character);
    this.toSkip = 0;
    if (this.group.destination === 'skip') return;
    const destination = DESTINATIONS.get(name);
    if (this.group.destination === 'math' && destination !== 'math') {
      if (isOptional || destination !== undefined || SKIPPED.has(name)) this.group.destination = 'skip';
      else this.word(name, value);
    } else if (destination !== undefined) this.begin(name, destination);
    // The first group in it repeats the second one in a code page.
    else if (name === 'upr') this.skipsNext = true;
    else if (isOptional || SKIPPED.has(name)) this.group.destination = 'skip';
    else this.word(name, value);
  }

  private begin(name: string, destination: Destination): void {
    const isOuter = this.group.destination !== destination;
    this.group.destination = destination;
    if (destination === 'math') {
      if (isOuter) this.beginMath();
      return this.math.word(name, null);
    }
    if (name === 'field') {
      const field = new RtfField();
      this.fields.push(field);
      this.group.onEnd = () => void this.fields.pop();
    } else if (name === 'fldrslt') this.fieldResult();
    else if (name === 'fldinst' || name === 'formfield')
      this.group.destination = this.fields.length > 0 ? 'field' : 'skip';
    else if (name === 'ffl') this.collect((text) => this.fields.at(-1)?.entries.push(text));
    else if (name === 'pict') this.picture();
    else if (name === 'sn') this.collect((text) => (this.shapeProperty = text.trim()));
    else if (name === 'sv') this.collect((text) => this.shapeValue(text));
    else if (destination === 'label') this.collect((text) => this.story.addLabel(text));
    else if (name === 'footnote') this.note();
    else if (name === 'annotation') this.beginStory((story) => this.addOmitted('comment', story.plain));
    else if (name === 'shptxt' || name === 'dptxbxtext')
      this.beginStory((story, outer) => outer.addBox(story.text));
    else if (/^(?:header|footer)/.test(name))
      this.beginStory(({ plain }) => this.pageParts.push([name.slice(0, 6), plain]));
  }

  private addOmitted(what: string, words: string): void {
    const { omitted } = this.story;
    omitted.set(what, `${omitted.get(what) ?? ''} ${words}`);
  }

  private beginMath(): void {
    this.math.open();
    this.group.onEnd = () => {
      const formula = this.math.close();
      if (formula === null || formula.plain === '') return;
      this.story.plain += ` ${formula.plain} `;
      this.story.inline.formula(formula);
    };
  }

  private note(): void {
    const label = String(++this.notes);
    this.story.inline.markdown(`[^${label}]`);
    this.beginStory((story) => this.stories[0]!.text.note(label, story.text));
  }

  private fieldResult(): void {
    const field = this.fields.at(-1);
    if (field === undefined) return;
    const shown = field.shown();
    if (shown !== null) {
      this.group.destination = 'text';
      this.words(shown);
      this.group.destination = 'skip';
      return;
    }
    const { address } = field;
    if (address === null) return;
    const { inline } = this.story;
    inline.beginPart();
    this.group.onEnd = () => inline.endLink(address);
  }

  private picture(): void {
    this.pictures.push(new RtfPicture());
    this.group.onEnd = () => {
      const picture = this.pictures.pop()!;
      const content = picture.take();
      if (content === null) return;
      this.story.inline.markdown(imageMarkdown(this.images.add(content, picture.ending), picture.alt));
    };
  }

  private shapeValue(text: string): void {
    if (this.shapeProperty === 'wzDescription' && this.pictures.length > 0) this.pictures.at(-1)!.alt = text;
    // The words of ornamental text are a property of its shape.
    else if (this.shapeProperty === 'gtextUNICODE') this.story.inline.words(text);
  }

  private word(name: string, value: number | null): void {
    const { destination } = this.group;
    if (name === 'u' && value !== null) {
      this.unicode(value);
      this.toSkip = this.group.fallbacks;
    } else if (name === 'uc') this.group.fallbacks = Math.max(0, value ?? 1);
    else if (name === 'ansicpg') this.fonts.documentCodePage = codePageName(value ?? 0) ?? 'cp1252';
    else if (name === 'mac') this.fonts.documentCodePage = 'macintosh';
    else if (name === 'pc') this.fonts.documentCodePage = 'cp437';
    else if (name === 'pca') this.fonts.documentCodePage = 'cp850';
    else if (name === 'deff') this.defaultFont = this.group.font = value ?? 0;
    else if (destination === 'fonts') this.fontWord(name, value ?? 0);
    else if (destination === 'styles') this.styles.word(name, value ?? 0);
    else if (destination === 'lists' || destination === 'levelText') this.lists.word(name, value ?? 0);
    else if (destination === 'picture') this.pictures.at(-1)?.word(name);
    else if (destination === 'field') this.fields.at(-1)?.word(name, value ?? 0);
    else if (destination === 'math') this.math.word(name, value);
    else if (!this.characterWord(name, value)) this.paragraphWord(name, value);
  }

  private fontWord(name: string, value: number): void {
    if (name === 'f') this.fonts.begin(value);
    else if (name === 'fcharset') this.fonts.setCharset(value);
  }

  /** Applies a property of characters; false for any other word. */
  private characterWord(name: string, value: number | null): boolean {
    const { group } = this;
    const isOn = value !== 0;
    if (name === 'f') group.font = value ?? this.defaultFont;
    else if (name === 'plain')
      Object.assign(group, { style: 'plain', isHidden: false, isDeleted: false, font: this.defaultFont });
    else if (name === 'super' || name === 'up') group.style = isOn ? 'raised' : 'plain';
    else if (name === 'sub' || name === 'dn') group.style = isOn ? 'lowered' : 'plain';
    else if (name === 'nosupersub') group.style = 'plain';
    else if (name === 'strike' || name === 'striked') group.style = isOn ? 'struck' : 'plain';
    else if (name === 'v') group.isHidden = isOn;
    else if (name === 'deleted') group.isDeleted = isOn;
    else return false;
    return true;
  }

  private paragraphWord(name: string, value: number | null): void {
    const { story } = this;
    const { properties } = story;
    if (this.group.destination !== 'text') {
      if (name === 'par' || name === 'tab' || name === 'line') this.words(' ');
    } else if (name === 'par' || name === 'sect') story.endParagraph();
    else if (name === 'nestcell') story.endParagraph();
    else if (name === 'line' || name === 'lbr') this.words('\n');
    else if (name === 'page' || name === 'column') this.words(' ');
    else if (name === 'cell') story.endCell();
    else if (name === 'row') story.endRow();
    else if (name === 'pard') story.resetParagraph();
    else if (name === 'intbl') properties.isInTable = value !== 0;
    else if (name === 's') properties.style = value;
    else if (name === 'outlinelevel') properties.heading = (value ?? 9) < 9 ? (value ?? 0) + 1 : 0;
    else if (name === 'ls') properties.list = value;
    else if (name === 'ilvl') properties.level = Math.max(0, Math.min(8, value ?? 0));
    else if (name === 'trowd') story.beginRowDefinition();
    else if (name === 'cellx') story.row.borders.push(value ?? 0);
  }
}

/**
 * Returns the text of an RTF document as Markdown: headings, paragraphs, lists with their numbers, tables, notes, links, text boxes. Comments
 * name what is omitted: headers, footers, comments, hidden and deleted text.
 *
 * @throws ExtractionError if the file is not RTF
 */
export function rtfText(bytes: Uint8Array, fileName: string, images: EmbeddedImages): string {
  const start = rtfStart(bytes);
  if (start < 0)
    throw new ExtractionError(phrase('unreadable.not', { name: fileName, kind: phrase('file_kind.rtf') }));
  const reader = new RtfReader(images);
  for (const token of rtfTokens(bytes.subarray(start))) reader.read(token);
  return reader.take();
}
