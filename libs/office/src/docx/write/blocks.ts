import type {
  Block,
  CalloutBlock,
  CodeBlock,
  FigureBlock,
  HeadingBlock,
  Inline,
  ListBlock,
  ParagraphBlock,
} from '../../structure/schema.js';
import { captionLabel, unlabelled } from '../../structure/caption-label.js';
import { tableParts, type TablePart } from '../../structure/wide-tables.js';
import { plainText } from '../../structure/text.js';
import { codeXml } from './code.js';
import type { WriteContext } from './context.js';
import { field, InlineWriter, isRightToLeft } from './inlines.js';
import { officeMath } from './math.js';
import { HANGING, LAST_LEVEL, levelIndent, Numbering } from './numbering.js';
import { barXml, extraXml, type ParagraphExtra } from './paragraph-properties.js';
import type { Relationships } from './relationships.js';
import { tableXml } from './tables.js';

/** Where a block stands. Lengths are in twentieths of a point. */
export interface Place {
  /** Style of its paragraphs. */
  style: string;
  /** How far its text is from the margin; null leaves that to the style. */
  indent: number | null;
  /** How many lists it is in, and how many of them are numbered. */
  depth: number;
  numbered: number;
  /** Where the bar of the quote or callout around it is. */
  bar?: number;
}

/** The left edge of text in quotes and callouts, and how much further each nested one goes. */
const QUOTE_INDENT = 340;
/** Deeply nested blocks stop moving right here, so that words still fit beside them. */
const MAX_INDENT = 5400;

/** Items of a list stand closer than paragraphs do; what follows the list stands off as after a paragraph. */
const AFTER_LIST = 140;

/** Room for a heading and the space around it, of which two lines are what one with many words takes. */
function headingRoom(heading: HeadingBlock): number {
  return plainText(heading.content).length > 50 ? 1_500 : 1_000;
}

/** Headings, lists and code bring their own space. */
function spaceAfterList(block: Block): number | undefined {
  return block.type === 'heading' || block.type === 'list' || block.type === 'code' ? undefined : AFTER_LIST;
}

const textOf = (value: string): Inline => ({ type: 'text', value });

/** Writes the blocks of one part of the package as paragraphs and tables. */
export class BlockWriter {
  readonly inlines: InlineWriter;
  /** `w:numPr` that the next paragraph carries: the mark of a list item. */
  private itemMark = '';
  private itemPrefix = '';
  private afterCode = false;
  /** Space that the next paragraph has before it. */
  private spaceBefore: number | undefined;

  constructor(
    readonly context: WriteContext,
    rels: Relationships,
    notes: boolean,
  ) {
    this.inlines = new InlineWriter(context, rels, notes);
  }

  blocks(blocks: readonly Block[], place: Place): string {
    const parts: string[] = [];
    let previous: Block | undefined;
    let headings = 0;
    for (const block of blocks) {
      // Headings stay with the picture below them.
      this.inlines.above = headings;
      if (previous?.type === 'list' && place.depth === 0) this.spaceBefore = spaceAfterList(block);
      parts.push(this.block(block, place, previous));
      headings = block.type === 'heading' ? headings + headingRoom(block) : 0;
      previous = block;
    }
    return parts.join('');
  }

  private block(block: Block, place: Place, previous: Block | undefined): string {
    switch (block.type) {
      case 'heading':
        return this.heading(block, place, previous === undefined);
      case 'paragraph':
        return this.textParagraph(block, place);
      case 'code':
        return this.code(block, place);
      case 'list':
        return this.list(block, place, previous);
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

  /** One paragraph under a named style. */
  paragraph(style: string, content: string, extra: ParagraphExtra): string {
    this.afterCode = false;
    if (this.spaceBefore !== undefined) extra.before = this.spaceBefore;
    this.spaceBefore = undefined;
    return `<w:p><w:pPr><w:pStyle w:val="${this.context.styles.id(style)}"/>${extraXml(extra)}</w:pPr>${content}</w:p>`;
  }

  private heading(block: HeadingBlock, place: Place, isFirst: boolean): string {
    const content = this.context.bookmarkXml(block.id, this.inlines.write(block.content));
    const extra: ParagraphExtra = { rtl: isRightToLeft(block.content) };
    if (this.context.chaptersOnNewPages && block.level === 1 && place.indent === null)
      extra.pageBreakBefore = !isFirst;
    if (this.context.numberSections)
      extra.numbering = `<w:numPr><w:ilvl w:val="${block.level - 1}"/><w:numId w:val="${Numbering.headingInstance}"/></w:numPr>`;
    if (place.depth > 0 && place.indent !== null) extra.indent = place.indent;
    return this.takeItem(place) + this.paragraph(`heading ${block.level}`, content, extra);
  }

  private textParagraph(block: ParagraphBlock, place: Place): string {
    const indent = place.indent ?? 0;
    const content = this.itemPrefix + this.inlines.write(block.content, indent);
    return this.paragraph(this.bodyStyle(place), content, {
      ...this.takeMark(place),
      rtl: isRightToLeft(block.content),
      align: block.align,
    });
  }

  private bodyStyle(place: Place): string {
    return place.style === 'Normal' && place.depth > 0 ? 'List Paragraph' : place.style;
  }

  /** The properties of the first paragraph of a list item, or those of one further down. */
  private takeMark(place: Place): ParagraphExtra {
    const mark = this.itemMark;
    this.itemMark = '';
    this.itemPrefix = '';
    const hanging = mark !== '' ? HANGING : 0;
    return { numbering: mark, indent: place.indent ?? undefined, hanging, bar: barXml(place, hanging) };
  }

  /** A list item that starts with something other than words gets its mark on a line of its own. */
  private takeItem(place: Place): string {
    if (this.itemMark === '') return '';
    const prefix = this.itemPrefix;
    return this.paragraph(this.bodyStyle(place), prefix, { ...this.takeMark(place), keepNext: true });
  }

  private code(block: CodeBlock, place: Place): string {
    const mark = this.takeItem(place);
    // Lines of neighbours would read as one block.
    const apart = this.afterCode ? this.paragraph('Spacer', '', {}) : '';
    this.afterCode = true;
    return mark + apart + codeXml(block, this.context, place.indent);
  }

  private list(block: ListBlock, place: Place, previous: Block | undefined): string {
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
    const parts = block.items.map((item) => {
      // The box of a task is its mark; another item among tasks has its bullet.
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
      : '';
    const indent = place.indent ?? 0;
    const parts = tableParts(block).map((part) => {
      const name = part.last - part.first + 1 === part.all ? '' : this.tablePart(part);
      return name + tableXml(part, this, indent) + this.paragraph('Spacer', '', {});
    });
    return caption + parts.join('');
  }

  /** Says which columns of a table follow. */
  private tablePart({ first, last, all }: TablePart): string {
    const words = this.context.labels.columns(first, last, all);
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
    // A label that the author wrote stands as it is written: the text may refer to it.
    const name = own === null ? this.counted(label, number) : this.inlines.write([textOf(own.text)]);
    const placed = id === null ? name : this.context.bookmarkXml(id, name);
    const content =
      own === null
        ? placed + this.inlines.write([textOf(': '), ...words])
        : placed + this.inlines.write(unlabelled(words));
    return this.paragraph('caption', content, { keepNext: above });
  }

  /** A label with a number that Word counts. */
  private counted(label: string, number: number | null): string {
    const code = ` SEQ ${label} \\* ARABIC ${this.context.countFrom(label, number ?? 1)}`;
    return this.inlines.write([textOf(`${label} `)]) + field(code, `<w:r><w:t>${number}</w:t></w:r>`);
  }

  private math(tex: string, place: Place): string {
    const math = officeMath(tex);
    const content =
      math === null ? this.inlines.styled(tex, 'Math Source') : `<m:oMathPara>${math}</m:oMathPara>`;
    return (
      this.takeItem(place) +
      this.paragraph(this.bodyStyle(place), content, { indent: place.indent ?? undefined })
    );
  }
}
