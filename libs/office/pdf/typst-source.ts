import { isRightToLeft, isTableRightToLeft, missingImageText } from '../docx/write/inlines.js';
import { linkTarget } from '../docx/write/links.js';
import { columnsLabel, labelsFor, type Labels } from '../docx/write/labels.js';
import { ORDERED_FORMATS } from '../docx/write/numbering.js';
import { CALLOUT_COLORS } from '../docx/write/styles.js';
import { fittedTable, needsLandscape } from '../docx/write/tables.js';
import { withIndex } from '../structure/book-index.js';
import { captionLabel } from '../structure/caption-label.js';
import { tableParts, type TablePart } from '../structure/wide-tables.js';
import { INTERNAL_LINK_PREFIX } from './join/join.js';
import { isNumbered } from '../docx/write/options.js';
import { TO_RIGHT_PAGE, typstIndex } from './typst-book.js';
import { codeCall, label, literal } from './typst-literal.js';
import { typstPreamble } from './typst-preamble.js';
import type { Settings } from '../docx/write/options.js';
import type {
  Block,
  CalloutBlock,
  HeadingBlock,
  ImageInline,
  Inline,
  ListBlock,
  Mark,
  Note,
  Structure,
  TableBlock,
} from '#contracts/structure.js';
import type { NodeCompiler } from '@myriaddreamin/typst-ts-node-compiler';
import type { MissingReason, PreparedAsset } from '../docx/write/assets.js';

/** Images of a document by reference, and formulas by TeX. */
export interface TypstParts {
  images: ReadonlyMap<string, TypstImage>;
  formulas: ReadonlyMap<string, string>;
}

/** Height reserved for a heading above a picture and its caption, in twentieths of a point. */
const HEADING_AND_CAPTION = 2_400;
/** Points per CSS pixel. */
const PIXEL = 0.75;
/** Points per twentieth of a point. */
const TWIP = 0.05;
/** Usual size of table text, in points. */
const TABLE_POINTS = 9;
const ENUM_MARKS: Readonly<Record<(typeof ORDERED_FORMATS)[number], string>> = {
  decimal: '1',
  lowerLetter: 'a',
  lowerRoman: 'i',
};

/**
 * Writes a document as Typst source. All text is in string literals in code, never markup, so no character
 * has a meaning in Typst; formulas are checked to be only math.
 */
export function typstSource(given: Structure, settings: Settings, parts: TypstParts): string {
  const { index } = labelsFor(settings.language);
  const { structure, entries } = withIndex(given, settings.book?.index ?? [], index);
  const writer = new TypstWriter(structure, settings, parts);
  const blocks = structure.blocks.map((_, at) => writer.blockOfDocument(structure.blocks, at));
  return [typstPreamble(structure, settings), ...blocks, typstIndex(entries)].join('\n');
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

/** Writes the blocks of a document in order. */
export class TypstWriter {
  private readonly notes: Map<string, Note>;
  private readonly shown = new Set<string>();
  private readonly labelled = new Set<string>();
  private readonly headings: Set<string>;
  private readonly labels: Labels;
  private isLandscape = false;
  /** Number of numbered lists around the current block. */
  private numbered = 0;

  constructor(
    structure: Structure,
    private readonly settings: Settings,
    private readonly parts: TypstParts,
    /** `anywhere` allows links to headings in other parts of the document. */
    private readonly links: 'here' | 'anywhere' = 'here',
  ) {
    this.labels = labelsFor(settings.language);
    this.notes = new Map(structure.notes.map((note) => [note.id, note]));
    this.headings = new Set(structure.headings.map(({ id }) => id));
    for (const id of this.headings) this.labelled.add(id);
  }

  /** Returns the number of footnotes written so far. */
  get notesShown(): number {
    return this.shown.size;
  }

  /** Writes a top-level block, with page breaks and landscape pages: Typst allows none inside other blocks. */
  blockOfDocument(blocks: readonly Block[], at: number): string {
    const block = blocks[at]!;
    const { page, book, chaptersOnNewPages } = this.settings;
    const breaks = chaptersOnNewPages && opensChapter(block);
    const turns = (place: number) => needsLandscape(blocks, place, page.width - 2 * page.margin);
    const goesOn = (place: number) => turns(place - 1) && turns(place) && !opensChapter(blocks[place]!);
    this.isLandscape = turns(at);
    const written = [
      breaks ? (book ? TO_RIGHT_PAGE : '#pagebreak(weak: true)') : '',
      this.isLandscape && !goesOn(at) ? '#page(flipped: true)[' : '',
      this.block(block),
      this.isLandscape && !goesOn(at + 1) ? ']' : '',
    ];
    return written.filter(Boolean).join('\n');
  }

  private block(block: Block): string {
    switch (block.type) {
      case 'heading':
        return directed(
          block.content,
          `#heading(level: ${block.level}, ${this.chapterNumber(block)}${this.content(block.content)}) ${label(block.id)}`,
        );
      case 'paragraph':
        return directed(
          block.content,
          block.align
            ? `#align(${block.align}, ${this.content(block.content)})`
            : `#par(${this.content(block.content)})`,
        );
      case 'code':
        return codeCall(block.text, this.settings.codeColors ? block.language : null);
      case 'list':
        return `#${this.list(block)}`;
      case 'quote':
        return `#bar(rgb("#BFC7D1"), ${this.body(block.blocks)})`;
      case 'callout':
        return this.callout(block);
      case 'table':
        return this.table(block);
      case 'figure': {
        const caption: Inline[] = [{ type: 'text', value: block.caption }];
        const options = this.figureOptions(caption, block.number, this.labels.figure);
        return `#figure(${this.image(block.image)}, kind: image, ${options}) ${this.place(block.id)}`;
      }
      case 'math':
        return this.math(block.tex, true) ?? codeCall(block.tex);
      case 'rule':
        return '#line(length: 100%, stroke: 0.5pt + rgb("#BFC7D1"))';
    }
  }

  /** Numbers a chapter of a book; in a report, the setting of all headings applies. */
  private chapterNumber(block: HeadingBlock): string {
    return this.settings.book && isNumbered(this.settings, block) ? 'numbering: "1", ' : '';
  }

  private blocks(blocks: readonly Block[]): string {
    return blocks.map((block) => this.block(block)).join('\n');
  }

  private body(blocks: readonly Block[]): string {
    return `[${this.blocks(blocks)}]`;
  }

  /** Writes the text of a note. Its first paragraph has no `par`, which would begin below the number of the note. */
  private noteBody(blocks: readonly Block[]): string {
    const [first, ...others] = blocks;
    if (first?.type !== 'paragraph' || isRightToLeft(first.content)) return this.body(blocks);
    return `[#${this.content(first.content)}\n\n${this.blocks(others)}]`;
  }

  private callout(block: CalloutBlock): string {
    const [, color = '', fill = ''] =
      CALLOUT_COLORS.find(([kind]) => kind.toLowerCase() === block.kind) ?? [];
    const title = `#strong(text(fill: rgb("#${color}"), ${literal(this.labels.callout[block.kind])}))`;
    return `#bar(rgb("#${color}"), fill: rgb("#${fill}"), [${title}\n${this.blocks(block.blocks)}])`;
  }

  private list(block: ListBlock): string {
    const task = !block.ordered && block.items.some((item) => item.checked !== null);
    const depth = this.numbered;
    if (block.ordered) this.numbered++;
    const items = block.items.map((item) => {
      // The checkbox replaces a task's bullet; other items among tasks keep theirs.
      const mark = item.checked === null ? (task ? '• ' : '') : item.checked ? '☒ ' : '☐ ';
      const box = mark === '' ? '' : `#${literal(mark)};`;
      const [first, ...rest] = item.blocks;
      if (first?.type !== 'paragraph') return `[${box}${this.blocks(item.blocks)}]`;
      return `[${box}#${this.content(first.content)}\n${this.blocks(rest)}]`;
    });
    this.numbered = depth;
    const [first] = block.items[0]?.blocks ?? [];
    const list = block.ordered
      ? `enum(start: ${block.start ?? 1}, numbering: "${enumMark(depth)}${block.delimiter ?? '.'}", ${items.join(', ')})`
      : `list(${task ? 'marker: [], body-indent: 0pt, ' : ''}${items.join(', ')})`;
    return first?.type === 'paragraph' && isRightToLeft(first.content) ? `right-to-left(${list})` : list;
  }

  private table(block: TableBlock): string {
    const parts = tableParts(block);
    const tables = parts.map((part) => this.tablePart(part));
    const [only] = tables;
    const isWhole = parts.length === 1 && only !== undefined;
    const rest = tables.map((table, i) => this.partName(parts[i]) + `#${table}`).join('\n');
    if (!block.caption) return rest;
    const options = this.figureOptions(block.caption, block.number, this.labels.table);
    const figure = `#[#set figure.caption(position: top)\n#figure(${isWhole ? only : '[]'}, kind: table, ${options}) ${this.place(block.id ?? '')}]`;
    return isWhole ? figure : `${figure}\n${rest}`;
  }

  private partName(part: TablePart | undefined): string {
    if (!part || part.last - part.first + 1 === part.all) return '';
    return `#par(emph(${literal(columnsLabel(this.labels, part))}))\n`;
  }

  private tablePart({ table }: TablePart): string {
    const { width, height, margin } = this.settings.page;
    const fitted = fittedTable(table, (this.isLandscape ? height : width) - 2 * margin, true);
    const widths = fitted.widths.map((twips) => `${(twips * TWIP).toFixed(1)}pt`);
    const align = table.align.map((side) => side ?? 'start').join(', ');
    const cellsOf = (row: TableBlock['rows'][number], head: boolean): string =>
      row.cells
        .map((cell) => {
          const content = head ? `head(${this.content(cell)})` : this.content(cell);
          return isRightToLeft(cell) ? `right-to-left(${content})` : content;
        })
        .join(', ');
    const heads = table.rows.findIndex((row) => !row.header);
    const count = heads < 0 ? table.rows.length : heads;
    const head = table.rows.slice(0, count).map((row) => cellsOf(row, true));
    const body = table.rows.slice(count).map((row) => cellsOf(row, row.header));
    const rows = [...(head.length > 0 ? [`table.header(${head.join(', ')})`] : []), ...body];
    const set = `table(columns: (${widths.join(', ')},), align: (${align},), inset: (x: 5pt, y: 3pt), stroke: 0.5pt + rgb("#BFC7D1"), fill: (_, y) => if y < ${count} { rgb("#E4EAF4") }, ${rows.join(', ')})`;
    const sized = `{ show table.cell: set text(size: ${(TABLE_POINTS * fitted.letters).toFixed(1)}pt); show table.cell: set par(justify: false); ${set} }`;
    return isTableRightToLeft(table) ? `right-to-left(${sized})` : sized;
  }

  /** Returns caption and number of a figure or table; the author's own label is unchanged. */
  private figureOptions(caption: readonly Inline[], number: number | null, word: string): string {
    const content = `caption: ${this.content(caption)}`;
    return captionLabel(caption) === null
      ? `supplement: ${literal(word)}, numbering: (..) => "${number ?? 1}", ${content}`
      : `supplement: none, numbering: none, ${content}`;
  }

  private place(id: string): string {
    if (id === '') return '';
    this.labelled.add(id);
    return label(id);
  }

  /** Writes inline content as an expression in code mode. */
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
        return this.math(inline.tex, false) ?? `mono(text(${literal(inline.tex)}))`;
      case 'anchor':
        return `[#metadata(none) ${this.place(inline.id)}]`;
    }
  }

  private link(url: string, anchor: string | null, content: string): string {
    if (anchor !== null && this.links === 'anywhere')
      return this.headings.has(anchor)
        ? `link(${literal(INTERNAL_LINK_PREFIX + encodeURIComponent(anchor))}, ${content})`
        : content;
    if (anchor !== null && this.labelled.has(anchor)) return `link(label(${literal(anchor)}), ${content})`;
    const target = linkTarget(url);
    return target === null ? content : `link(${literal(target)}, ${content})`;
  }

  /** Sets the width to the natural one or the document's, limited by the page. */
  private image(image: ImageInline): string {
    const found = this.parts.images.get(image.ref) ?? { missing: 'not_found' };
    if ('missing' in found)
      return `emph(text(size: 9pt, weight: "regular", fill: rgb("#595959"), ${literal(missingImageText(image, found.missing, this.labels))}))`;
    const { width, height, margin } = this.settings.page;
    const ratio = found.height / found.width;
    const room = (height - 2 * margin - HEADING_AND_CAPTION) * TWIP;
    const requestedWidth = image.width ? image.width * PIXEL : found.width;
    const points = Math.min(requestedWidth, (width - 2 * margin) * TWIP, room / ratio);
    const shown = `image(${literal(found.path)}, alt: ${literal(image.alt)}, width: ${points.toFixed(1)}pt)`;
    // As in HTML, a picture without a description is decoration, which screen readers pass over.
    return image.alt.trim() === '' ? `pdf.artifact(${shown})` : shown;
  }

  /** Returns null if Typst cannot set the formula. */
  private math(tex: string, display: boolean): string | null {
    const math = this.parts.formulas.get(tex);
    if (math === undefined) return null;
    const spoken = `set math.equation(alt: ${literal(tex)})`;
    return display ? `#{ ${spoken}; $ ${math} $ }` : `{ ${spoken}; $${math.trim()}$ }`;
  }

  private note(id: string): string {
    const note = this.notes.get(id);
    if (!note) return '';
    if (this.shown.has(id)) return `super(${literal(String(note.number))})`;
    this.shown.add(id);
    return `footnote(${this.noteBody(note.blocks)})`;
  }
}

export const opensChapter = (block: Block): boolean => block.type === 'heading' && block.level === 1;

function enumMark(depth: number): string {
  return ENUM_MARKS[ORDERED_FORMATS[depth % ORDERED_FORMATS.length] ?? 'decimal'];
}

/** Writes a block in the direction of its first letter. */
function directed(content: readonly Inline[], block: string): string {
  return isRightToLeft(content) ? `#right-to-left[${block}]` : block;
}

/** Image in Typst's file system with its natural size in points, or the reason why it is missing. */
type TypstImage = { path: string; width: number; height: number } | { missing: MissingReason };

/** Points per CSS pixel. */
const POINTS = 0.75;

/** Passes the images of a document to the compiler, by reference. */
export function typstImages(
  assets: ReadonlyMap<string, PreparedAsset>,
  compiler: NodeCompiler,
): Map<string, TypstImage> {
  const images = new Map<string, TypstImage>();
  for (const [ref, asset] of assets) {
    if ('missing' in asset) {
      images.set(ref, asset);
      continue;
    }
    const path = `/scriptorium-assets/image${images.size}.${asset.extension}`;
    compiler.mapShadow(path, Buffer.from(asset.bytes));
    images.set(ref, { path, width: asset.width * POINTS, height: asset.height * POINTS });
  }
  return images;
}
