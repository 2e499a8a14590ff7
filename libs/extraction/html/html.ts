import { oneLine, withLineFeeds, withoutEnding, withoutPrefix } from '#contracts/text.js';
import { escapeInline } from '#markdown/escape.js';
import type { EmbeddedImages } from '../embedded-images.js';
import { fenceLines, imageMarkdown, InlineText, withBreaks } from '../inline-text.js';
import { leftOutMark } from '../left-out.js';
import { ListLevels } from '../list-levels.js';
import type { RunStyle } from '../styled-text.js';
import { tableLines } from '../table.js';
import {
  BLOCKS,
  attribute,
  chosenText,
  type Element,
  fieldText,
  hasClass,
  isLayoutTable,
  type Node,
  nodesOf,
  SKIPPED,
  styleSheets,
  textOf,
} from './elements.js';
import { BULLET, ListNumbers, omissionsOf, titleOf, unseenMarks } from './unseen-text.js';
import { formulaOf } from './mathml.js';
import { type ElementStyle, PageStyles } from './page-styles.js';
import { parsePage } from './shadow-trees.js';
import { gridOf, rowSpanOf, shownOrder, type SpanningCell, spanOf, withinGroups } from './table-grid.js';

/** Elements whose blanks and line ends are shown. */
const PREFORMATTED = new Set(['pre', 'listing', 'xmp', 'plaintext']);
/** Inline elements that a browser shows as boxes, so that their words do not join those next to them. */
const BOXES = new Set(
  'input select textarea button meter progress output object video audio canvas text desc title'.split(' '),
);
/** Frames within frames that are read. */
const DEEPEST_FRAME = 3;

/** Returns the name of a picture that is stored with the page; null for any other address. */
type PictureName = (address: string) => string | null;
/** Quotes within quotes that are marked. */
const DEEPEST_QUOTE = 20;

interface Step {
  node: Node;
  closing: boolean;
  /** Number of frames around the node. */
  frames: number;
}

/**
 * Returns the visible text of an HTML page as Markdown: headings, paragraphs, lists, tables, preformatted text in code
 * fences. Images remain references. Images in data URLs are collected, and images that come with the page get their
 * name from `pictureName`; `marksOf` returns the comments at the end. Walks the tree without recursion, so nesting cannot exhaust the stack.
 */
export function htmlText(
  html: string,
  images: EmbeddedImages,
  pictureName: PictureName = () => null,
  marksOf: (page: Node) => string[] = unseenMarks,
): string {
  const page = parsePage(html);
  return writePage(page, images, pictureName, () => false).finish(marksOf(page));
}

/** Returns the text of a page within another file as `htmlText` does; a comment names its title, which is not shown there. */
export const includedPageText = (html: string, images: EmbeddedImages): string =>
  htmlText(html, images, undefined, (page) => {
    const title = titleOf(page);
    return [...unseenMarks(page), ...(title === '' ? [] : [leftOutMark('title of the page', title)])];
  });

/**
 * Returns the text of a saved web page as `htmlText` does, below its title. If its text begins with its only first-level
 * heading, that is its title. Comments name the title that is not shown, menus, and what is around the main text.
 */
export function savedPageText(html: string, images: EmbeddedImages): string {
  const page = parsePage(html);
  const omits = omissionsOf(page);
  const omitted: Element[] = [];
  const leavesOut = (element: Element) => omits(element) && omitted.push(element) > 0;
  const writer = writePage(page, images, () => null, leavesOut);
  return writer.finish(unseenMarks(page, omitted), titleOf(page));
}

function writePage(
  page: Node,
  images: EmbeddedImages,
  pictureName: PictureName,
  leavesOut: (element: Element) => boolean,
): Writer {
  const writer = new Writer(
    images,
    pictureName,
    new PageStyles(styleSheets(page)),
    texScripts(page).length > 0,
  );
  const stack: Step[] = [{ node: page, closing: false, frames: 0 }];
  for (let step = stack.pop(); step; step = stack.pop()) {
    const { node, closing, frames } = step;
    if (closing) {
      writer.close(node as Element);
      continue;
    }
    if (node.nodeName === '#text') writer.text((node as { value: string } & Node).value);
    if (!('childNodes' in node)) continue;
    if ('tagName' in node && isTexScript(node)) writer.tex(textOf(node));
    if (SKIPPED.has(node.nodeName)) continue;
    if ('tagName' in node && (leavesOut(node) || writer.whole(node))) continue;
    const frame =
      frames < DEEPEST_FRAME && node.nodeName === 'iframe' ? attribute(node as Element, 'srcdoc') : null;
    const inner = frame === null ? node.childNodes : parsePage(frame).childNodes;
    if (node.nodeName === 'iframe' && frame === null) continue;
    if ('tagName' in node) {
      writer.open(node);
      stack.push({ node, closing: true, frames });
    }
    for (let i = inner.length - 1; i >= 0; i--)
      stack.push({ node: inner[i]!, closing: false, frames: frames + (frame === null ? 0 : 1) });
  }
  return writer;
}

class Writer {
  private readonly lines: string[] = [];
  /** Lines that are headings, by their index. */
  private readonly headings: number[] = [];
  private readonly inline = new InlineText();
  /** Form of the next text: a heading with its level, or an item with its marker and level. */
  private next: { heading: number } | { marker: string; typed: string; level: number } | null = null;
  private pre = 0;
  private readonly lists: ListNumbers[] = [];
  /** Looks that styles give to the open elements (`plain` for `sup` and `sub`), and whether they show line ends. */
  private readonly looks: (RunStyle | null)[] = [];
  private readonly keepsLines: boolean[] = [];
  private readonly levels = new ListLevels();
  private rows: SpanningCell[][] | null = null;
  /** Groups of the rows, such as a `tbody`. */
  private groups: (Node | null)[] = [];
  /** Types of the open tables. `layout` tables only arrange the page. */
  private readonly tables: ('data' | 'layout' | 'inner')[] = [];
  /** Depths of the open quotes. Quotes within an item are not marked: its indentation would precede the marks. */
  private readonly quotes: number[] = [];
  /** Quote depth of the last block. */
  private lastQuotes = 0;
  private afterBox = false;
  private afterItem = false;
  private lastLevel = 0;

  constructor(
    private readonly images: EmbeddedImages,
    private readonly pictureName: PictureName,
    private readonly styles: PageStyles,
    private readonly hasTexScripts: boolean,
  ) {}

  text(value: string): void {
    if (this.afterBox && !/^\s/.test(value)) this.inline.blank();
    this.afterBox = false;
    this.inline.text(this.pre > 0 ? value : this.spaced(value));
  }

  private spaced(value: string): string {
    if (!this.keepsLines.at(-1)) return value.replace(/[ \t\r\n\f]+/g, ' ');
    return withLineFeeds(value)
      .replace(/[ \t\f]+/g, ' ')
      .replace(/ ?\n ?/g, '\n');
  }

  /** Writes the TeX of a formula that a script of the page draws. */
  tex(source: string): void {
    const words = oneLine(source);
    this.inline.formula({ tex: words === '' || words.includes('$') ? null : words, plain: words });
  }

  /** Writes an element that is read as a whole; false for all others. */
  whole(element: Element): boolean {
    const tag = element.tagName;
    if (BOXES.has(tag)) this.inline.blank();
    if (tag === 'math') this.inline.formula(formulaOf(element));
    else if (tag === 'input') this.field(fieldText(element));
    else if (tag === 'select') this.field(chosenText(element));
    else if (tag === 'img') this.image(element, attribute(element, 'src'));
    // A picture inside SVG, such as the cover of a book.
    else if (tag === 'image')
      this.image(element, attribute(element, 'href') ?? attribute(element, 'xlink:href'));
    else if (tag === 'br') this.inline.text('\n');
    // KaTeX shows a formula in two forms. One is for screen readers.
    else return hasClass(element, 'katex-html') || (this.hasTexScripts && isDrawnFormula(element));
    return true;
  }

  open(element: Element): void {
    const tag = element.tagName;
    const cells = this.rows !== null;
    if (BLOCKS.has(tag) && !cells) this.flush();
    const style = this.beginStyle(element);
    if (PREFORMATTED.has(tag)) this.pre++;
    else if (tag === 'blockquote' && !cells)
      this.quotes.push((this.quotes.at(-1) ?? 0) + (this.lists.length === 0 ? 1 : 0));
    else if (tag === 'ul' || tag === 'ol') this.lists.push(new ListNumbers(element, style.list));
    else if (/^h[1-6]$/.test(tag) && !cells) this.next = { heading: Number(tag[1]) };
    else if (tag === 'li' && cells) this.inline.text('\n');
    else if (tag === 'li') this.next = this.item(element);
    else if (tag === 'table') this.openTable(element);
    else if (tag === 'tr' && this.isInTable()) this.beginRow(element);
    else if (tag === 'hr' && !cells) this.block(['---']);
    else if (tag === 'q') this.inline.text('“');
    else if (tag === 'rt') this.inline.text('(');
    else if (INLINE.has(tag)) this.inline.begin();
  }

  close(element: Element): void {
    const tag = element.tagName;
    this.endStyle();
    if (PREFORMATTED.has(tag)) this.preformatted();
    else if (tag === 'ul' || tag === 'ol') {
      if (this.rows === null) this.flush();
      this.lists.pop();
    } else if (tag === 'caption' && this.isInTable()) this.caption();
    else if ((tag === 'td' || tag === 'th') && this.isInTable()) this.cell(element);
    else if (tag === 'table') this.closeTable();
    else if (tag === 'q') this.inline.text('”');
    else if (tag === 'rt') this.inline.text(')');
    else if (INLINE.has(tag)) this.closeInline(element);
    else if (BOXES.has(tag)) this.afterBox = true;
    else if (BLOCKS.has(tag) && this.rows === null) this.closeBlock(tag);
    else if (BLOCKS.has(tag)) this.inline.blank();
  }

  /**
   * @param marks comments about omitted words
   * @param title title of the page, above its text; empty for none
   */
  finish(marks: readonly string[], title = ''): string {
    this.flush();
    this.quotes.length = 0;
    const top = this.headings.filter((at) => this.lines[at]!.startsWith('# '));
    const hasOwnTitle = top.length === 1 && top[0] === 0;
    for (const mark of marks) this.block([mark]);
    if (title !== '' && hasOwnTitle) this.block([leftOutMark('title of the page', title)]);
    else if (title !== '') {
      if (top.length > 0)
        for (const at of this.headings) this.lines[at] = `#${this.lines[at]}`.replace(/^#{7}/, '######');
      this.lines.unshift(`# ${escapeInline(title)}`, '');
    }
    return this.lines.length > 0 ? `${this.lines.join('\n')}\n` : '';
  }

  /** Begins the look that a style sheet gives to an element. Blocks are not raised or lowered. */
  private beginStyle(element: Element): ElementStyle {
    const style = this.styles.of(element);
    const isShift = /^(?:sup|sub)$/.test(element.tagName);
    this.looks.push(isShift ? 'plain' : this.lookOf(element, style));
    this.keepsLines.push(style.keepsLines ?? this.keepsLines.at(-1) ?? false);
    if ((this.looks.at(-1) ?? 'plain') !== 'plain') this.inline.begin();
    return style;
  }

  private lookOf({ tagName }: Element, { shift = 'plain', isStruck }: ElementStyle): RunStyle | null {
    if (this.pre > 0 || this.looks.some((look) => look !== null)) return null;
    const isApart = BLOCKS.has(tagName) || /^(?:t[dhr]|table|thead|tbody|tfoot)$/.test(tagName);
    if (shift !== 'plain' && !isApart) return shift;
    return isStruck ? 'struck' : null;
  }

  private endStyle(): void {
    const look = this.looks.pop() ?? null;
    this.keepsLines.pop();
    if (look === 'raised') this.inline.endRaised();
    else if (look === 'lowered') this.inline.endLowered();
    else if (look === 'struck') this.inline.endStruck();
  }

  private field(words: string): void {
    this.inline.text(words);
    this.afterBox = true;
  }

  private closeInline(element: Element): void {
    const tag = element.tagName;
    if (this.pre > 0) return this.inline.end();
    if (tag === 'sup') this.inline.endRaised();
    else if (tag === 'sub') this.inline.endLowered();
    else if (tag === 'a') this.inline.endLink(attribute(element, 'href') ?? '');
    else this.inline.endStruck();
  }

  /** Ends a block. After an empty heading or item, the next text is an ordinary paragraph. */
  private closeBlock(tag: string): void {
    this.flush();
    if (tag === 'blockquote') this.quotes.pop();
    if (tag === 'li' || /^h[1-6]$/.test(tag)) this.next = null;
  }

  private image(element: Element, source: string | null): void {
    const later = attribute(element, 'data-src') ?? attribute(element, 'data-original');
    // Pages that load pictures lazily contain a placeholder.
    const shown = later !== null && (!source || source.startsWith('data:')) ? later : source;
    if (!shown) return;
    const name = this.images.addDataUri(shown) ?? this.pictureName(shown) ?? shown;
    this.inline.markdown(imageMarkdown(name, attribute(element, 'alt') ?? ''));
  }

  private item(element: Element): { marker: string; typed: string; level: number } {
    const level = Math.max(0, this.lists.length - 1);
    const { number, typed, isNext } = this.lists.at(-1)?.next(element) ?? BULLET;
    // Markdown numbers items consecutively, so an item with another number must begin a new list.
    const isApart = number !== null && this.afterItem && level <= this.lastLevel && !isNext;
    if (isApart) this.block([`${this.levels.indentOf(level)}<!-- -->`]);
    this.lastLevel = level;
    return { marker: number === null ? '-' : `${number}.`, typed, level };
  }

  private flush(): void {
    if (this.pre > 0) return;
    const paragraphs = this.inline.takeParagraphs();
    for (const lines of paragraphs) this.paragraph(lines);
  }

  private paragraph(lines: string[]): void {
    const { next, afterItem } = this;
    this.next = null;
    if (next === null) {
      const isInItem = afterItem && this.lists.length > 0;
      const indent = isInItem ? this.levels.indent() : '';
      this.block(withBreaks(lines).map((line) => indent + line));
      this.afterItem = isInItem;
      return;
    }
    if ('heading' in next) {
      this.block([`${'#'.repeat(next.heading)} ${lines.join(' ')}`]);
      if ((this.quotes.at(-1) ?? 0) === 0) this.headings.push(this.lines.length - 1);
      return;
    }
    const prefix = this.levels.prefix(next.level, next.marker, afterItem);
    const [first = '', ...rest] = withBreaks(lines);
    const indent = this.levels.indent();
    this.block([prefix + next.typed + first, ...rest.map((line) => indent + line)], afterItem);
    this.afterItem = true;
  }

  private block(lines: string[], tight = false): void {
    const quotes = Math.min(this.quotes.at(-1) ?? 0, DEEPEST_QUOTE);
    const marks = '> '.repeat(quotes);
    if (this.lines.length > 0 && !tight)
      this.lines.push('> '.repeat(Math.min(quotes, this.lastQuotes)).trimEnd());
    // A block may have more lines than a call can have arguments.
    for (const line of lines) this.lines.push(line === '' ? marks.trimEnd() : marks + line);
    this.lastQuotes = quotes;
    this.afterItem = false;
  }

  private preformatted(): void {
    if (--this.pre > 0 || this.rows !== null) return;
    const text = withoutEnding(withoutPrefix(this.inline.takePlain(), '\n'), '\n');
    if (text !== '') this.block(fenceLines(text, ''));
  }

  private isInTable(): boolean {
    return this.tables.at(-1) === 'data';
  }

  private openTable(element: Element): void {
    const isInner = this.rows !== null;
    const kind = isInner ? 'inner' : isLayoutTable(element) ? 'layout' : 'data';
    this.tables.push(kind);
    if (kind === 'data') this.rows = [];
    if (kind === 'data') this.groups = [];
  }

  private beginRow(row: Element): void {
    this.rows!.push([]);
    this.groups.push(row.parentNode);
  }

  private cell(element: Element): void {
    const lines = this.inline.take().split('\n');
    const text = lines
      .map((line) => line.trim())
      .filter((line) => line !== '')
      .join('<br>');
    const columns = spanOf(attribute(element, 'colspan'));
    this.rows!.at(-1)?.push({ text, columns, rows: rowSpanOf(attribute(element, 'rowspan')) });
  }

  /** Writes the caption of a table above it. */
  private caption(): void {
    const text = this.inline.takeLines();
    if (text.length > 0) this.block(text);
  }

  private closeTable(): void {
    if (this.tables.pop() !== 'data') {
      if (this.rows === null) this.flush();
      else this.inline.blank();
      return;
    }
    const { rows: all, groups } = this;
    const order = shownOrder(groups);
    const ordered = order.map((at) => all![at]!);
    const spans = withinGroups(
      ordered,
      order.map((at) => groups[at]!),
    );
    const rows = gridOf(spans).filter((_, index) => ordered[index]!.length > 0);
    this.rows = null;
    if (rows.length === 0) return this.flush();
    this.block(tableLines(rows));
    this.flush();
  }
}

/** Elements that change the text inside them. */
const INLINE = new Set(['a', 'sup', 'sub', 'del', 's', 'strike']);

/** Classes of what MathJax 2 draws for the formula of a script: before it is drawn, and in each of its forms. */
const DRAWN =
  'MathJax MathJax_Preview MathJax_Display MathJax_SVG MathJax_SVG_Display MathJax_CHTML MJXc-display'.split(
    ' ',
  );

/** Returns whether an element is a formula of MathJax 2, whose source is TeX. */
const isTexScript = (element: Element): boolean =>
  element.tagName === 'script' && /^math\/tex\b/i.test(attribute(element, 'type') ?? '');

const texScripts = (page: Node): Element[] =>
  [...nodesOf(page)].filter((node): node is Element => 'tagName' in node && isTexScript(node));

/** Returns whether an element is drawn for a formula that a script of the page contains. */
const isDrawnFormula = (element: Element): boolean => DRAWN.some((name) => hasClass(element, name));
