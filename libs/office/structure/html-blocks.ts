import { withLineFeeds, withoutEnding } from '#contracts/text.js';
import { blockElements, isHiddenElement } from '#markdown/html/elements.js';
import { escapeLiteralTags } from '#markdown/html/literal-tags.js';
import { parseFragment, type DefaultTreeAdapterMap } from 'parse5';
import type { BuildContext } from './context.js';
import { attributeRecord, markOf } from './html-tags.js';
import { InlineBuilder } from './inlines.js';
import type {
  Align,
  Block,
  Inline,
  ListBlock,
  ListItem,
  TableBlock,
  TableRow,
} from '#contracts/structure.js';

type Node = DefaultTreeAdapterMap['childNode'];
type Element = DefaultTreeAdapterMap['element'];

const BLOCKS = blockElements('menu tbody tfoot thead');

/**
 * Converts an HTML block to blocks (D24). Text and structure remain; scripts, styles and comments are
 * dropped. Tags unknown to HTML become text.
 */
export function htmlBlocks(html: string, line: number, endLine: number, context: BuildContext): Block[] {
  const builder = new HtmlBuilder(context, line, endLine);
  return builder.blocks(parseFragment(escapeLiteralTags(html)).childNodes);
}

class HtmlBuilder {
  constructor(
    private readonly context: BuildContext,
    private readonly line: number,
    private readonly endLine: number,
  ) {}

  blocks(nodes: readonly Node[], align?: Align): Block[] {
    const blocks: Block[] = [];
    let run: Node[] = [];
    const flush = (): void => {
      const paragraph = this.paragraph(run, align);
      if (paragraph) blocks.push(paragraph);
      run = [];
    };
    for (const node of nodes) {
      if ('tagName' in node && isHiddenElement(node.tagName)) continue;
      if ('tagName' in node && (BLOCKS.has(node.tagName) || hasBlock(node))) {
        flush();
        blocks.push(...this.element(node, align));
      } else run.push(node);
    }
    flush();
    return blocks;
  }

  private element(element: Element, inherited?: Align): Block[] {
    const name = element.tagName;
    const align = alignOf(element) ?? (name === 'center' ? 'center' : inherited);
    if (/^h[1-6]$/.test(name)) return this.heading(element, Number(name[1]));
    if (name === 'pre') return [{ type: 'code', language: null, text: preText(element), ...this.place }];
    if (name === 'ul' || name === 'ol' || name === 'menu') return this.list(element);
    if (name === 'table') return this.table(element);
    if (name === 'hr') return [{ type: 'rule', ...this.place }];
    if (name === 'blockquote')
      return [{ type: 'quote', blocks: this.blocks(element.childNodes, align), ...this.place }];
    if (name === 'summary' || name === 'dt') return this.strong(element, align);
    return this.blocks(element.childNodes, align);
  }

  private get place(): { line: number; end_line: number } {
    return { line: this.line, end_line: this.endLine };
  }

  private paragraph(nodes: readonly Node[], align?: Align): Block | null {
    const content = this.inlines(nodes);
    if (content.length === 0) return null;
    return { type: 'paragraph', content, ...(align && align !== 'left' ? { align } : {}), ...this.place };
  }

  private strong(element: Element, align?: Align): Block[] {
    const content = this.inlines(element.childNodes, { bold: true });
    return content.length > 0
      ? [{ type: 'paragraph', content, ...(align ? { align } : {}), ...this.place }]
      : [];
  }

  private heading(element: Element, level: number): Block[] {
    const content = this.inlines(element.childNodes, { tellsFiles: false });
    if (content.length === 0) return [];
    return [
      { type: 'heading', level, id: this.context.heading(level, content, this.line), content, ...this.place },
    ];
  }

  private list(element: Element): Block[] {
    const items: ListItem[] = elements(element, ['li']).map((item) => ({
      checked: null,
      blocks: this.blocks(item.childNodes),
    }));
    if (items.length === 0) return this.blocks(element.childNodes);
    const ordered = element.tagName === 'ol';
    const first = Number.parseInt(attributeRecord(element).start ?? '1', 10);
    const start = ordered ? Math.max(0, Number.isNaN(first) ? 1 : first) : null;
    return [{ type: 'list', ordered, start, items, ...this.place } satisfies ListBlock];
  }

  private table(element: Element): Block[] {
    const rows: TableRow[] = elements(element, ['tr']).map((row) => {
      const cells = elements(row, ['td', 'th']);
      const header = cells.length > 0 && cells.every((cell) => cell.tagName === 'th');
      return { header, cells: cells.map((cell) => this.inlines(cell.childNodes)) };
    });
    const width = Math.max(0, ...rows.map((row) => row.cells.length));
    if (width === 0) return this.blocks(element.childNodes.filter((node) => 'tagName' in node));
    for (const row of rows) while (row.cells.length < width) row.cells.push([]);
    const [caption] = elements(element, ['caption']);
    const before = caption ? this.paragraph(caption.childNodes) : null;
    const align: TableBlock['align'] = Array.from({ length: width }, () => null);
    const table: TableBlock = {
      type: 'table',
      align,
      rows,
      caption: null,
      id: null,
      number: null,
      ...this.place,
    };
    return before ? [before, table] : [table];
  }

  private inlines(nodes: readonly Node[], { bold = false, tellsFiles = true } = {}): Inline[] {
    const builder = new InlineBuilder(this.context, this.line, tellsFiles);
    const build = (): void => nodes.forEach((node) => this.inline(builder, node));
    if (bold) builder.marked('b', 'bold', build);
    else build();
    return trimInlines(builder.finish());
  }

  private inline(builder: InlineBuilder, node: Node): void {
    if (node.nodeName === '#text' && 'value' in node)
      return builder.text(node.value.replace(/[ \t\r\n]+/g, ' '));
    if (!('tagName' in node) || isHiddenElement(node.tagName)) return;
    const attributes = attributeRecord(node);
    const children = (): void => node.childNodes.forEach((child) => this.inline(builder, child));
    const mark = markOf(node.tagName);
    builder.place(attributes.id ?? (node.tagName === 'a' ? attributes.name : undefined));
    if (node.tagName === 'br') return builder.push({ type: 'break' });
    if (node.tagName === 'img')
      return builder.htmlImage({
        name: 'img',
        closing: false,
        selfClosing: true,
        attributes,
        mark: null,
        hides: false,
      });
    if (node.tagName === 'a' && attributes.href) {
      builder.openLink(attributes.href, attributes.title ?? null);
      children();
      return builder.closeLink();
    }
    if (mark) return builder.marked(node.tagName, mark, children);
    children();
    if (BLOCKS.has(node.tagName)) builder.text(' ');
  }
}

function hasBlock(element: Element): boolean {
  return element.childNodes.some((node) => 'tagName' in node && (BLOCKS.has(node.tagName) || hasBlock(node)));
}

/**
 * Returns the descendants of `element` with these names, except descendants inside a nested element of the same type.
 */
function elements(element: Element, names: readonly string[]): Element[] {
  const found: Element[] = [];
  for (const node of element.childNodes) {
    if (!('tagName' in node)) continue;
    if (names.includes(node.tagName)) found.push(node);
    else if (node.tagName !== element.tagName) found.push(...elements(node, names));
  }
  return found;
}

function alignOf(element: Element): Align | undefined {
  const { align } = attributeRecord(element);
  return align === 'center' || align === 'right' || align === 'left' ? align : undefined;
}

function preText(element: Element): string {
  const text = (nodes: readonly Node[]): string =>
    nodes
      .map((node) => ('value' in node ? node.value : 'childNodes' in node ? text(node.childNodes) : ''))
      .join('');
  return withoutEnding(withLineFeeds(text(element.childNodes)), '\n');
}

/** Strips blanks at both ends of inline content and drops text that becomes empty. */
function trimInlines(content: Inline[]): Inline[] {
  const first = content[0];
  if (first?.type === 'text' && !first.marks?.includes('code')) first.value = first.value.trimStart();
  const last = content.at(-1);
  if (last?.type === 'text' && !last.marks?.includes('code')) last.value = last.value.trimEnd();
  return content.filter((inline) => inline.type !== 'text' || inline.value !== '');
}
