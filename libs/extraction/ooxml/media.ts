import { unpack } from '../archive.js';
import type { EmbeddedImages } from '../embedded-images.js';
import type { Relationship } from '../ooxml/package.js';

/** Pictures of an Office file, by the relationships used in its text. */
export class PackageMedia {
  private readonly names = new Map<string, string>();
  private files: Map<string, Uint8Array> | null = null;

  constructor(
    private readonly bytes: Uint8Array,
    private readonly fileName: string,
    private readonly images: EmbeddedImages,
  ) {}

  /**
   * Returns the file name of a picture, one per picture even if used several times; null for one that is not in
   * the file.
   */
  name(relationship: Relationship | undefined): string | null {
    if (relationship === undefined || relationship.isExternal) return null;
    const { target } = relationship;
    const known = this.names.get(target);
    if (known !== undefined) return known;
    const name = this.images.add(this.read(target), /\.([a-z0-9]+)$/i.exec(target)?.[1] ?? 'bin');
    this.names.set(target, name);
    return name;
  }

  private read(target: string): Uint8Array | null {
    this.files ??= this.unpackMedia();
    return this.files.get(target) ?? null;
  }

  private unpackMedia(): Map<string, Uint8Array> {
    try {
      return unpack(this.bytes, (name) => name.includes('/media/'), this.fileName);
    } catch {
      // The pictures exceed the archive limits; a person is asked for them.
      return new Map();
    }
  }
}
