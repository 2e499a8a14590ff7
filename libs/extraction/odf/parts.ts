import { unpack } from '../archive.js';
import type { EmbeddedImages } from '../embedded-images.js';
import { ExtractionError } from '../errors.js';
import { xmlOf } from '../xml.js';
import { OdfStyles } from './styles.js';

const TEXT_PART = /\.xml$/i;

/** The parts of an OpenDocument file. */
export class OdfParts {
  private readonly parts: Map<string, Uint8Array>;
  private pictures: Map<string, Uint8Array> | null = null;
  private readonly names = new Map<string, string>();

  /** @throws ExtractionError for a damaged, oversized or encrypted file, and for one without content */
  constructor(
    private readonly bytes: Uint8Array,
    private readonly fileName: string,
    private readonly images: EmbeddedImages,
  ) {
    this.parts = unpack(bytes, (name) => TEXT_PART.test(name), fileName);
    if (this.text('META-INF/manifest.xml')?.includes('encryption-data'))
      throw new ExtractionError(`${fileName} is protected by a password; save it without one`);
    if (!this.parts.has('content.xml')) throw new ExtractionError(`${fileName} is no OpenDocument file`);
  }

  text(path: string): string | null {
    const part = this.parts.get(path);
    return part ? xmlOf(part) : null;
  }

  /** Returns the content of an embedded object; null if it is none of OpenDocument. @param address such as `./Object 1` */
  object(address: string): string | null {
    return this.text(`${pathOf(address)}/content.xml`);
  }

  /** Returns the styles of an embedded object; null if it has none. */
  objectStyles(address: string): OdfStyles | null {
    const styles = new OdfStyles();
    const content = this.object(address);
    if (content === null) return null;
    styles.read(content);
    return styles;
  }

  /** Returns the name of a picture in the file, one per picture; null for one that is elsewhere. */
  picture(address: string): string | null {
    const path = pathOf(address);
    const known = this.names.get(path);
    if (known !== undefined) return known;
    this.pictures ??= this.unpackPictures();
    const bytes = this.pictures.get(path);
    if (bytes === undefined && /^[a-z]+:|^\.\.\//i.test(address)) return null;
    const name = this.images.add(bytes ?? null, /\.([a-z0-9]+)$/i.exec(path)?.[1] ?? 'bin');
    this.names.set(path, name);
    return name;
  }

  private unpackPictures(): Map<string, Uint8Array> {
    try {
      return unpack(
        this.bytes,
        (name) => name.startsWith('Pictures/') || name.startsWith('media/'),
        this.fileName,
      );
    } catch {
      // The pictures exceed the archive limits; a person is asked for them.
      return new Map();
    }
  }
}

const pathOf = (address: string) => address.replace(/^\.\//, '').replace(/\/$/, '');
