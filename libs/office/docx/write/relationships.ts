import { escapeAttribute, XML_HEAD } from './xml.js';

const BASE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006/relationships';

type RelationshipKind =
  | 'styles'
  | 'numbering'
  | 'settings'
  | 'fontTable'
  | 'footnotes'
  | 'header'
  | 'footer'
  | 'theme'
  | 'image'
  | 'hyperlink';

/** Relationships of one part of the package; equal targets share an ID, IDs count up. */
export class Relationships {
  private readonly ids = new Map<string, string>();
  private readonly entries: string[] = [];

  /** @returns the ID of the relationship, such as `rId1` */
  add(kind: RelationshipKind, target: string): string {
    const key = `${kind} ${target}`;
    const known = this.ids.get(key);
    if (known) return known;
    const id = `rId${this.ids.size + 1}`;
    const mode = kind === 'hyperlink' ? ' TargetMode="External"' : '';
    this.ids.set(key, id);
    this.entries.push(
      `<Relationship Id="${id}" Type="${BASE}/${kind}" Target="${escapeAttribute(target)}"${mode}/>`,
    );
    return id;
  }

  get empty(): boolean {
    return this.entries.length === 0;
  }

  xml(): string {
    return `${XML_HEAD}<Relationships xmlns="${PACKAGE}">${this.entries.join('')}</Relationships>`;
  }
}
