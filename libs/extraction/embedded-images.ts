import { percentDecoded } from '#contracts/lenient.js';
import { isImageName } from '#contracts/file-kinds.js';

/** Image extracted from a document. The text refers to it by its name. */
export interface EmbeddedImage {
  name: string;
  bytes: Uint8Array;
}

const LIMITS = { images: 500, bytes: 64 * 1024 * 1024 };
const ENDINGS: Record<string, string> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/gif': 'gif',
  'image/webp': 'webp',
  'image/bmp': 'bmp',
  'image/svg+xml': 'svg',
};
const DATA_URI = /^data:([a-z]+\/[a-z0-9.+-]+)[^,]{0,200},/i;

/**
 * Collects the images of one document and derives their names from the document's: `report.docx.image1.png`.
 */
export class EmbeddedImages {
  readonly found: EmbeddedImage[] = [];
  /** Whether the document has no text, only images; it may be set only if `areRead`. */
  hasOnlyImages = false;
  private count = 0;
  private bytes = 0;

  /** @param areRead whether OCR reads the images afterwards, so that a document needs no text */
  constructor(
    private readonly fileName: string,
    readonly areRead = false,
  ) {}

  /** Whether another image can be stored. */
  get hasRoom(): boolean {
    return this.found.length < LIMITS.images && this.bytes < LIMITS.bytes;
  }

  /**
   * Adds an image. If no document can show it, it is not stored, and a person is asked for it.
   *
   * @param content null if the bytes are not available
   * @returns the image's name for references in the text
   */
  add(content: Uint8Array | null, ending: string): string {
    const name = `${this.fileName}.image${++this.count}.${ending.toLowerCase()}`;
    this.bytes += content?.length ?? 0;
    const fits = this.found.length < LIMITS.images && this.bytes <= LIMITS.bytes;
    if (content !== null && content.length > 0 && fits && isImageName(name))
      this.found.push({ name, bytes: content });
    return name;
  }

  /** @returns the name of a base64-encoded image; null if the media type is not an image */
  addBase64(mediaType: string, base64: string): string | null {
    const ending = ENDINGS[mediaType.toLowerCase()];
    return ending === undefined ? null : this.add(Buffer.from(base64, 'base64'), ending);
  }

  /** @returns the name of the image in a data URI; null if the URI contains none */
  addDataUri(uri: string): string | null {
    const [head, mediaType = ''] = DATA_URI.exec(uri) ?? [];
    if (head === undefined) return null;
    const ending = ENDINGS[mediaType.toLowerCase()];
    if (ending === undefined) return null;
    if (/;base64,$/i.test(head)) return this.addBase64(mediaType, uri.slice(head.length));
    return this.add(new TextEncoder().encode(percentDecoded(uri.slice(head.length))), ending);
  }
}
