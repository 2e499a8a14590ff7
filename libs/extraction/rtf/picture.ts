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
