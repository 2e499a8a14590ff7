import { splitAtLineEnds, withoutByteOrderMark } from '#contracts/text.js';
import { frontMatterLines } from '#markdown/front-matter.js';
import {
  isLiteralDeclaration,
  literalTags,
  readWrittenTag,
  escapeLiteralTags,
} from '#markdown/html/literal-tags.js';
import { isHiddenElement } from '#markdown/html/elements.js';
import { parseMarkdown } from '#markdown/parse.js';
import { isDelimiterRow, splitLines } from '#markdown/scan/scan.js';
import type { Html, Nodes, Parents, PhrasingContent } from 'mdast';
import { type DefaultTreeAdapterTypes, parseFragment } from 'parse5';

/** Words of one source line that a reader of the document must see. Line numbers start at 1. */
export interface VisibleLine {
  line: number;
  text: string;
  /**
   * True if a document shows these words in another place than the source: a footnote, the caption of a
   * table.
   */
  moves: boolean;
}

const CALLOUT = /^\[!(?:note|tip|important|warning|caution)\][ \t]*/i;
const CAPTION = /^Table:\s*/;

/**
 * Returns the words that markdown shows, by line: everything except markup, addresses, comments and formulas.
 * Front matter counts as written.
 */
export function visibleMarkdown(markdown: string, options = { frontMatter: true }): VisibleLine[] {
  const lines = splitLines(withoutByteOrderMark(markdown));
  const { frontMatter, chapters } = parseMarkdown(markdown);
  const reader = new Reader();
  if (options.frontMatter && Object.keys(frontMatter).length > 0)
    lines.slice(0, frontMatterLines(lines)).forEach((text, index) => reader.add(index + 1, text));
  for (const chapter of chapters) reader.block(chapter);
  raggedTables(reader.found);
  return reader.found;
}

/**
 * Removes the borders of tables with rows of different lengths. Markdown does not recognize these as tables,
 * but a manuscript may fix them; then the borders are not words.
 */
function raggedTables(found: VisibleLine[]): void {
  const isRow = (line: VisibleLine | undefined) => line?.text.includes('|') === true;
  found.forEach((line, index) => {
    if (!isRow(line) || !isDelimiterRow(line.text.trim())) return;
    let last = index;
    while (isRow(found[last + 1])) last++;
    for (const row of found.slice(Math.max(0, index - 1), last + 1)) row.text = row.text.replaceAll('|', ' ');
    line.text = '';
  });
}

class Reader {
  readonly found: VisibleLine[] = [];
  /** Notes move to the end; references to other notes within them count as words. */
  private inNote = false;
  /**
   * Bare addresses become links without a position, and so do their neighbours; they use the last known line.
   */
  private line = 1;
  /** Name of an open tag that hides its content. */
  private hidden: string | null = null;
  private literal = new Set<Html>();

  add(line: number, text: string): void {
    if (this.hidden !== null) return;
    const last = this.found.at(-1);
    if (text.trim() === '' && last?.line !== line) return;
    if (last?.line === line && last.moves === this.inNote) last.text += text;
    else this.found.push({ line, text, moves: this.inNote });
  }

  block(node: Nodes): void {
    if (node.type === 'paragraph' || node.type === 'heading' || node.type === 'tableCell') {
      this.line = lineOf(node);
      return this.run(node.children);
    }
    if (node.type === 'code') return this.code(node.value, lineOf(node), node.position?.end.line ?? 1);
    if (node.type === 'html')
      return htmlWords(node.value, lineOf(node)).forEach(({ line, text }) => this.add(line, text));
    if (!('children' in node)) return;
    const { inNote } = this;
    if (node.type === 'footnoteDefinition') this.inNote = true;
    this.children(node);
    this.inNote = inNote;
  }

  private children(node: Parents): void {
    node.children.forEach((child, index) => {
      const beside = [node.children[index - 1], node.children[index + 1]];
      const isCaption = child.type === 'paragraph' && beside.some((next) => next?.type === 'table');
      const quoted = node.type === 'blockquote' && index === 0;
      if (child.type !== 'paragraph' || !(isCaption || quoted)) return this.block(child);
      const from = this.found.length;
      this.block(child);
      const first = this.found[from];
      if (first === undefined) return;
      if (quoted) first.text = first.text.replace(CALLOUT, '');
      if (!isCaption || !CAPTION.test(first.text)) return;
      first.text = first.text.replace(CAPTION, '');
      for (const line of this.found.slice(from)) line.moves = true;
    });
  }

  private code(value: string, first: number, last: number): void {
    const lines = splitAtLineEnds(value);
    const from = last - first + 1 > lines.length ? first + 1 : first;
    lines.forEach((text, index) => this.add(from + index, text));
  }

  /** Reads the words of a paragraph, heading or cell. */
  private run(nodes: readonly PhrasingContent[]): void {
    const tags = htmlNodes(nodes).flatMap((node) => {
      const tag = readWrittenTag(node.value);
      return tag === null ? [] : [{ node, tag }];
    });
    const literal = literalTags(tags.map(({ tag }) => tag));
    this.literal = new Set(tags.filter((_, index) => literal[index]).map(({ node }) => node));
    this.inlines(nodes);
    this.hidden = null;
    const last = this.found.at(-1);
    // Separate the words of adjacent cells and paragraphs.
    if (last !== undefined) last.text += ' ';
  }

  private inlines(nodes: readonly PhrasingContent[]): void {
    for (const node of nodes) {
      this.line = node.position?.start.line ?? this.line;
      if (node.type === 'text') this.text(node.value);
      else if (node.type === 'inlineCode') this.add(this.line, node.value);
      else if (node.type === 'html') this.html(node);
      else if (node.type === 'footnoteReference' && this.inNote)
        this.add(this.line, `[${node.label ?? node.identifier}]`);
      else if (node.type === 'break') this.add(this.line++, ' ');
      else if ('children' in node) this.inlines(node.children);
    }
  }

  private text(value: string): void {
    splitAtLineEnds(value).forEach((text, index) => this.add(index === 0 ? this.line : ++this.line, text));
  }

  private html(node: Html): void {
    const tag = readWrittenTag(node.value);
    if (this.literal.has(node)) return this.add(this.line, node.value);
    if (tag === null) return isLiteralDeclaration(node.value) ? this.add(this.line, node.value) : undefined;
    if (tag.name === 'br') this.add(this.line, ' ');
    if (tag.closing && tag.name === this.hidden) this.hidden = null;
    else if (this.hidden === null && !tag.closing && !node.value.endsWith('/>') && isHiddenElement(tag.name))
      this.hidden = tag.name;
  }
}

function lineOf(node: Nodes): number {
  return node.position?.start.line ?? 1;
}

function htmlNodes(nodes: readonly PhrasingContent[]): Html[] {
  return nodes.flatMap((node) =>
    node.type === 'html' ? [node] : 'children' in node ? htmlNodes(node.children) : [],
  );
}

type Node = DefaultTreeAdapterTypes.Node;

/** Returns the texts of an HTML block by line; `first` is the number of its first line. */
function htmlWords(html: string, first: number): { line: number; text: string }[] {
  const found: { line: number; text: string }[] = [];
  const fragment = parseFragment(escapeLiteralTags(html), { sourceCodeLocationInfo: true });
  const stack: Node[] = [...fragment.childNodes].reverse();
  for (let node = stack.pop(); node; node = stack.pop()) {
    if (node.nodeName === '#text' && 'value' in node) {
      const at = first + (node.sourceCodeLocation?.startLine ?? 1) - 1;
      node.value.split('\n').forEach((text, index) => found.push({ line: at + index, text }));
      continue;
    }
    if (!('childNodes' in node) || isHiddenElement(node.nodeName)) continue;
    for (let index = node.childNodes.length - 1; index >= 0; index--)
      stack.push(node.childNodes[index] as Node);
  }
  return found;
}
