import { withoutEnding, withoutPrefix } from '#contracts/text.js';
import { phrase } from '#contracts/phrases/phrase.js';
import { unpack } from '../archive.js';
import { ArchivePictures } from '../archive-pictures.js';
import type { EmbeddedImages } from '../embedded-images.js';
import { ExtractionError } from '../errors.js';
import { xmlOf } from '../xml.js';
import { OdfStyles } from './styles.js';

const TEXT_PART = /\.xml$/i;

/** The parts of an OpenDocument file. */
export class OdfParts {
  private readonly parts: Map<string, Uint8Array>;
  private readonly pictures: ArchivePictures;

  /** @throws ExtractionError for a damaged, oversized or encrypted file, and for one without content */
  constructor(bytes: Uint8Array, fileName: string, images: EmbeddedImages) {
    this.pictures = new ArchivePictures(bytes, fileName, images, isPicture);
    this.parts = unpack(bytes, (name) => TEXT_PART.test(name), fileName);
    if (this.text('META-INF/manifest.xml')?.includes('encryption-data'))
      throw new ExtractionError(phrase('unreadable.password', { name: fileName }));
    if (!this.parts.has('content.xml'))
      throw new ExtractionError(
        phrase('unreadable.not', { name: fileName, kind: phrase('file_kind.opendocument') }),
      );
  }

  text(path: string): string | null {
    const part = this.parts.get(path);
    return part ? xmlOf(part) : null;
  }

  /** Returns the content of an embedded object; null for other formats. @param address such as `./Object 1` */
  object(address: string): string | null {
    return this.text(`${pathOf(address)}/content.xml`);
  }

  /** Returns the styles of an embedded object; null for other formats. */
  objectStyles(address: string): OdfStyles | null {
    const styles = new OdfStyles();
    const content = this.object(address);
    if (content === null) return null;
    styles.read(content);
    return styles;
  }

  /** Returns the name of a picture in the file; null for pictures elsewhere. */
  picture(address: string): string | null {
    const path = pathOf(address);
    const isElsewhere = /^[a-z]+:|^\.\.\//i.test(address) && !this.pictures.has(path);
    return isElsewhere ? null : this.pictures.name(path);
  }
}

const isPicture = (name: string) => name.startsWith('Pictures/') || name.startsWith('media/');
const pathOf = (address: string) => withoutEnding(withoutPrefix(address, './'), '/');
