import { decodeBytes, isKnownEncoding } from '../encoding.js';
import { symbolText } from '../symbols.js';

/** A paragraph style of an RTF file. */
interface RtfStyle {
  /** Heading level from 1; 0 for none. */
  heading: number;
  /** True for paragraphs of a table of contents. */
  isContents: boolean;
}

/** The paragraph styles of an RTF file by their numbers. */
export class RtfStyles {
  private readonly styles = new Map<number, RtfStyle>();
  private current: RtfStyle | null = null;

  get(id: number | null): RtfStyle | undefined {
    return id === null ? undefined : this.styles.get(id);
  }

  /** Reads a word of the style sheet. */
  word(name: string, value: number): void {
    if (name === 's') {
      this.current = { heading: 0, isContents: false };
      this.styles.set(value, this.current);
    } else if (name === 'cs' || name === 'ds' || name === 'ts') this.current = null;
    else if (name === 'outlinelevel' && this.current && value < 9) this.current.heading = value + 1;
  }

  /** Reads the name of the current style. */
  name(text: string): void {
    if (this.current === null) return;
    const level = /^\s*heading ([1-9])\b/i.exec(text)?.[1];
    if (level !== undefined) this.current.heading = Number(level);
    else if (/^\s*title\s*;/i.test(text)) this.current.heading = 1;
    else if (/^\s*toc (?:\d|heading)/i.test(text)) this.current.isContents = true;
  }
}

/** Code pages by the character set of a font (`\fcharset`). Other character sets use the document's code page. */
const CODE_PAGES: Record<number, string> = {
  0: 'cp1252',
  77: 'macintosh',
  128: 'cp932',
  129: 'cp949',
  134: 'cp936',
  136: 'cp950',
  161: 'cp1253',
  162: 'cp1254',
  163: 'cp1258',
  177: 'cp1255',
  178: 'cp1256',
  186: 'cp1257',
  204: 'cp1251',
  222: 'cp874',
  238: 'cp1250',
  254: 'cp437',
  255: 'cp850',
};
const SYMBOLS = 2;
/** Code pages with two-byte characters. `isLead` returns whether a byte is the first of two. */
const DOUBLE = /^cp9(?:32|36|49|50)$/;
const isLead = (codePage: string, byte: number) =>
  codePage === 'cp932'
    ? (byte >= 0x81 && byte <= 0x9f) || (byte >= 0xe0 && byte <= 0xfc)
    : byte >= 0x81 && byte <= 0xfe;

interface Font {
  name: string;
  charset: number | null;
}

/** Returns the name of a code page by its number in `\ansicpg` or `\cpg`; undefined for an unknown one. */
export function codePageName(number: number): string | undefined {
  const name = number === 10_000 ? 'macintosh' : number === 65_001 ? 'utf-8' : `cp${number}`;
  return isKnownEncoding(name) ? name : undefined;
}

/** The fonts of an RTF file, which decide what its bytes mean. */
export class RtfFonts {
  /** Code page of fonts without a character set. */
  documentCodePage = 'cp1252';
  private readonly fonts = new Map<number, Font>();
  private current: Font = { name: '', charset: null };

  /** Begins the description of a font in the font table. */
  begin(id: number): void {
    this.current = { name: '', charset: null };
    this.fonts.set(id, this.current);
  }

  setCharset(charset: number): void {
    this.current.charset = charset;
  }

  addName(text: string): void {
    this.current.name += text;
  }

  /** Returns the text of bytes in a font. */
  decode(id: number, bytes: readonly number[]): string {
    const font = this.fonts.get(id);
    if (this.isSymbolic(id)) return bytes.map((byte) => this.symbol(id, byte)).join('');
    return decodeBytes(Uint8Array.from(bytes), this.codePageOf(font));
  }

  /** Returns whether these bytes end within a character, so that the next one belongs to it. */
  isCut(id: number, bytes: readonly number[]): boolean {
    const codePage = this.codePageOf(this.fonts.get(id));
    if (!DOUBLE.test(codePage) || this.isSymbolic(id)) return false;
    let isCut = false;
    for (const byte of bytes) isCut = !isCut && isLead(codePage, byte);
    return isCut;
  }

  /** Returns whether the letters of a font are symbols. */
  isSymbolic(id: number): boolean {
    return this.fonts.get(id)?.charset === SYMBOLS;
  }

  /** Returns a character of a font of symbols as Unicode. @param code as in the file, such as 0xb7 or 0xf0b7 */
  symbol(id: number, code: number): string {
    const name = this.nameOf(id);
    return code === 0x20
      ? ' '
      : symbolText(name, (code < 0x100 ? 0xf000 + code : code).toString(16).toUpperCase());
  }

  private nameOf(id: number): string {
    return (this.fonts.get(id)?.name ?? '').replace(/;.*$/s, '').trim();
  }

  private codePageOf(font: Font | undefined): string {
    return CODE_PAGES[font?.charset ?? -1] ?? this.documentCodePage;
  }
}
