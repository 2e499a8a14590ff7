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
import { codeXml } from './code.js';
import type { WriteContext } from './context.js';
import { field, InlineWriter, isRightToLeft } from './inlines.js';
import { officeMath } from './math.js';
import { HANGING, LAST_LEVEL, levelIndent, Numbering } from './numbering.js';
import { barXml, extraXml, type ParagraphExtra } from './paragraph-properties.js';
import type { Relationships } from './relationships.js';
import { tableXml } from './tables.js';
import { escapeText } from './xml.js';

/** Where a block stands. Lengths are in twentieths of a point. */
export interface Place {
  /** Style of its paragraphs. */
  style: string;
  /** How far its text is from the margin; null leaves that to the style. */
  indent: number | null;
  /** How many lists it is in. */
  depth: number;
  /** Where the bar of the quote or callout around it is. */
  bar?: number;
}

/** The left edge of text in quotes and callouts, and how much further each nested one goes. */
const QUOTE_INDENT = 340;
/** Deeply nested blocks stop moving right here, so that words still fit beside them. */
const MAX_INDENT = 5400;

/** Items of a list stand closer than paragraphs do; what follows the list stands off as after a paragraph. */
const AFTER_LIST = 140;

/** Writes the blocks of one part of the package as paragraphs and tables. */
export class BlockWriter {
  readonly inlines: InlineWriter;
  /** `w:numPr` that the next paragraph carries: the mark of a list item. */
  private itemMark = '';
  private itemPrefix = '';
  private afterCode = false;

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
    for (const block of blocks) {
      parts.push(this.block(block, place, previous));
      previous = block;
    }
    return parts.join('');
  }

  private block(block: Block, place: Place, previous: Block | undefined): string {
    switch (block.type) {
      case 'heading':
        return this.heading(block, place, previous === undefined);
      case 'paragraph':
        return this.textParagraph(block, place, previous);
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

  private textParagraph(block: ParagraphBlock, place: Place, previous: Block | undefined): string {
    const indent = place.indent ?? 0;
    const content = this.itemPrefix + this.inlines.write(block.content, indent);
    return this.paragraph(this.bodyStyle(place), content, {
      ...this.takeMark(place),
      rtl: isRightToLeft(block.content),
      before: previous?.type === 'list' && place.depth === 0 ? AFTER_LIST : undefined,
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
    return mark + apart + codeXml(block.text, this.context, place.indent);
  }

  private list(block: ListBlock, place: Place, previous: Block | undefined): string {
    const mark = this.takeItem(place);
    const depth = place.depth;
    const task = !block.ordered && block.items.some((item) => item.checked !== null);
    const apart = previous?.type === 'list' && !previous.ordered;
    const id = block.ordered
      ? this.context.numbering.ordered(depth, block.start ?? 1)
      : this.context.numbering.bullets(task, apart);
    const level = Math.min(depth, LAST_LEVEL);
    const base = (place.indent ?? 0) - (depth > 0 ? levelIndent(depth - 1) : 0);
    const extra = Math.max(0, depth - LAST_LEVEL) * 120;
    const inner: Place = {
      ...place,
      indent: Math.min(base + levelIndent(depth) + extra, MAX_INDENT),
      depth: depth + 1,
    };
    const parts = block.items.map((item) => {
      this.itemMark = `<w:numPr><w:ilvl w:val="${level}"/><w:numId w:val="${id}"/></w:numPr>`;
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
    return { style, indent, depth: place.depth, bar: indent };
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
    return caption + tableXml(block, this, indent) + this.paragraph('Spacer', '', {});
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
    const counter = field(` SEQ ${label} \\* ARABIC `, `<w:r><w:t>${number}</w:t></w:r>`);
    const name = `<w:r><w:t xml:space="preserve">${escapeText(label)} </w:t></w:r>${counter}`;
    const placed = id === null ? name : this.context.bookmarkXml(id, name);
    const content = `${placed}<w:r><w:t xml:space="preserve">: </w:t></w:r>${this.inlines.write(words)}`;
    return this.paragraph('caption', content, { keepNext: above });
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
