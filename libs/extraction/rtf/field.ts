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
    this.hex.push(text.replace(/\s+/g, ''));
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
