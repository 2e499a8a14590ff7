import type {
  Block,
  CalloutBlock,
  CodeBlock,
  FigureBlock,
  HeadingBlock,
  Inline,
  ListBlock,
  ParagraphBlock,
} from '#contracts/structure.js';
import { INDEX_ID } from '../../structure/book-index.js';
import { captionLabel, removeLabel } from '../../structure/caption-label.js';
import { tableParts, type TablePart } from '../../structure/wide-tables.js';
import { plainText } from '../../structure/text.js';
import type { WriteContext, Relationships } from './context.js';
import { columnsLabel } from './labels.js';
import { field, InlineWriter, isRightToLeft } from './inlines.js';
import { BOOK_INDENT, SECTION_END } from './book-styles.js';
import { isNumbered } from './options.js';
import { HANGING, LAST_LEVEL, levelIndent, Numbering } from './numbering.js';
import { barXml, extraXml, type ParagraphExtra } from './paragraph-properties.js';
import { needsLandscape, tableXml } from './tables.js';
import {
  CODE_INSET,
  CODE_LOOKS,
  CODE_SIZES,
  TAB_COLUMNS,
  type CodeSize,
  type CodeToken,
} from './code-looks.js';
import { runText } from './xml.js';

/** Position of a block. Lengths are in twentieths of a point. */
interface Place {
  /** Style of the block's paragraphs. */
  style: string;
  /** Text indent from the margin; null uses the style's. */
  indent: number | null;
  /** Number of enclosing lists; `numbered` counts the numbered ones among them. */
  depth: number;
  numbered: number;
  /** Position of the bar of the enclosing quote or callout. */
  bar?: number;
}

/** Left indent of text in quotes and callouts, and the further indent per nesting level. */
const QUOTE_INDENT = 340;
/** Maximum indent, so that deeply nested text still has enough width. */
const MAX_INDENT = 5400;

/** Number of lines of code that are joined together. */
const JOINED_LINES = 1_000;

/** Maximum number of items of a list that stays between its heading and the next paragraph, such as the head of a mail. */
const SHORT_LIST = 8;

/** Space after a list: items are set closer than paragraphs, the next block as after a paragraph. */
const AFTER_LIST = 140;

/** Returns the height of a heading with its surrounding space; long headings may take two lines. */
function headingRoom(heading: HeadingBlock): number {
  return plainText(heading.content).length > 50 ? 1_500 : 1_000;
}

/** Returns the space after a list; undefined before headings, lists and code, which have their own. */
function spaceAfterList(block: Block): number | undefined {
  return block.type === 'heading' || block.type === 'list' || block.type === 'code' ? undefined : AFTER_LIST;
}

/** Returns whether a block is one of three or more pictures in a row, of which two are shown on a page. */
const isInAlbum = (blocks: readonly Block[], at: number): boolean =>
  [at - 2, at - 1, at].some((from) => [0, 1, 2].every((next) => blocks[from + next]?.type === 'figure'));

/** Largest number that Word's counters take. */
const MAX_COUNTED = 32_767;

const textOf = (value: string): Inline => ({ type: 'text', value });

/** Writes the blocks of one package part as paragraphs and tables. */
export class BlockWriter {
  readonly inlines: InlineWriter;
  /** `w:numPr` of the next paragraph: the marker of a list item. */
  private itemMark = '';
  private itemPrefix = '';
  /** Whether the next item of a list stays on the page of what follows it. */
  private itemKeeps = false;
  private afterCode = false;
  /** Space before the next paragraph. */
  private spaceBefore: number | undefined;

  constructor(
    readonly context: WriteContext,
    rels: Relationships,
    private readonly inBody: boolean,
  ) {
    this.inlines = new InlineWriter(context, rels, inBody);
  }

  blocks(blocks: readonly Block[], place: Place): string {
    const parts: string[] = [];
    let previous: Block | undefined;
    let headings = 0;
    for (const [at, block] of blocks.entries()) {
      if (this.isBody(place)) {
        if (this.context.settings.book && block.type === 'heading' && block.level === 1)
          parts.push(
            this.endSection(
              this.context.sections.chapter(plainText(block.content), block.id === INDEX_ID ? 2 : 1),
            ),
          );
        parts.push(this.turn(needsLandscape(blocks, at, this.context.sections.widthOf(false))));
      }
      // Reserve room for the headings that must stay on the picture's page.
      const half = this.context.sections.widthOf(!this.context.sections.isLandscape) / 2;
      this.inlines.above = isInAlbum(blocks, at) ? Math.max(half, headings) : headings;
      if (place.depth === 0 && this.needsSpace(previous, block)) this.spaceBefore = spaceAfterList(block);
      parts.push(this.block(block, place, previous, blocks[at + 1]));
      headings = block.type === 'heading' ? headings + headingRoom(block) : 0;
      previous = block;
    }
    return parts.join('');
  }

  private isBody({ style, indent, depth }: Place): boolean {
    return this.inBody && style === 'Normal' && indent === null && depth === 0;
  }

  /** Continues on upright or landscape pages; returns the paragraph that ends the section before, or an empty string. */
  turn(isLandscape: boolean): string {
    return this.endSection(this.context.sections.turn(isLandscape));
  }

  private endSection(section: string): string {
    return section === ''
      ? ''
      : this.paragraph(this.context.settings.book ? SECTION_END : 'Spacer', '', { section });
  }

  /** Returns whether a block needs space above: after a list, and in a book between text and other blocks. */
  private needsSpace(previous: Block | undefined, { type }: Block): boolean {
    if (previous?.type === 'list') return true;
    if (!this.context.settings.book || !previous || previous.type === 'table') return false;
    return (previous.type === 'paragraph') !== (type === 'paragraph');
  }

  private block(block: Block, place: Place, previous: Block | undefined, next: Block | undefined): string {
    switch (block.type) {
      case 'heading':
        return this.heading(block, place, previous === undefined);
      case 'paragraph':
        return this.textParagraph(block, place, previous?.type === 'paragraph');
      case 'code':
        return this.code(block, place);
      case 'list':
        return this.list(block, place, previous, next);
      case 'quote':
        return this.takeItem(place) + this.blocks(block.blocks, this.quoted(place, 'Quote'));
      case 'callout':
        return this.takeItem(place) + this.callout(block, place);
      case 'table':
        return this.takeItem(place) + this.table(block, place);
      case 'figure':
        return this.takeItem(place) + this.figure(block, place);
      case 'math':
        return this.math(block.tex, place);
      case 'rule':
        return this.takeItem(place) + this.paragraph('Horizontal Rule', '', {});
    }
  }

  /** Writes one paragraph in a named style. */
  paragraph(style: string, content: string, extra: ParagraphExtra): string {
    this.afterCode = false;
    if (this.spaceBefore !== undefined) extra.before = this.spaceBefore;
    this.spaceBefore = undefined;
    return `<w:p><w:pPr><w:pStyle w:val="${this.context.styles.id(style)}"/>${extraXml(extra)}</w:pPr>${content}</w:p>`;
  }

  private heading(block: HeadingBlock, place: Place, isFirst: boolean): string {
    const content =
      this.context.placeXml(block.line) +
      this.context.bookmarkXml(block.id, this.inlines.write(block.content));
    const extra: ParagraphExtra = { rtl: isRightToLeft(block.content) };
    const { settings } = this.context;
    if (settings.chaptersOnNewPages && !settings.book && block.level === 1 && place.indent === null)
      extra.pageBreakBefore = !isFirst;
    if (isNumbered(settings, block))
      extra.numbering = `<w:numPr><w:ilvl w:val="${block.level - 1}"/><w:numId w:val="${Numbering.headingInstance}"/></w:numPr>`;
    if (place.depth > 0 && place.indent !== null) extra.indent = place.indent;
    return this.takeItem(place) + this.paragraph(`heading ${block.level}`, content, extra);
  }

  private textParagraph(block: ParagraphBlock, place: Place, follows: boolean): string {
    const indent = place.indent ?? 0;
    const content =
      this.context.placeXml(block.line) + this.itemPrefix + this.inlines.write(block.content, indent);
    const style = follows && this.context.settings.book && this.isBody(place) ? BOOK_INDENT : null;
    return this.paragraph(style ?? this.bodyStyle(place), content, {
      ...this.takeMark(place),
      rtl: isRightToLeft(block.content),
      align: block.align,
    });
  }

  private bodyStyle(place: Place): string {
    return place.style === 'Normal' && place.depth > 0 ? 'List Paragraph' : place.style;
  }

  /** Returns the properties of a list item's first paragraph, or of a later one. */
  private takeMark(place: Place): ParagraphExtra {
    const mark = this.itemMark;
    this.itemMark = '';
    this.itemPrefix = '';
    const hanging = mark !== '' ? HANGING : 0;
    const keepNext = this.itemKeeps;
    this.itemKeeps = false;
    return {
      keepNext,
      numbering: mark,
      indent: place.indent ?? undefined,
      hanging,
      bar: barXml(place, hanging),
    };
  }

  /** Writes the marker of a list item as a separate paragraph if the item does not start with text. */
  private takeItem(place: Place): string {
    if (this.itemMark === '') return '';
    const prefix = this.itemPrefix;
    return this.paragraph(this.bodyStyle(place), prefix, { ...this.takeMark(place), keepNext: true });
  }

  private code(block: CodeBlock, place: Place): string {
    const mark = this.takeItem(place);
    // Otherwise adjacent code blocks would look like one.
    const apart = this.afterCode ? this.paragraph('Spacer', '', {}) : '';
    this.afterCode = true;
    return mark + apart + codeXml(block, this.context, place.indent);
  }

  private list(block: ListBlock, place: Place, previous: Block | undefined, next: Block | undefined): string {
    const mark = this.takeItem(place);
    const depth = place.depth;
    const task = !block.ordered && block.items.some((item) => item.checked !== null);
    const apart = previous?.type === 'list' && !previous.ordered;
    const id = block.ordered
      ? this.context.numbering.ordered(depth, place.numbered, block.start ?? 1, block.delimiter ?? '.')
      : this.context.numbering.bullets(task, apart);
    const level = Math.min(depth, LAST_LEVEL);
    const base = (place.indent ?? 0) - (depth > 0 ? levelIndent(depth - 1) : 0);
    const extra = Math.max(0, depth - LAST_LEVEL) * 120;
    const inner: Place = {
      ...place,
      indent: Math.min(base + levelIndent(depth) + extra, MAX_INDENT),
      depth: depth + 1,
      numbered: place.numbered + (block.ordered ? 1 : 0),
    };
    // Before another heading, it would keep that one's list too, and so on.
    const isHead =
      previous?.type === 'heading' && next?.type === 'paragraph' && block.items.length <= SHORT_LIST;
    const parts = block.items.map((item) => {
      this.itemKeeps = isHead && item.blocks.length === 1;
      // The checkbox replaces a task's bullet; other items among tasks keep theirs.
      const kind = task && item.checked === null ? this.context.numbering.bullets(false, false) : id;
      this.itemMark = `<w:numPr><w:ilvl w:val="${level}"/><w:numId w:val="${kind}"/></w:numPr>`;
      this.itemPrefix =
        item.checked === null
          ? ''
          : `<w:r><w:t xml:space="preserve">${item.checked ? '☒' : '☐'} </w:t></w:r>`;
      return this.blocks(item.blocks, inner) + this.takeItem(inner);
    });
    return mark + parts.join('');
  }

  private quoted(place: Place, style: string): Place {
    const nested = place.indent !== null || place.style !== 'Normal';
    const indent = nested
      ? Math.min((place.indent ?? QUOTE_INDENT) + QUOTE_INDENT, MAX_INDENT)
      : QUOTE_INDENT;
    return { style, indent, depth: place.depth, numbered: place.numbered, bar: indent };
  }

  private callout(block: CalloutBlock, place: Place): string {
    const name = `Callout ${block.kind[0]?.toUpperCase()}${block.kind.slice(1)}`;
    const inner = this.quoted(place, name);
    const title = this.inlines.styled(this.context.labels.callout[block.kind], `${name} Title`);
    const spacer = this.paragraph('Spacer', '', {});
    return (
      this.paragraph(name, title, { indent: inner.indent ?? undefined, keepNext: true }) +
      this.blocks(block.blocks, inner) +
      spacer
    );
  }

  private table(block: Extract<Block, { type: 'table' }>, place: Place): string {
    const caption = block.caption
      ? this.caption(this.context.labels.table, block.number, block.id, block.caption, true)
      : this.spaceBefore === undefined
        ? ''
        : this.paragraph('Spacer', '', {});
    const indent = place.indent ?? 0;
    const parts = tableParts(block).map((part) => {
      const name = part.last - part.first + 1 === part.all ? '' : this.tablePart(part);
      return name + tableXml(part, this, indent) + this.paragraph('Spacer', '', {});
    });
    return caption + parts.join('');
  }

  /** Names the columns of the table part that follows. */
  private tablePart(part: TablePart): string {
    const words = columnsLabel(this.context.labels, part);
    return this.paragraph('Table Part', this.inlines.write([textOf(words)]), { keepNext: true });
  }

  private figure(block: FigureBlock, place: Place): string {
    const indent = place.indent ?? 0;
    const words: Inline[] = [{ type: 'text', value: block.caption }];
    return (
      this.paragraph('Captioned Figure', this.inlines.image(block.image, indent), {
        indent: place.indent ?? undefined,
      }) + this.caption(this.context.labels.figure, block.number, block.id, words, false)
    );
  }

  private caption(
    label: string,
    number: number | null,
    id: string | null,
    words: readonly Inline[],
    above: boolean,
  ): string {
    const own = captionLabel(words);
    // The author's own label is unchanged, since the text may refer to it.
    const name =
      own === null
        ? this.counted(label, number ?? 1, `${label} ${number}`)
        : this.counted(label, own.number, own.text);
    const placed = id === null ? name : this.context.bookmarkXml(id, name);
    const content =
      own === null
        ? placed + this.inlines.write([textOf(': '), ...words])
        : placed + this.inlines.write(removeLabel(words));
    return this.paragraph('caption', content, { keepNext: above });
  }

  /** Writes a label whose number Word counts, so that it finds the captions for its lists. */
  private counted(label: string, number: number, text: string): string {
    const at = text.indexOf(String(number));
    if (at < 0 || number > MAX_COUNTED) return this.inlines.write([textOf(text)]);
    const code = ` SEQ ${label} \\* ARABIC ${this.context.countFrom(label, number)}`;
    const [before, after] = [text.slice(0, at), text.slice(at + String(number).length)];
    const result = field(code, `<w:r><w:t>${number}</w:t></w:r>`);
    return this.inlines.write([textOf(before)]) + result + this.inlines.write([textOf(after)]);
  }

  private math(tex: string, place: Place): string {
    const math = this.context.formulas.get(tex);
    const content =
      math === undefined ? this.inlines.styled(tex, 'Math Source') : `<m:oMathPara>${math}</m:oMathPara>`;
    return (
      this.takeItem(place) +
      this.paragraph(this.bodyStyle(place), content, { indent: place.indent ?? undefined })
    );
  }
}

const SPACE_BEFORE = 140;
const SPACE_AFTER = 180;

interface CodeLayout {
  size: CodeSize;
  /** Maximum columns of a line before it wraps. */
  capacity: number;
  /** Width of each line in columns. */
  columns: number[];
}

/**
 * Chooses the text size of a code block: the small size if a line needs it.
 *
 * @param gutter columns before each line
 */
function codeLayout(lines: readonly string[], textWidth: number, indent: number, gutter = 0): CodeLayout {
  const room = Math.max(1200, textWidth - indent - 2 * CODE_INSET);
  const columns = lines.map(columnsOf);
  const [usual, small] = CODE_SIZES;
  const fits = columns.every((count) => (count + gutter) * usual.column <= room);
  const size = fits ? usual : small;
  return { size, capacity: Math.floor(room / size.column) - gutter, columns };
}

/**
 * Writes code as one paragraph per line: Word and LibreOffice take quadratic time for long paragraphs. The
 * characters of a line are unchanged; a line wider than the page wraps with an indent and a bar next to it.
 *
 * @param indent indent of the surrounding text; null at the margin
 */
function codeXml(
  { text, language, line: first, end_line }: CodeBlock,
  context: WriteContext,
  indent: number | null,
): string {
  const lines = text.split(/\r\n|\r|\n/);
  const isFenced = end_line - first >= lines.length;
  const { numbered, highlight } = context.code;
  const tokens = highlight?.(text, language) ?? null;
  // The line number occupies one tab stop before the line and is not part of its text.
  const numbering = numbered ? context.numbering.lines() : '';
  const gutter = numbered ? TAB_COLUMNS : 0;
  const { size, capacity, columns } = codeLayout(lines, context.textWidth, indent ?? 0, gutter);
  const hanging = TAB_COLUMNS * size.column;
  const placed = indent === null ? '' : indentXml(indent + CODE_INSET + hanging, hanging);
  const plain = `<w:p><w:pPr><w:pStyle w:val="${context.styles.id(size.style)}"/>`;
  const turned = `<w:p><w:pPr><w:pStyle w:val="${context.styles.id(size.turnedStyle)}"/>`;
  const last = lines.length - 1;
  const parts: string[] = [];
  const rows: string[] = [];
  lines.forEach((line, i) => {
    const style = (columns[i] ?? 0) > capacity ? turned : plain;
    const spacing = spacingXml(i === 0, i === last, context.styles.own);
    const runs = line === '' ? '' : (tokens?.[i] ?? [{ text: line, look: null }]).map(runXml).join('');
    const mark = (i === 0 ? context.placeXml(first) : '') + context.targetXml(first + i + Number(isFenced));
    rows.push(`${style}${numbering}${spacing}${placed}</w:pPr>${mark}${runs}</w:p>`);
    // Until they are joined, the pieces of a line need several times its memory.
    if (rows.length === JOINED_LINES) parts.push(rows.splice(0).join(''));
  });
  return [...parts, ...rows].join('');
}

function runXml({ text, look }: CodeToken): string {
  if (look === null) return `<w:r>${runText(text)}</w:r>`;
  const { color, mark } = CODE_LOOKS[look];
  return `<w:r><w:rPr>${mark}<w:color w:val="${color}"/></w:rPr>${runText(text)}</w:r>`;
}

/**
 * Sets the space around the block to apply only at its ends; a reference document's style may assume one
 * paragraph per block.
 */
function spacingXml(first: boolean, last: boolean, own: boolean): string {
  if (own && !first && !last) return '';
  return `<w:spacing w:before="${first ? SPACE_BEFORE : 0}" w:after="${last ? SPACE_AFTER : 0}"/>`;
}

function indentXml(left: number, hanging: number): string {
  return `<w:ind w:left="${left}" w:right="${CODE_INSET}" w:hanging="${hanging}"/>`;
}

/** Returns the width of a line in columns of a fixed-width font. */
export function columnsOf(line: string): number {
  if (!/[\t\u2E80-\uFFFF]/.test(line)) return line.length;
  let columns = 0;
  for (let i = 0; i < line.length; i++) {
    const code = line.charCodeAt(i);
    if (code === 9) columns += TAB_COLUMNS - (columns % TAB_COLUMNS);
    // Each half of a surrogate pair counts as one column: emoji and rare ideographs are two columns wide,
    // like all ideographs.
    else columns += code >= 0x2e80 && (code < 0xd800 || code > 0xdfff) ? 2 : 1;
  }
  return columns;
}
