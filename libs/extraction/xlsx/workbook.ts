import { withLineFeeds } from '#contracts/text.js';
import { builtInFormat } from '../ooxml/number-text.js';
import { StyledText, type RunStyle } from '../styled-text.js';
import { isOn, readXml } from '../xml.js';

/** A sheet of a workbook. */
export interface SheetEntry {
  name: string;
  /** ID of its relationship. */
  id: string;
  isHidden: boolean;
}

/** Returns the sheets of a workbook, and whether its dates count from 1904. */
export function readWorkbook(xml: string): { sheets: SheetEntry[]; is1904: boolean } {
  const sheets: SheetEntry[] = [];
  let is1904 = false;
  readXml(xml, {
    open: (name, attributes) => {
      if (name === 's:workbookPr') is1904 = isOn(attributes['date1904'] ?? '0');
      if (name !== 's:sheet') return;
      const isHidden = (attributes['state'] ?? 'visible') !== 'visible';
      sheets.push({ name: attributes['name'] ?? '', id: attributes['r:id'] ?? '', isHidden });
    },
    close: () => undefined,
  });
  return { sheets, is1904 };
}

/** Text of a cell, as Markdown and unformatted. */
export interface CellText {
  markdown: string;
  plain: string;
}

/** Reads the pieces of rich text: shared strings (`s:si`), inline ones (`s:is`) and comments (`s:text`). */
export class RichText {
  private readonly inline = new StyledText();
  private plain = '';
  private isText = false;
  private phonetic = 0;

  open(name: string, value: string): void {
    if (name === 's:t') this.isText = this.phonetic === 0;
    else if (name === 's:rPh') this.phonetic++;
    else if (name === 's:vertAlign') this.inline.runStyle = alignment(value);
    else if (name === 's:strike' && isOn(value)) this.inline.runStyle = 'struck';
  }

  text(text: string): void {
    if (!this.isText) return;
    // A line feed of Windows is written as _x000D_ and a line feed.
    const words = withLineFeeds(unescaped(text));
    this.plain += words;
    this.inline.words(words);
  }

  close(name: string): void {
    if (name === 's:t') this.isText = false;
    else if (name === 's:rPh') this.phonetic--;
    else if (name === 's:r') this.inline.runStyle = 'plain';
  }

  take(): CellText {
    const { plain } = this;
    this.plain = '';
    return { markdown: this.inline.takeLines().join('<br>'), plain };
  }
}

const alignment = (value: string): RunStyle =>
  value === 'superscript' ? 'raised' : value === 'subscript' ? 'lowered' : 'plain';

/** Decodes characters that XML cannot contain, which the file writes as codes. */
export const unescaped = (text: string) =>
  text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, code: string) => {
    const point = Number.parseInt(code, 16);
    return point < 0x20 && point !== 9 && point !== 10 && point !== 13 ? '' : String.fromCharCode(point);
  });

/** Returns the shared strings of a workbook. @param xml null if the part is missing */
export function readStrings(xml: string | null): CellText[] {
  const strings: CellText[] = [];
  if (xml === null) return strings;
  const rich = new RichText();
  readXml(xml, {
    open: (name, attributes) => rich.open(name, attributes['val'] ?? ''),
    text: (text) => rich.text(text),
    close: (name) => {
      rich.close(name);
      if (name === 's:si') strings.push(rich.take());
    },
  });
  return strings;
}

/** Looks of cells that affect their meaning. */
export interface CellStyle {
  /** Code of the number format. */
  format: string;
  font: RunStyle;
}

/** Returns the styles of cells by their index. @param xml null if the part is missing */
export function readStyles(xml: string | null): CellStyle[] {
  const formats = new Map<number, string>();
  const fonts: RunStyle[] = [];
  const styles: CellStyle[] = [];
  const open: string[] = [];
  if (xml === null) return styles;
  readXml(xml, {
    open: (name, attributes) => {
      const parent = open.at(-1);
      open.push(name);
      const value = attributes['val'] ?? '';
      if (name === 's:numFmt') formats.set(Number(attributes['numFmtId']), attributes['formatCode'] ?? '');
      else if (name === 's:font' && parent === 's:fonts') fonts.push('plain');
      else if (name === 's:vertAlign' && parent === 's:font') fonts[fonts.length - 1] = alignment(value);
      else if (name === 's:strike' && parent === 's:font' && isOn(value)) fonts[fonts.length - 1] = 'struck';
      else if (name === 's:xf' && parent === 's:cellXfs') {
        const id = Number(attributes['numFmtId']) || 0;
        const font = fonts[Number(attributes['fontId']) || 0] ?? 'plain';
        styles.push({ format: formats.get(id) ?? builtInFormat(id), font });
      }
    },
    close: () => void open.pop(),
  });
  return styles;
}
