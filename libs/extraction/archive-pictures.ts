import { unpack } from './archive.js';
import type { EmbeddedImages } from './embedded-images.js';

/** The pictures of a ZIP archive. They are unpacked when the text shows the first one. */
export class ArchivePictures {
  private readonly names = new Map<string, string>();
  private files: Map<string, Uint8Array> | null = null;

  /** @param isPicture whether a path of the archive is unpacked */
  constructor(
    private readonly bytes: Uint8Array,
    private readonly fileName: string,
    private readonly images: EmbeddedImages,
    private readonly isPicture: (path: string) => boolean,
  ) {}

  has(path: string): boolean {
    return this.unpacked().has(path);
  }

  /** Returns the file name of a picture, one per picture even if it is used, or missing, several times. */
  name(path: string): string {
    const known = this.names.get(path);
    if (known !== undefined) return known;
    const bytes = this.unpacked().get(path) ?? null;
    const name = this.images.add(bytes, /\.([a-z0-9]+)$/i.exec(path)?.[1] ?? 'bin');
    this.names.set(path, name);
    return name;
  }

  private unpacked(): Map<string, Uint8Array> {
    this.files ??= this.unpack();
    return this.files;
  }

  private unpack(): Map<string, Uint8Array> {
    try {
      return unpack(this.bytes, this.isPicture, this.fileName);
    } catch {
      // The pictures exceed the archive limits; a person is asked for them.
      return new Map();
    }
  }
}
