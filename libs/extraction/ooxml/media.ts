import { ArchivePictures } from '../archive-pictures.js';
import type { EmbeddedImages } from '../embedded-images.js';
import type { Relationship } from '../ooxml/package.js';

/** Pictures of an Office file, by the relationships used in its text. */
export class PackageMedia {
  private readonly pictures: ArchivePictures;

  constructor(bytes: Uint8Array, fileName: string, images: EmbeddedImages) {
    this.pictures = new ArchivePictures(bytes, fileName, images, (name) => name.includes('/media/'));
  }

  /** Returns the file name of a picture; null for pictures outside the file. */
  name(relationship: Relationship | undefined): string | null {
    if (relationship === undefined || relationship.isExternal) return null;
    return this.pictures.name(relationship.target);
  }
}
