import { isImageName } from './file-kinds.js';

/** An image that was taken out of a document. The text refers to it by this name. */
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

/** Collects the images of one document and names them after it: `report.docx.image1.png`. */
export class EmbeddedImages {
  readonly found: EmbeddedImage[] = [];
  private count = 0;
  private bytes = 0;

  constructor(private readonly fileName: string) {}

  /**
   * @param content null when the bytes cannot be had
   * @returns the name to refer to. An image that no document can show is not kept, so that a person is asked for it.
   */
  add(content: Uint8Array | null, ending: string): string {
    const name = `${this.fileName}.image${++this.count}.${ending.toLowerCase()}`;
    this.bytes += content?.length ?? 0;
    const fits = this.found.length < LIMITS.images && this.bytes <= LIMITS.bytes;
    if (content !== null && content.length > 0 && fits && isImageName(name))
      this.found.push({ name, bytes: content });
    return name;
  }

  /** @returns the name of an image in base64; null for a kind that is no image */
  addBase64(mediaType: string, base64: string): string | null {
    const ending = ENDINGS[mediaType.toLowerCase()];
    return ending === undefined ? null : this.add(Buffer.from(base64, 'base64'), ending);
  }

  /** @returns the name of an image that stands in its own address; null when it is none */
  addDataUri(uri: string): string | null {
    const [head, mediaType = ''] = DATA_URI.exec(uri) ?? [];
    if (head === undefined) return null;
    const ending = ENDINGS[mediaType.toLowerCase()];
    if (ending === undefined) return null;
    if (/;base64,$/i.test(head)) return this.addBase64(mediaType, uri.slice(head.length));
    return this.add(new TextEncoder().encode(decoded(uri.slice(head.length))), ending);
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Whether a reference means an image that was taken out of this very file. */
export function isEmbeddedIn(fileName: string, ref: string): boolean {
  const name = decoded(ref);
  return name.startsWith(`${fileName}.image`) && /^\d+\.[a-z]+$/.test(name.slice(fileName.length + 6));
}
