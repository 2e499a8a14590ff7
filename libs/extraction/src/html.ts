import { type DefaultTreeAdapterTypes, parse } from 'parse5';
import { tableRow } from './table.js';

type Node = DefaultTreeAdapterTypes.Node;
type Element = DefaultTreeAdapterTypes.Element;

const SKIPPED = new Set([
  'script',
  'style',
  'head',
  'template',
  'noscript',
  'svg',
  'math',
  'iframe',
  'object',
  'select',
]);
const BLOCKS = new Set(
  'address article aside blockquote body center dd details dialog div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr html legend li main nav ol p pre section summary table ul tr td th caption'.split(
    ' ',
  ),
);

/**
 * The visible text of an HTML page as markdown: headings, paragraphs, lists, tables, preformatted text in fences. Images stay as
 * references. Walks the tree without recursion, so nesting cannot exhaust the stack.
 */
export function htmlText(html: string): string {
  const writer = new Writer();
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
  private inline = '';
  private prefix = '';
  private pre = 0;
  private readonly lists: OpenList[] = [];
  private rows: string[][] | null = null;
  private tables = 0;
  private lastWasItem = false;

  text(value: string): void {
    this.inline += this.pre > 0 ? value : value.replace(/[ \t\r\n\f]+/g, ' ');
  }

  open(element: Element): void {
    const tag = element.tagName;
    const cells = this.rows !== null;
    if (BLOCKS.has(tag) && !cells) this.flush();
    if (tag === 'br') this.inline += cells ? '<br>' : '\n';
    else if (tag === 'img') this.image(element);
    else if (tag === 'pre') this.pre++;
    else if (tag === 'ul' || tag === 'ol')
      this.lists.push({ ordered: tag === 'ol', count: Number(attribute(element, 'start') ?? 1) - 1 });
    else if (/^h[1-6]$/.test(tag) && !cells) this.prefix = `${'#'.repeat(Number(tag[1]))} `;
    else if (tag === 'li' && !cells) this.prefix = this.marker();
    else if (tag === 'table' && ++this.tables === 1) this.rows = [];
    else if (tag === 'tr' && this.tables === 1) this.rows?.push([]);
    else if (tag === 'hr' && !cells) this.block(['---']);
  }

  close({ tagName: tag }: Element): void {
    if (tag === 'pre') this.preformatted();
    else if (tag === 'ul' || tag === 'ol') {
      if (this.rows === null) this.flush();
      this.lists.pop();
    } else if ((tag === 'td' || tag === 'th') && this.tables === 1) {
      this.rows?.[this.rows.length - 1]?.push(this.inline.trim());
      this.inline = '';
    } else if (tag === 'table' && --this.tables === 0) this.table();
    else if (BLOCKS.has(tag) && this.rows === null) this.flush();
    else if (BLOCKS.has(tag) && this.inline !== '' && !this.inline.endsWith(' ')) this.inline += ' ';
  }

  finish(): string {
    this.flush();
    return this.lines.length > 0 ? `${this.lines.join('\n')}\n` : '';
  }

  private image(element: Element): void {
    const source = attribute(element, 'src');
    if (source) this.inline += `![${(attribute(element, 'alt') ?? '').replace(/[[\]\n]/g, ' ')}](${source})`;
  }

  private marker(): string {
    const list = this.lists[this.lists.length - 1] ?? { ordered: false, count: 0 };
    list.count++;
    return `${'   '.repeat(Math.max(0, this.lists.length - 1))}${list.ordered ? `${list.count}.` : '-'} `;
  }

  private flush(): void {
    if (this.pre > 0) return;
    const text = this.inline
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '');
    this.inline = '';
    if (text.length === 0) return;
    const item = /^ *(?:-|\d+\.) $/.test(this.prefix);
    const first = this.prefix + (this.prefix === '' ? text[0] : text.join(' '));
    this.block([first, ...(this.prefix === '' ? text.slice(1) : [])], item && this.lastWasItem);
    this.lastWasItem = item;
    this.prefix = '';
  }

  private block(lines: string[], tight = false): void {
    if (this.lines.length > 0 && !tight) this.lines.push('');
    this.lines.push(...lines);
    this.lastWasItem = false;
  }

  private preformatted(): void {
    if (--this.pre > 0 || this.rows !== null) return;
    const lines = this.inline.replace(/^\n/, '').replace(/\n$/, '').split('\n');
    this.inline = '';
    const longest = Math.max(2, ...lines.map((line) => /^\s*(`{3,})/.exec(line)?.[1]?.length ?? 0));
    const fence = '`'.repeat(longest + 1);
    this.block([fence, ...lines, fence]);
  }

  private table(): void {
    const rows = (this.rows ?? []).filter((row) => row.length > 0);
    this.rows = null;
    this.inline = '';
    if (rows.length === 0) return;
    const columns = Math.max(...rows.map((row) => row.length));
    const [head = [], ...body] = rows.map((row) => tableRow(row, columns));
    this.block([head as string, tableRow(new Array<string>(columns).fill('---'), columns), ...body]);
  }
}

function attribute(element: Element, name: string): string | null {
  return element.attrs.find((attr) => attr.name === name)?.value ?? null;
}
