import { createHash } from 'node:crypto';
import { lineAnchor, type Structure } from '#contracts/structure.js';
import type { PreparedAsset, PreparedImage } from './assets.js';
import type { Labels } from './labels.js';
import type { Formulas } from './math.js';
import type { CodeToken } from './code-looks.js';
import { bookmarkName, PLACE_PREFIX } from './links.js';
import type { Numbering } from './numbering.js';
import type { Settings } from './options.js';
import type { PageLayout, Sections } from './sections.js';
import type { StyleSheet } from './style-sheet.js';
import { escapeAttribute, XML_HEAD } from './xml.js';

/** Formatting of code blocks. */
interface CodeOptions {
  /** Whether lines are numbered. */
  numbered: boolean;
  /** Highlights code by language; null to format all code alike. */
  highlight: ((text: string, language: string | null) => CodeToken[][] | null) | null;
}

interface MediaFile {
  name: string;
  bytes: Uint8Array;
}

/** State shared by the writers of one document. */
export class WriteContext {
  readonly media: MediaFile[] = [];
  private readonly mediaNames = new Map<string, string>();
  private readonly bookmarks = new Map<string, string>();
  private readonly placed = new Set<string>();
  private readonly noteNumbers: Map<string, number>;
  private readonly notesMentioned = new Set<string>();
  private lastId = 0;
  /** Whether paragraphs are marked with their line in the manuscript. */
  marksPlaces = false;
  private readonly markedLines = new Set<number>();
  private readonly targets: Set<number>;
  /** Last caption number counted by Word, by label. */
  private readonly counted = new Map<string, number>();

  constructor(
    structure: Structure,
    readonly styles: StyleSheet,
    readonly numbering: Numbering,
    readonly labels: Labels,
    readonly page: PageLayout,
    readonly sections: Sections,
    readonly settings: Settings,
    private readonly assets: ReadonlyMap<string, PreparedAsset>,
    readonly formulas: Formulas,
    readonly code: CodeOptions = { numbered: false, highlight: null },
  ) {
    this.targets = new Set(structure.linked_lines);
    this.noteNumbers = new Map(structure.notes.map((note) => [note.id, note.number]));
  }

  /** Width between the margins, in twentieths of a point. */
  get textWidth(): number {
    return this.sections.textWidth;
  }

  /** Returns an ID that is unique among the document's bookmarks and drawings. */
  nextId(): number {
    return ++this.lastId;
  }

  /**
   * Returns the field switch that makes a caption counter continue with `number`; needed because authors number
   * captions themselves.
   */
  countFrom(label: string, number: number): string {
    const follows = (this.counted.get(label) ?? 0) + 1 === number;
    this.counted.set(label, number);
    return follows ? '' : `\\r ${number} `;
  }

  asset(ref: string): PreparedAsset {
    return this.assets.get(ref) ?? { missing: 'not_found' };
  }

  /** Returns a unique bookmark name: Word ignores case in bookmark names. */
  bookmark(id: string): string {
    const known = this.bookmarks.get(id);
    if (known) return known;
    let name = bookmarkName(id);
    if (this.placed.has(name.toLowerCase())) name = bookmarkName(`${id} ${this.placed.size}!`);
    this.placed.add(name.toLowerCase());
    this.bookmarks.set(id, name);
    return name;
  }

  /** Marks the next paragraph as the one that begins in this line of the manuscript; a line is marked once. */
  placeXml(line: number): string {
    const target = this.targetXml(line);
    if (!this.marksPlaces || this.markedLines.has(line)) return target;
    this.markedLines.add(line);
    const number = this.nextId();
    return `${target}<w:bookmarkStart w:id="${number}" w:name="${PLACE_PREFIX}${line}"/><w:bookmarkEnd w:id="${number}"/>`;
  }

  /** Writes the bookmark of a line to which links lead; once. */
  targetXml(line: number): string {
    return this.targets.delete(line) ? this.bookmarkXml(lineAnchor(line), '') : '';
  }

  bookmarkXml(id: string, content: string): string {
    const number = this.nextId();
    return `<w:bookmarkStart w:id="${number}" w:name="${this.bookmark(id)}"/>${content}<w:bookmarkEnd w:id="${number}"/>`;
  }

  noteNumber(id: string): number | undefined {
    return this.noteNumbers.get(id);
  }

  /** Returns true for the first reference to a note; Word repeats a note for each real reference. */
  firstMention(id: string): boolean {
    if (this.notesMentioned.has(id)) return false;
    this.notesMentioned.add(id);
    return true;
  }

  /** Stores an image, once for equal bytes, and returns its relationship ID in the referencing part. */
  embed(image: PreparedImage, rels: Relationships): string {
    return rels.add('image', `media/${this.store(image.bytes, image.extension)}`);
  }

  private store(bytes: Uint8Array, extension: string): string {
    const digest = `${createHash('sha256').update(bytes).digest('hex')}.${extension}`;
    const known = this.mediaNames.get(digest);
    if (known) return known;
    const name = `asset${this.media.length + 1}.${extension}`;
    this.mediaNames.set(digest, name);
    this.media.push({ name, bytes });
    return name;
  }
}

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
