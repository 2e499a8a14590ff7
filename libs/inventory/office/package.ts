import { posix } from 'node:path';
import { localName, rootName, walkXml, xmlText } from '../xml.js';
import { unzipParts } from '../zip.js';

/** Reference from a part of a package to another part, or to an address outside. */
interface PartReference {
  /** Last part of the type's URI, such as `header`. */
  type: string;
  target: string;
  isExternal: boolean;
}

/** Parts without text for readers: pictures, fonts, properties. */
const UNREAD =
  /\.(?:png|jpe?g|gif|bmp|tiff?|emf|wmf|svg|wdp|odttf|ttf|otf|fntdata|mp[34g]|avi|mov|wav|vml)$/i;

/** An Office file (Word, Excel, PowerPoint): its parts, and how they refer to each other. */
export class OfficePackage {
  private readonly parts: Map<string, Uint8Array>;

  /** @throws InventoryError for a damaged or oversized file */
  constructor(bytes: Uint8Array) {
    this.parts = unzipParts(bytes, (name) => !UNREAD.test(name));
  }

  bytes(path: string): Uint8Array | undefined {
    return this.parts.get(path);
  }

  text(path: string): string {
    const part = this.parts.get(path);
    return part ? xmlText(part) : '';
  }

  /** Returns the XML parts that other parts refer to, by the local name of their root element; main part first. */
  shownParts(): { path: string; root: string }[] {
    const paths = new Set<string>();
    const pending = this.targets('');
    for (let path = pending.shift(); path !== undefined; path = pending.shift()) {
      if (paths.has(path) || !this.parts.has(path)) continue;
      paths.add(path);
      pending.push(...this.targets(path));
    }
    return [...paths]
      .filter((path) => /\.(?:xml|rels)$/i.test(path) || rootName(this.text(path)) !== '')
      .map((path) => ({ path, root: rootName(this.text(path)) }));
  }

  private targets(path: string): string[] {
    return [...this.references(path).values()].flatMap(({ target, isExternal }) =>
      isExternal ? [] : [target],
    );
  }

  /** Returns the references of a part by their IDs; '' is the package itself. */
  references(path: string): Map<string, PartReference> {
    const folder = posix.dirname(path);
    const xml = this.text(
      path === '' ? '_rels/.rels' : posix.join(folder, '_rels', `${posix.basename(path)}.rels`),
    );
    const found = new Map<string, PartReference>();
    if (xml === '') return found;
    walkXml(xml, {
      open: (name, { Id = '', Type = '', Target = '', TargetMode }) => {
        if (localName(name) !== 'Relationship') return;
        const isExternal = TargetMode === 'External';
        const inside = posix.normalize(Target.startsWith('/') ? Target.slice(1) : posix.join(folder, Target));
        found.set(Id, {
          type: Type.slice(Type.lastIndexOf('/') + 1),
          target: isExternal ? Target : inside,
          isExternal,
        });
      },
      close: () => undefined,
    });
    return found;
  }
}
