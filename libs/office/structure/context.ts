import { withoutPrefix } from '#contracts/text.js';
import { percentDecoded } from '#contracts/lenient.js';
import type { Definition, FootnoteDefinition, Nodes } from 'mdast';
import type { AssetEntry, HeadingEntry, ImageInline, Inline, LinkInline } from '#contracts/structure.js';
import { plainText, slug, Slugger } from './text.js';

export type ImageSizes = Record<string, { width: number; height: number }>;

/** State shared by the builders of one document. */
export class BuildContext {
  readonly definitions = new Map<string, Definition>();
  readonly noteDefinitions = new Map<string, FootnoteDefinition>();
  /** Notes with a label that an earlier note has; nothing references them. */
  readonly furtherNotes: FootnoteDefinition[] = [];
  /** IDs of the referenced notes, in order of first reference. */
  readonly mentioned = new Set<string>();
  readonly headings: HeadingEntry[] = [];
  readonly assets: AssetEntry[] = [];
  /** Inside a note, references to other notes are not possible. */
  insideNote = false;
  figures = 0;
  tables = 0;
  private readonly slugger = new Slugger();
  private readonly anchors = new Set<string>();
  private readonly links: LinkInline[] = [];

  constructor(
    private readonly sizes: ImageSizes,
    private readonly source: string,
  ) {}

  /** Returns whether the marker of an ordered list's first item is `1)`, not `1.`. */
  closesWithBracket(list: Nodes): boolean {
    const start = list.position?.start.offset ?? 0;
    return /^\d{1,9}\)/.test(this.source.slice(start, start + 10));
  }

  /** Collects the definitions in a tree; the first of each label counts, as in CommonMark. */
  collectDefinitions(node: Nodes): void {
    if (node.type === 'definition' && !this.definitions.has(node.identifier))
      this.definitions.set(node.identifier, node);
    if (node.type === 'footnoteDefinition') {
      if (this.noteDefinitions.has(node.identifier)) this.furtherNotes.push(node);
      else this.noteDefinitions.set(node.identifier, node);
    }
    if ('children' in node) for (const child of node.children) this.collectDefinitions(child);
  }

  heading(level: number, content: readonly Inline[], line: number): string {
    const text = plainText(content).trim();
    const id = this.slugger.take(text);
    this.anchors.add(id);
    this.headings.push({ id, level, text, line });
    return id;
  }

  anchor(id: string): boolean {
    if (id === '' || this.anchors.has(id)) return false;
    this.anchors.add(id);
    return true;
  }

  link(url: string, title: string | null, content: Inline[]): LinkInline {
    const link: LinkInline = { type: 'link', url, anchor: null, title, content };
    if (url.startsWith('#')) this.links.push(link);
    return link;
  }

  image(
    ref: string,
    alt: string,
    title: string | null,
    line: number,
    width?: number,
    height?: number,
  ): ImageInline {
    this.assets.push({ ref, alt, line });
    const known = Object.hasOwn(this.sizes, ref) ? this.sizes[ref] : undefined;
    const ratio = known ? known.height / known.width : null;
    const wide = width ?? (height && ratio ? height / ratio : known?.width) ?? null;
    const high = height ?? (wide && ratio ? wide * ratio : null);
    return { type: 'image', ref, alt, title, width: wide, height: high };
  }

  /** Resolves the links within the document; call it when all anchors are known. */
  resolveLinks(): void {
    for (const link of this.links) link.anchor = this.resolve(link.url.slice(1));
  }

  private resolve(fragment: string): string | null {
    const decoded = percentDecoded(fragment);
    const candidates = [
      decoded,
      decoded.toLowerCase(),
      withoutPrefix(decoded, 'user-content-'),
      slug(decoded),
    ];
    return candidates.find((id) => this.anchors.has(id)) ?? null;
  }
}
