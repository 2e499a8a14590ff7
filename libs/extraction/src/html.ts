import { type DefaultTreeAdapterTypes, parse } from 'parse5';
import type { EmbeddedImages } from './embedded-images.js';
import { fenceLines, imageMarkdown, InlineText } from './inline-text.js';
import { ListLevels } from './list-levels.js';
import { tableRow } from './table.js';

type Node = DefaultTreeAdapterTypes.Node;
type Element = DefaultTreeAdapterTypes.Element;

/** What a reader of the page does not see. */
const SKIPPED = new Set([
  'script',
  'style',
  'head',
  'template',
  'noscript',
  'iframe',
  'annotation',
  'annotation-xml',
]);
const BLOCKS = new Set(
  'address article aside blockquote body center dd details dialog div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr html legend li main nav ol p pre section summary table ul tr td th caption'.split(
    ' ',
  ),
);

/**
 * The visible text of an HTML page as markdown: headings, paragraphs, lists, tables, preformatted text in fences. Images stay as
 * references; those that stand in their own address are collected. Walks the tree without recursion, so nesting cannot exhaust the stack.
 */
export function htmlText(html: string, images: EmbeddedImages): string {
  const writer = new Writer(images);
  const stack: { node: Node; closing: boolean }[] = [{ node: parse(html), closing: false }];
  for (let top = stack.pop(); top; top = stack.pop()) {
    const { node, closing } = top;
    if (closing) {
      writer.close(node as Element);
      continue;
    }
    if (node.nodeName === '#text') writer.text((node as DefaultTreeAdapterTypes.TextNode).value);
    if (!('childNodes' in node) || SKIPPED.has(node.nodeName)) continue;
    if ('tagName' in node) {
      writer.open(node);
      stack.push({ node, closing: true });
    }
    for (let i = node.childNodes.length - 1; i >= 0; i--)
      stack.push({ node: node.childNodes[i] as Node, closing: false });
  }
  return writer.finish();
}

interface OpenList {
  ordered: boolean;
  count: number;
}

class Writer {
  private readonly lines: string[] = [];
  private readonly inline = new InlineText();
  /** What the next text becomes: a heading of a level, or an item with a marker on a level. */
  private next: { heading: number } | { marker: string; level: number } | null = null;
  private pre = 0;
  private readonly lists: OpenList[] = [];
  private readonly levels = new ListLevels();
  private rows: string[][] | null = null;
  private tables = 0;
  private afterItem = false;

  constructor(private readonly images: EmbeddedImages) {}

  text(value: string): void {
    this.inline.text(this.pre > 0 ? value : value.replace(/[ \t\r\n\f]+/g, ' '));
  }

  open(element: Element): void {
    const tag = element.tagName;
    const cells = this.rows !== null;
    if (BLOCKS.has(tag) && !cells) this.flush();
    if (tag === 'br') this.inline.text('\n');
    else if (tag === 'img') this.image(element);
    else if (tag === 'pre') this.pre++;
    else if (tag === 'ul' || tag === 'ol')
      this.lists.push({ ordered: tag === 'ol', count: Number(attribute(element, 'start') ?? 1) - 1 });
    else if (/^h[1-6]$/.test(tag) && !cells) this.next = { heading: Number(tag[1]) };
    else if (tag === 'li' && !cells) this.next = this.item();
    else if (tag === 'table' && ++this.tables === 1) this.rows = [];
    else if (tag === 'tr' && this.tables === 1) this.rows?.push([]);
    else if (tag === 'hr' && !cells) this.block(['---']);
  }

  close({ tagName: tag }: Element): void {
    if (tag === 'pre') this.preformatted();
    else if (tag === 'ul' || tag === 'ol') {
      if (this.rows === null) this.flush();
      this.lists.pop();
    } else if (tag === 'caption' && this.tables === 1) this.caption();
    else if ((tag === 'td' || tag === 'th') && this.tables === 1)
      this.rows?.[this.rows.length - 1]?.push(this.inline.take().trim().replaceAll('\n', '<br>'));
    else if (tag === 'table' && --this.tables === 0) this.table();
    else if (BLOCKS.has(tag) && this.rows === null) this.flush();
    else if (BLOCKS.has(tag)) this.inline.blank();
  }

  finish(): string {
    this.flush();
    return this.lines.length > 0 ? `${this.lines.join('\n')}\n` : '';
  }

  private image(element: Element): void {
    const source = attribute(element, 'src');
    if (!source) return;
    const name = this.images.addDataUri(source) ?? source;
    this.inline.markdown(imageMarkdown(name, attribute(element, 'alt') ?? ''));
  }

  private item(): { marker: string; level: number } {
    const list = this.lists[this.lists.length - 1] ?? { ordered: false, count: 0 };
    list.count++;
    return { marker: list.ordered ? `${list.count}.` : '-', level: Math.max(0, this.lists.length - 1) };
  }

  private flush(): void {
    if (this.pre > 0) return;
    const text = this.inline.takeLines();
    if (text.length === 0) return;
    const { next, afterItem } = this;
    this.next = null;
    if (next === null) return this.block(text);
    const flat = text.join(' ');
    if ('heading' in next) return this.block([`${'#'.repeat(next.heading)} ${flat}`]);
    this.block([this.levels.prefix(next.level, next.marker, afterItem) + flat], afterItem);
    this.afterItem = true;
  }

  private block(lines: string[], tight = false): void {
    if (this.lines.length > 0 && !tight) this.lines.push('');
    this.lines.push(...lines);
    this.afterItem = false;
  }

  private preformatted(): void {
    if (--this.pre > 0 || this.rows !== null) return;
    const text = this.inline.takePlain().replace(/^\n/, '').replace(/\n$/, '');
    if (text !== '') this.block(fenceLines(text, ''));
  }

  /** The title of a table stands before its rows. */
  private caption(): void {
    const text = this.inline.takeLines();
    if (text.length > 0) this.block(text);
  }

  private table(): void {
    const rows = (this.rows ?? []).filter((row) => row.length > 0);
    this.rows = null;
    if (rows.length === 0) return this.flush();
    const columns = Math.max(...rows.map((row) => row.length));
    const [head = [], ...body] = rows.map((row) => tableRow(row, columns));
    this.block([head as string, tableRow(new Array<string>(columns).fill('---'), columns), ...body]);
    this.flush();
  }
}

function attribute(element: Element, name: string): string | null {
  return element.attrs.find((attr) => attr.name === name)?.value ?? null;
}
