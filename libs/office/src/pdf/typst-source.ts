import { linkTarget } from '../docx/write/links.js';
import { labelsFor } from '../docx/write/labels.js';
import type { Settings } from '../docx/write/options.js';
import type {
  Block,
  ImageInline,
  Inline,
  ListBlock,
  Mark,
  Note,
  Structure,
  TableBlock,
} from '../structure/schema.js';

/** Typst sets a long block of code in quadratic time; blocks of this many lines stay fast. */
const CODE_LINES = 200;

/**
 * A document as Typst source. All words are string literals in code, never markup, so no character of them can mean
 * anything to Typst.
 *
 * @param images path of each image, by its reference
 */
export function typstSource(
  structure: Structure,
  settings: Settings,
  images: ReadonlyMap<string, string>,
): string {
  return new TypstWriter(structure, settings, images).document();
}

const MARKS: Readonly<Record<Mark, string>> = {
  bold: 'strong',
  italic: 'emph',
  strike: 'strike',
  underline: 'underline',
  subscript: 'sub',
  superscript: 'super',
  highlight: 'highlight',
  code: 'mono',
};

class TypstWriter {
  private readonly notes: Map<string, Note>;
  private readonly shown = new Set<string>();
  private readonly labelled = new Set<string>();

  constructor(
    private readonly structure: Structure,
    private readonly settings: Settings,
    private readonly images: ReadonlyMap<string, string>,
  ) {
    this.notes = new Map(structure.notes.map((note) => [note.id, note]));
    for (const heading of structure.headings) this.labelled.add(heading.id);
  }

  document(): string {
    return [
      this.preamble(),
      this.cover(),
      this.toc(),
      ...this.structure.blocks.map((block) => this.chapterBreak(block) + this.block(block)),
    ].join('\n');
  }

  private preamble(): string {
    const { title, author, language, page, numberSections } = this.settings;
    const paper = page.width === 12240 ? 'us-letter' : 'a4';
    return [
      `#set document(title: ${literal(title)}, author: ${literal(author)}, date: none)`,
      `#set page(paper: "${paper}", margin: 2.54cm, numbering: "1 / 1")`,
      `#set text(lang: ${literal(language.split('-')[0] ?? 'en')}, size: 10.5pt, font: ("Arial", "Liberation Sans", "Nimbus Sans", "DejaVu Sans", "Noto Sans CJK SC"), hyphenate: false)`,
      '#set smartquote(enabled: false)',
      '#set par(leading: 0.7em, spacing: 1.1em)',
      `#set heading(numbering: ${numberSections ? '"1.1"' : 'none'})`,
      '#show heading: set text(fill: rgb("#1F3864"))',
      '#show link: set text(fill: rgb("#0B5CAD"))',
      '#let mono(body) = text(font: ("Consolas", "DejaVu Sans Mono", "Noto Sans Mono CJK SC"), size: 0.9em, body)',
      '#let code(..parts) = block(fill: rgb("#F6F8FA"), stroke: 0.5pt + rgb("#D5DAE1"), inset: 6pt, width: 100%, breakable: true, { set par(leading: 0.5em, spacing: 0.5em); for part in parts.pos() { block(spacing: 0.5em, text(size: 8.5pt, raw(part, block: true))) } })',
      '#let bar(color, body) = block(stroke: (left: 2pt + color), inset: (left: 10pt, y: 4pt), width: 100%, body)',
    ].join('\n');
  }

  private cover(): string {
    const { cover, title, subtitle, author, date } = this.settings;
    if (!cover) return '';
    const line = (text: string, style: string): string =>
      text === '' ? '' : `#block(text(${style}, ${literal(text)}))`;
    return `#v(6cm)\n${line(title, 'size: 28pt, weight: "bold", fill: rgb("#1F3864")')}\n${line(subtitle, 'size: 15pt')}\n${line(author, 'size: 12pt')}\n${line(date, 'size: 12pt')}\n#pagebreak()`;
  }

  private toc(): string {
    if (!this.settings.toc) return '';
    return `#outline(title: ${literal(labelsFor(this.settings.language).contents)}, depth: 3, indent: auto)\n#pagebreak()`;
  }

  /** Only between the blocks of the document: Typst has no page breaks inside of others. */
  private chapterBreak(block: Block): string {
    const opens = block.type === 'heading' && block.level === 1;
    return this.settings.chaptersOnNewPages && opens ? '#pagebreak(weak: true)\n' : '';
  }

  private block(block: Block): string {
    switch (block.type) {
      case 'heading':
        return `#heading(level: ${block.level}, ${this.content(block.content)}) ${label(block.id)}`;
      case 'paragraph':
        return block.align
          ? `#align(${block.align}, ${this.content(block.content)})`
          : `#par(${this.content(block.content)})`;
      case 'code':
        return codeCall(block.text);
      case 'list':
        return `#${this.list(block)}`;
      case 'quote':
        return `#bar(rgb("#BFC7D1"), ${this.body(block.blocks)})`;
      case 'callout':
        return `#bar(rgb("#2F6FDE"), [#strong(${literal(labelsFor(this.settings.language).callout[block.kind])})\n${this.blocks(block.blocks)}])`;
      case 'table':
        return this.table(block);
      case 'figure':
        return `#figure(${this.image(block.image)}, caption: ${this.content([{ type: 'text', value: block.caption }])}) ${this.place(block.id)}`;
      case 'math':
        return codeCall(block.tex);
      case 'rule':
        return '#line(length: 100%, stroke: 0.5pt + rgb("#BFC7D1"))';
    }
  }

  private blocks(blocks: readonly Block[]): string {
    return blocks.map((block) => this.block(block)).join('\n');
  }

  private body(blocks: readonly Block[]): string {
    return `[${this.blocks(blocks)}]`;
  }

  private list(block: ListBlock): string {
    const items = block.items.map((item) => {
      const box = item.checked === null ? '' : `#${literal(item.checked ? '☒ ' : '☐ ')}`;
      const [first, ...rest] = item.blocks;
      if (first?.type !== 'paragraph') return `[${box}${this.blocks(item.blocks)}]`;
      return `[${box}#${this.content(first.content)}\n${this.blocks(rest)}]`;
    });
    return block.ordered
      ? `enum(start: ${block.start ?? 1}, ${items.join(', ')})`
      : `list(${items.join(', ')})`;
  }

  private table(block: TableBlock): string {
    const align = block.align.map((side) => side ?? 'left').join(', ');
    const rows = block.rows.map((row) => {
      const cells = row.cells.map((cell) => this.content(cell)).join(', ');
      return row.header ? `table.header(${cells})` : cells;
    });
    const table = `table(columns: ${block.align.length}, align: (${align},), stroke: 0.5pt + rgb("#BFC7D1"), ${rows.join(', ')})`;
    if (!block.caption) return `#${table}`;
    return `#figure(${table}, caption: ${this.content(block.caption)}) ${this.place(block.id ?? '')}`;
  }

  private place(id: string): string {
    if (id === '') return '';
    this.labelled.add(id);
    return label(id);
  }

  /** An expression in code mode. */
  private content(content: readonly Inline[]): string {
    const parts = content.map((inline) => this.inline(inline)).filter((part) => part !== '');
    return parts.length === 0 ? '[]' : `[${parts.map((part) => `#${part};`).join('')}]`;
  }

  private inline(inline: Inline): string {
    switch (inline.type) {
      case 'text':
        return (inline.marks ?? []).reduce(
          (inner, mark) => `${MARKS[mark]}(${inner})`,
          `text(${literal(inline.value)})`,
        );
      case 'break':
        return 'linebreak()';
      case 'link':
        return this.link(inline.url, inline.anchor, this.content(inline.content));
      case 'image':
        return `box(${this.image(inline)})`;
      case 'note_ref':
        return this.note(inline.id);
      case 'math':
        return `mono(text(${literal(inline.tex)}))`;
      case 'anchor':
        return '';
    }
  }

  private link(url: string, anchor: string | null, content: string): string {
    if (anchor !== null && this.labelled.has(anchor)) return `link(label(${literal(anchor)}), ${content})`;
    const target = linkTarget(url);
    return target === null ? content : `link(${literal(target)}, ${content})`;
  }

  private image(image: ImageInline): string {
    const path = this.images.get(image.ref);
    if (path === undefined)
      return `text(fill: rgb("#B42318"), ${literal(`[${labelsFor(this.settings.language).missingImage}: ${image.alt || image.ref}]`)})`;
    const width = image.width ? `, width: calc.min(${image.width * 0.75}, 450) * 1pt` : '';
    return `image(${literal(path)}, alt: ${literal(image.alt)}${width}, fit: "contain")`;
  }

  private note(id: string): string {
    const note = this.notes.get(id);
    if (!note) return '';
    if (this.shown.has(id)) return `super(${literal(String(note.number))})`;
    this.shown.add(id);
    return `footnote(${this.body(note.blocks)})`;
  }
}

function codeCall(text: string): string {
  const lines = text.split('\n');
  const parts: string[] = [];
  for (let at = 0; at < lines.length; at += CODE_LINES)
    parts.push(literal(lines.slice(at, at + CODE_LINES).join('\n')));
  return `#code(${parts.join(', ')})`;
}

function label(id: string): string {
  return `#label(${literal(id)})`;
}

/** A Typst string literal. */
function literal(text: string): string {
  const escaped = text
    .replace(/[\\"]/g, '\\$&')
    .replace(/\r\n?|\n/g, '\\n')
    .replaceAll('\t', '\\t')

    .replace(/[\u0000-\u001F\u007F]/g, (char) => `\\u{${char.charCodeAt(0).toString(16)}}`)
    .replace(/[\uD800-\uDFFF]/g, (char, at: number, all: string) => (isPaired(all, at) ? char : '\uFFFD'));
  return `"${escaped}"`;
}

function isPaired(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  const other = text.charCodeAt(code < 0xdc00 ? at + 1 : at - 1);
  return code < 0xdc00 ? other >= 0xdc00 && other <= 0xdfff : other >= 0xd800 && other <= 0xdbff;
}
