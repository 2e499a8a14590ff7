import { withLineFeeds } from '#contracts/text.js';
import { CALLOUTS } from '#contracts/callouts.js';
import type { Blockquote, List, Nodes, Paragraph, RootContent, Table } from 'mdast';
import { parseMarkdown } from '#markdown/parse.js';
import { canBeTitle } from '#markdown/title.js';
import { BuildContext, type ImageSizes } from './context.js';
import { htmlBlocks } from './html-blocks.js';
import { InlineBuilder } from './inlines.js';
import {
  type Block,
  type CalloutBlock,
  type Inline,
  type ListBlock,
  type Note,
  type Structure,
  type TableBlock,
  type ParagraphBlock,
} from '#contracts/structure.js';

interface BuildOptions {
  /** Natural sizes in pixels, by the reference as in the Markdown. */
  images?: ImageSizes;
}

/**
 * Converts Markdown to `structure.json` (D24).
 *
 * @param markdown GitHub-flavoured Markdown, with math between double dollars and YAML front matter
 * @returns plain data that conforms to `structureSchema`
 * @throws RangeError if blocks are nested deeper than the call stack allows (thousands of levels)
 */
export function buildStructure(markdown: string, options: BuildOptions = {}): Structure {
  const { source, frontMatter, chapters } = parseMarkdown(markdown);
  const context = new BuildContext(options.images ?? {}, source);
  for (const chapter of chapters) context.collectDefinitions(chapter);
  const builder = new BlockBuilder(context);
  const blocks: Block[] = [];
  for (const chapter of chapters) for (const block of builder.blocks(chapter.children)) blocks.push(block);
  const notes = buildNotes(context, builder);
  for (const block of unmentionedNotes(context, builder)) blocks.push(block);
  context.resolveLinks();
  const title = typeof frontMatter.title === 'string' ? frontMatter.title : null;
  const titles = context.headings.filter(({ text }) => canBeTitle(text));
  return {
    version: 1,
    properties: frontMatter,
    title: title ?? (titles.find(({ level }) => level === 1) ?? titles[0])?.text ?? null,
    headings: context.headings,
    blocks,
    notes,
    assets: context.assets,
  };
}

class BlockBuilder {
  constructor(private readonly context: BuildContext) {}

  blocks(nodes: readonly RootContent[]): Block[] {
    const blocks: Block[] = [];
    for (const node of nodes) for (const block of this.block(node)) blocks.push(block);
    return captionTables(blocks, this.context);
  }

  private block(node: RootContent): Block[] {
    const place = placeOf(node);
    switch (node.type) {
      case 'heading': {
        const content = this.inlines(node.children, place.line, false);
        const id = this.context.heading(node.depth, content, place.line);
        return [{ type: 'heading', level: node.depth, id, content, ...place }];
      }
      case 'paragraph':
        return this.paragraph(node);
      case 'code':
        return [{ type: 'code', language: node.lang ?? null, text: withLineFeeds(node.value), ...place }];
      case 'list':
        return [this.list(node)];
      case 'blockquote':
        return [this.quote(node)];
      case 'table':
        return [this.table(node)];
      case 'math':
        return [{ type: 'math', tex: node.value, ...place }];
      case 'thematicBreak':
        return [{ type: 'rule', ...place }];
      case 'html':
        return htmlBlocks(node.value, place.line, place.end_line, this.context);
      default:
        return [];
    }
  }

  private inlines(nodes: Paragraph['children'], line: number, tellsFiles = true): Inline[] {
    return new InlineBuilder(this.context, line, tellsFiles).run(nodes).finish();
  }

  private paragraph(node: Paragraph): Block[] {
    const place = placeOf(node);
    const content = this.inlines(node.children, place.line);
    const [only] = content;
    if (content.length === 1 && only?.type === 'math') return [{ type: 'math', tex: only.tex, ...place }];
    const caption = content.length === 1 && only?.type === 'image' ? (only.title ?? only.alt).trim() : '';
    if (only?.type === 'image' && caption !== '') {
      const number = ++this.context.figures;
      const id = `figure-${number}`;
      this.context.anchor(id);
      return [{ type: 'figure', image: only, caption, id, number, ...place }];
    }
    return content.length > 0 ? [{ type: 'paragraph', content, ...place }] : [];
  }

  private list(node: List): ListBlock {
    const items = node.children.map((item) => ({
      checked: item.checked ?? null,
      blocks: this.blocks(item.children),
    }));
    const ordered = node.ordered === true;
    const start = ordered ? (node.start ?? 1) : null;
    const delimiter = ordered && this.context.closesWithBracket(node) ? { delimiter: ')' as const } : {};
    return { type: 'list', ordered, start, ...delimiter, items, ...placeOf(node) };
  }

  private quote(node: Blockquote): Block {
    const kind = calloutKind(node);
    const place = placeOf(node);
    if (!kind) return { type: 'quote', blocks: this.blocks(node.children), ...place };
    const [first, ...rest] = node.children;
    const body = first?.type === 'paragraph' ? [withoutMarker(first), ...rest] : rest;
    return { type: 'callout', kind, blocks: this.blocks(body), ...place };
  }

  private table(node: Table): TableBlock {
    const columns = Math.max(1, node.align?.length ?? 0, ...node.children.map((row) => row.children.length));
    const align = Array.from({ length: columns }, (_, i) => node.align?.[i] ?? null);
    const rows = node.children.map((row, i) => {
      const line = row.position?.start.line ?? 1;
      const cells = align.map((_, column) => this.inlines(row.children[column]?.children ?? [], line));
      return { header: i === 0, cells };
    });
    return { type: 'table', align, rows, caption: null, id: null, number: null, ...placeOf(node) };
  }
}

function placeOf(node: Nodes): { line: number; end_line: number } {
  return { line: node.position?.start.line ?? 1, end_line: node.position?.end.line ?? 1 };
}

const CALLOUT = new RegExp(`^\\[!(${CALLOUTS.join('|')})\\][ \\t]*(?:\\r?\\n|$)`, 'i');

function calloutKind(node: Blockquote): CalloutBlock['kind'] | null {
  const first = node.children[0];
  const text = first?.type === 'paragraph' ? first.children[0] : undefined;
  if (text?.type !== 'text') return null;
  const name = CALLOUT.exec(text.value)?.[1]?.toLowerCase();
  return CALLOUTS.find((kind) => kind === name) ?? null;
}

function withoutMarker(paragraph: Paragraph): Paragraph {
  const [first, ...rest] = paragraph.children;
  if (first?.type !== 'text') return paragraph;
  return { ...paragraph, children: [{ ...first, value: first.value.replace(CALLOUT, '') }, ...rest] };
}

function buildNotes(context: BuildContext, builder: BlockBuilder): Note[] {
  context.insideNote = true;
  return [...context.mentioned].map((id, i) => {
    const definition = context.noteDefinitions.get(id);
    return {
      id,
      number: i + 1,
      line: definition?.position?.start.line ?? 1,
      blocks: builder.blocks(definition?.children ?? []),
    };
  });
}

/** Returns the content of unreferenced notes, to be added at the end under their labels. */
function unmentionedNotes(context: BuildContext, builder: BlockBuilder): Block[] {
  const blocks: Block[] = [];
  const unmentioned = [...context.noteDefinitions].filter(([id]) => !context.mentioned.has(id));
  for (const definition of [...unmentioned.map(([, note]) => note), ...context.furtherNotes]) {
    const place = placeOf(definition);
    const label: Inline = {
      type: 'text',
      value: `[${definition.label ?? definition.identifier}] `,
      marks: ['superscript'],
    };
    const [first, ...rest] = builder.blocks(definition.children);
    if (first?.type === 'paragraph') blocks.push({ ...first, content: [label, ...first.content] }, ...rest);
    else blocks.push({ type: 'paragraph', content: [label], ...place }, ...(first ? [first] : []), ...rest);
  }
  return blocks;
}

const MARKER = /^Table:\s*/;

/**
 * Turns a paragraph "Table: words" right after or before a table into its caption. The table then gets a
 * number and the ID `table-N`, to which links in the document can point.
 */
function captionTables(blocks: Block[], context: BuildContext): Block[] {
  if (!blocks.some((block) => block.type === 'table')) return blocks;
  const taken = new Set<Block>();
  for (const [i, block] of blocks.entries()) {
    if (block.type !== 'table') continue;
    const caption = [blocks[i + 1], blocks[i - 1]].find(
      (next) => next && !taken.has(next) && isCaption(next),
    );
    if (!caption) continue;
    taken.add(caption);
    numberTable(block, caption as ParagraphBlock, context);
  }
  return taken.size > 0 ? blocks.filter((block) => !taken.has(block)) : blocks;
}

function isCaption(block: Block): boolean {
  const first = block.type === 'paragraph' ? block.content[0] : undefined;
  return first?.type === 'text' && !first.marks && MARKER.test(first.value);
}

function numberTable(table: TableBlock, paragraph: ParagraphBlock, context: BuildContext): void {
  const [first, ...rest] = paragraph.content;
  const words: Inline[] =
    first?.type === 'text' ? [{ ...first, value: first.value.replace(MARKER, '') }] : [];
  table.caption = [...words, ...rest];
  table.number = ++context.tables;
  table.id = `table-${table.number}`;
  context.anchor(table.id);
}
