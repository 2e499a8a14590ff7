import { baseName, folderOf } from '#contracts/source-name.js';
import {
  lineAnchor,
  type Block,
  type Inline,
  type Structure,
  type TextInline,
} from '#contracts/structure.js';
import { percentDecoded } from '#contracts/lenient.js';
import { fileAddress } from './file-address.js';
import { slug } from './text.js';

/** A source and the first line of the manuscript (from 1) that carries it. */
export interface SourceStart {
  name: string;
  line: number;
  /** Lines of the manuscript by the lines of the source that are linked to, such as `#L12`. */
  places?: Readonly<Record<number, number>>;
}

/** Matches what may be the last word of a file name, with the full stop of a sentence. */
const WORD = /[\p{L}\p{N}_.-]+/gu;
/** Fragment that names a line of a source. */
const LINE = /^L(\d{1,9})/;
/** Matches a text whose end continues a file name. */
const IN_NAME = /[\p{L}\p{N}_./-]$/u;

/**
 * Turns links from one source to another, and mentions of another source's name, into links to the heading under which
 * the other source begins. The address that stood for a link without a target is removed.
 *
 * @param structure changed in place; unchanged without headings
 * @returns the structure
 */
export function linkSources(structure: Structure, sources: readonly SourceStart[]): Structure {
  if (sources.length > 0 && structure.headings.length > 0) new SourceLinker(structure, sources).link();
  return structure;
}

/** Returns the line with the bookmark for a line: itself in code and tables, else that of its paragraph; null outside of blocks. */
function linkedLine(blocks: readonly Block[], line: number): number | null {
  const block = blocks.findLast((own) => own.line <= line && line <= own.end_line);
  if (block === undefined) return null;
  if (block.type === 'code' || block.type === 'table') return Math.max(line, block.line);
  const inner = block.type === 'list' ? block.items.flatMap((item) => item.blocks) : [];
  return linkedLine('blocks' in block ? block.blocks : inner, line) ?? block.line;
}

class SourceLinker {
  private readonly starts: readonly SourceStart[];
  private readonly byName: ReadonlyMap<string, SourceStart>;
  private readonly byBaseName = new Map<string, SourceStart[]>();
  /** Lengths of the names that end with a word, with their folders and without. */
  private readonly lengths = new Map<string, Set<number>>();
  /** Source of the block that is read. */
  private own: SourceStart | undefined;

  constructor(
    private readonly structure: Structure,
    sources: readonly SourceStart[],
  ) {
    this.starts = [...sources].sort((a, b) => a.line - b.line);
    this.byName = new Map(sources.map((source) => [source.name, source]));
    for (const source of sources) {
      const word = source.name.match(WORD)?.at(-1);
      // A name without a dot may be any word.
      if (!word?.includes('.')) continue;
      const base = baseName(source.name);
      const same = this.byBaseName.get(base);
      if (same) same.push(source);
      else this.byBaseName.set(base, [source]);
      const lengths = this.lengths.get(word) ?? new Set();
      this.lengths.set(word, lengths.add(source.name.length).add(base.length));
    }
  }

  link(): void {
    this.blocks(this.structure.blocks);
    for (const { blocks } of this.structure.notes) this.blocks(blocks);
  }

  private blocks(blocks: readonly Block[]): void {
    for (const block of blocks) {
      this.own = this.starts.findLast(({ line }) => line <= block.line) ?? this.starts[0];
      if (block.type === 'paragraph') block.content = this.inlines(block.content);
      else if (block.type === 'table')
        for (const row of block.rows) row.cells = row.cells.map((cell) => this.inlines(cell));
      else if (block.type === 'list') for (const item of block.items) this.blocks(item.blocks);
      else if ('blocks' in block) this.blocks(block.blocks);
    }
  }

  private inlines(content: readonly Inline[]): Inline[] {
    let address: string | null = null;
    return content.flatMap((inline): Inline[] => {
      const shown = address;
      address = null;
      if (inline.type === 'link' && inline.anchor === null) {
        const target = this.targetOf(inline.url);
        if (target === null) return [inline];
        address = fileAddress(inline);
        return [{ ...inline, anchor: target }];
      }
      if (inline.type !== 'text') return [inline];
      const told = shown === null ? '' : ` (${shown})`;
      return this.mentions({
        ...inline,
        value: inline.value.slice(inline.value.startsWith(told) ? told.length : 0),
      });
    });
  }

  /** Returns the anchor of the source to which a relative address leads. */
  private targetOf(url: string): string | null {
    const [path = '', fragment = ''] = url.split('#', 2);
    const parts =
      `${path.startsWith('/') ? '' : folderOf(this.own?.name ?? '')}${percentDecoded(path)}`.split('/');
    const kept: string[] = [];
    for (const part of parts)
      if (part === '..') {
        if (kept.pop() === undefined) return null;
      } else if (part !== '.' && part !== '') kept.push(part);
    const source = path === '' ? undefined : this.byName.get(kept.join('/'));
    return source ? this.anchorOf(source, fragment) : null;
  }

  /** Returns the heading under which a source begins, or the heading or line in it that a fragment names. */
  private anchorOf({ line, places }: SourceStart, fragment = ''): string {
    const { headings } = this.structure;
    const place = places?.[Number(LINE.exec(fragment)?.[1])];
    const linked = place === undefined ? null : linkedLine(this.structure.blocks, place);
    if (linked !== null) {
      (this.structure.linked_lines ??= []).push(linked);
      return lineAnchor(linked);
    }
    const end = this.starts.find((next) => next.line > line)?.line ?? Infinity;
    const words = slug(percentDecoded(fragment));
    const named = headings.find((own) => own.line >= line && own.line < end && slug(own.text) === words);
    return (named ?? headings.findLast((own) => own.line <= line) ?? headings[0]!).id;
  }

  /** Returns a text with links in place of the names of other sources. */
  private mentions(text: TextInline): Inline[] {
    const { value } = text;
    const parts: Inline[] = [];
    let done = 0;
    const add = (end: number) => end > done && parts.push({ ...text, value: value.slice(done, end) });
    for (const { 0: found, index } of value.matchAll(WORD)) {
      const word = found.endsWith('.') ? found.slice(0, -1) : found;
      const end = index + word.length;
      const source = this.named(value.slice(done, end), word);
      if (!source) continue;
      const [name, { line }] = source;
      if (line === this.own?.line) continue;
      add(end - name.length);
      const content = [{ ...text, value: name }];
      parts.push({ type: 'link', url: name, anchor: this.anchorOf(source[1]), title: null, content });
      done = end;
    }
    add(value.length);
    return parts;
  }

  /** Returns the source whose name ends a text, as it is written there: with its folders, or without if it is the only one. */
  private named(text: string, lastWord: string): [string, SourceStart] | null {
    const names = [...(this.lengths.get(lastWord) ?? [])]
      .sort((a, b) => b - a)
      .filter((length) => !IN_NAME.test(text.slice(0, -length).slice(-1)))
      .map((length) => text.slice(-length));
    const folder = folderOf(this.own?.name ?? '');
    const near = (name: string) => {
      const [only, ...others] = this.byBaseName.get(name) ?? [];
      return others.length > 0 ? this.byName.get(`${folder}${name}`) : only;
    };
    for (const find of [(name: string) => this.byName.get(name), near])
      for (const name of names) {
        const source = find(name);
        if (source) return [name, source];
      }
    return null;
  }
}
