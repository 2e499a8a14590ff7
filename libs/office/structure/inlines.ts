import { isLiteralDeclaration, literalTags, readWrittenTag } from '#markdown/html/literal-tags.js';
import type { Html, PhrasingContent } from 'mdast';
import type { BuildContext } from './context.js';
import { readTag, type Tag } from './html-tags.js';
import type { Inline, LinkInline, Mark } from '#contracts/structure.js';
import { fileAddress } from './file-address.js';

/** Builds inline content; tags that arrive one by one open and close marks and links. */
export class InlineBuilder {
  private readonly frames: { content: Inline[]; link: LinkInline | null }[] = [{ content: [], link: null }];
  private readonly marks: { tag: string; mark: Mark }[] = [];
  /** Name of an open tag with text that does not belong to the document (a script, a style), or null. */
  private hidden: string | null = null;
  /** Tags that are literal text. */
  private readonly literal = new Set<Html>();

  /**
   * @param tellsFiles whether links to files show the address after their text; false in headings, because their text
   * determines their IDs
   */
  constructor(
    private readonly context: BuildContext,
    private readonly line: number,
    private readonly tellsFiles = true,
  ) {}

  finish(): Inline[] {
    while (this.frames.length > 1) this.closeLink();
    return this.current;
  }

  /** Adds a whole paragraph, in which tags can be distinguished from text that looks like one. */
  run(nodes: readonly PhrasingContent[]): this {
    const tags = htmlNodes(nodes).flatMap((node) => {
      const tag = readWrittenTag(node.value);
      return tag === null ? [] : [{ node, tag }];
    });
    const literal = literalTags(tags.map(({ tag }) => tag));
    tags.forEach(({ node }, index) => literal[index] && this.literal.add(node));
    return this.nodes(nodes);
  }

  nodes(nodes: readonly PhrasingContent[]): this {
    for (const node of nodes) this.node(node);
    return this;
  }

  node(node: PhrasingContent): void {
    const line = node.position?.start.line ?? this.line;
    switch (node.type) {
      case 'text':
        return this.text(node.value);
      case 'inlineCode':
        // CommonMark: a line ending inside a code span becomes a blank.
        return this.marked('code', 'code', () => this.text(node.value.replace(/\r?\n/g, ' '), true));
      case 'strong':
        return this.marked('strong', 'bold', () => this.nodes(node.children));
      case 'emphasis':
        return this.marked('em', 'italic', () => this.nodes(node.children));
      case 'delete':
        return this.marked('del', 'strike', () => this.nodes(node.children));
      case 'break':
        return this.push({ type: 'break' });
      case 'inlineMath':
        return this.push({ type: 'math', tex: node.value });
      case 'image':
        return this.push(this.context.image(node.url, node.alt ?? '', node.title ?? null, line));
      case 'link':
        return this.linked(node.url, node.title ?? null, node.children);
      case 'html':
        return this.literal.has(node) ? this.text(node.value) : this.html(node.value);
      default:
        return this.reference(node, line);
    }
  }

  private reference(node: PhrasingContent, line: number): void {
    if (node.type === 'footnoteReference')
      return this.noteReference(node.identifier, node.label ?? node.identifier);
    if (node.type !== 'imageReference' && node.type !== 'linkReference') return;
    const definition = this.context.definitions.get(node.identifier);
    const url = definition?.url ?? '';
    const title = definition?.title ?? null;
    if (node.type === 'imageReference') this.push(this.context.image(url, node.alt ?? '', title, line));
    else this.linked(url, title, node.children);
  }

  private noteReference(identifier: string, label: string): void {
    if (this.context.insideNote) return this.marked('sup', 'superscript', () => this.text(`[${label}]`));
    this.context.mentioned.add(identifier);
    // Adjacent numbers would read as one.
    if (this.current.at(-1)?.type === 'note_ref')
      this.marked('sup', 'superscript', () => this.text(', ', true));
    this.push({ type: 'note_ref', id: identifier });
  }

  /** Adds text; line endings become blanks. `exact` preserves every character. */
  text(value: string, exact = false): void {
    if (this.hidden !== null) return;
    const words = exact ? value : value.replace(/[ \t]*\r?\n[ \t]*/g, ' ');
    if (words === '') return;
    const marks = [...new Set(this.marks.map(({ mark }) => mark))];
    const last = this.current.at(-1);
    if (last?.type === 'text' && sameMarks(last.marks ?? [], marks)) last.value += words;
    else
      this.current.push(
        marks.length > 0 ? { type: 'text', value: words, marks } : { type: 'text', value: words },
      );
  }

  html(value: string): void {
    const tag = readTag(value);
    if (!tag) return isLiteralDeclaration(value) ? this.text(value) : undefined;
    if (this.hidden !== null) {
      if (tag.closing && tag.name === this.hidden) this.hidden = null;
      return;
    }
    if (tag.hides && !tag.closing && !tag.selfClosing) this.hidden = tag.name;
    else if (tag.name === 'br') this.push({ type: 'break' });
    else if (tag.name === 'img' && !tag.closing) this.htmlImage(tag);
    else if (tag.name === 'a') this.htmlAnchor(tag);
    else if (tag.mark) this.htmlMark(tag, tag.mark);
  }

  htmlImage(tag: Tag): void {
    const ref = tag.attributes.src;
    if (!ref) return;
    const { alt = '', title, width, height } = tag.attributes;
    this.push(this.context.image(ref, alt, title ?? null, this.line, pixels(width), pixels(height)));
  }

  private htmlAnchor(tag: Tag): void {
    if (tag.closing) return this.closeLink();
    this.place(tag.attributes.id ?? tag.attributes.name);
    const { href } = tag.attributes;
    if (href && this.frames.length === 1) this.openLink(href, tag.attributes.title ?? null);
  }

  /** Adds an anchor to which links can point. */
  place(id: string | undefined): void {
    if (id && this.context.anchor(id)) this.push({ type: 'anchor', id });
  }

  private htmlMark(tag: Tag, mark: Mark): void {
    if (!tag.closing) {
      this.marks.push({ tag: tag.name, mark });
      return;
    }
    const at = this.marks.findLastIndex((open) => open.tag === tag.name);
    if (at >= 0) this.marks.splice(at, 1);
  }

  marked(tag: string, mark: Mark, build: () => unknown): void {
    const own = { tag, mark };
    this.marks.push(own);
    build();
    const at = this.marks.indexOf(own);
    if (at >= 0) this.marks.splice(at, 1);
  }

  private linked(url: string, title: string | null, children: readonly PhrasingContent[]): void {
    if (this.frames.length > 1) return void this.nodes(children);
    this.openLink(url, title);
    this.nodes(children);
    this.closeLink();
  }

  openLink(url: string, title: string | null): void {
    const link = this.context.link(url, title, []);
    this.frames.push({ content: link.content, link });
  }

  closeLink(): void {
    if (this.frames.length < 2) return;
    const { link } = this.frames.pop() ?? {};
    if (!link || link.content.length === 0) return;
    this.current.push(link);
    const address = this.tellsFiles ? fileAddress(link) : null;
    if (address !== null) this.text(` (${address})`);
  }

  push(inline: Inline): void {
    if (this.hidden === null) this.current.push(inline);
  }

  private get current(): Inline[] {
    return this.frames.at(-1)?.content ?? [];
  }
}

/** Returns the HTML nodes at any depth, in order. */
function htmlNodes(nodes: readonly PhrasingContent[]): Html[] {
  return nodes.flatMap((node) =>
    node.type === 'html' ? [node] : 'children' in node ? htmlNodes(node.children) : [],
  );
}

function sameMarks(a: readonly Mark[], b: readonly Mark[]): boolean {
  return a.length === b.length && a.every((mark) => b.includes(mark));
}

function pixels(value: string | undefined): number | undefined {
  const match = /^\s*(\d+(?:\.\d+)?)\s*(?:px)?\s*$/.exec(value ?? '');
  const size = match ? Number(match[1]) : 0;
  return size > 0 ? size : undefined;
}
