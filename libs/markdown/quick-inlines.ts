import { hasSpace } from '#contracts/text.js';
import type { LinkReference, PhrasingContent, Text } from 'mdast';

/** Line of a paragraph without its container prefixes, and its position in the document. */
export interface PlacedLine {
  text: string;
  offset: number;
  /** `line` and `column` are 1-based. */
  line: number;
  column: number;
}

type Position = NonNullable<Text['position']>;

/** White space that the parser may collapse or treat as a break, and characters left to the parser. */
const NOT_QUICK =
  /[\t\r\u0000\uFEFF]|[ \u00A0\u1680\u2000-\u200A\u202F\u205F\u3000](?:\n|$)|(?:^|\n)[\s\u00A0\u3000]/;
const SPECIAL = /[`*_~[\]!\\<&\n]|https?:\/\//g;
/** Other forms of bare URLs also become links. */
const RISKY = /:\/\/|mailto:|xmpp:|www\.|@/i;
const BARE_ADDRESS =
  /https?:\/\/[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+(?:\/[\p{L}0-9/-]*)?(?=\s|$|[.,](?:\s|$))/uy;
/** Matches output text in which a URL becomes a link even if it was escaped. */
const ADDRESS = /:\/\/|www\.|@/i;
const ESCAPABLE = /[!-/:-@[-`{-~]/;
const DESTINATION = /\(([^\s()<>\\&\u0000-\u001F]+)(?: "([^"\\&\n]*)")?\)/y;
/** Label of a definition; `[text][label]` is a link only if the document defines it. */
const REFERENCE = /\[([A-Za-z0-9]+(?:[ ._/-][A-Za-z0-9]+)*)\](?![[(:])/y;
/** Reference to a note, valid only if the document defines it. */
const NOTE = /\[\^([A-Za-z0-9_-]{1,99})\](?![[(:])/y;
const PLAIN_ALT = /^[^`*_[\]\\<&~!@:\n]*$/;
const BEFORE_EMPHASIS = /[\s([]/;
const AFTER_EMPHASIS = /[\s.,;:!?)\]]/;

/**
 * Parses the inlines of a paragraph of plain words, code, emphasis, escapes, URLs, links, references, note
 * references and images into nodes equal to the parser's; null if anything is ambiguous.
 */
export function quickInlines(lines: readonly PlacedLine[]): PhrasingContent[] | null {
  const source = lines.length === 1 ? (lines[0]?.text ?? '') : lines.map(({ text }) => text).join('\n');
  // Two dollars may enclose math.
  if (NOT_QUICK.test(source) || source.indexOf('$') !== source.lastIndexOf('$')) return null;
  const reader = new InlineReader(source, lines);
  const nodes = reader.nodes(0, source.length, false);
  return reader.sure ? nodes : null;
}

class InlineReader {
  sure = true;
  private lineIndex = 0;
  private lineStart = 0;

  constructor(
    private readonly source: string,
    private readonly lines: readonly PlacedLine[],
  ) {}

  nodes(from: number, to: number, insideLink: boolean): PhrasingContent[] {
    const nodes: PhrasingContent[] = [];
    let value = '';
    let start = from;
    let at = from;
    while (at < to && this.sure) {
      const next = this.nextSpecial(at, to);
      value += this.words(at, next);
      at = next;
      if (at >= to) break;
      const nextAt = this.literal(at);
      if (nextAt > 0) {
        value += this.source[at + nextAt - 1];
        at += nextAt;
        continue;
      }
      if (at > start) nodes.push(this.text(value, start, at));
      at = this.construct(nodes, at, to, insideLink);
      start = at;
      value = '';
    }
    if (to > start) nodes.push(this.text(value, start, to));
    return nodes;
  }

  private nextSpecial(from: number, to: number): number {
    SPECIAL.lastIndex = from;
    return Math.min(to, SPECIAL.exec(this.source)?.index ?? to);
  }

  private words(from: number, to: number): string {
    const words = this.source.slice(from, to);
    if (RISKY.test(words)) this.sure = false;
    return words;
  }

  /** Returns the length of a literal character, including its escape; 0 if a construct starts. */
  private literal(at: number): number {
    const next = this.source[at + 1] ?? '';
    switch (this.source[at]) {
      case '\n':
        return 1;
      case '\\':
        if (next === '\n') this.sure = false;
        return ESCAPABLE.test(next) ? 2 : 1;
      case '&':
        if (/[#A-Za-z0-9]/.test(next)) this.sure = false;
        return 1;
      case '<':
        if (/[A-Za-z/!?]/.test(next)) this.sure = false;
        return 1;
      case '!':
        return next === '[' ? 0 : 1;
      case ']':
        this.sure = false;
        return 1;
      case '*':
        return at > 0 && hasSpace(this.source[at - 1] ?? '') && hasSpace(next) ? 1 : 0;
      case '_':
        return /[A-Za-z0-9]/.test(this.source[at - 1] ?? '') && /[A-Za-z0-9]/.test(next) ? 1 : 0;
      case '~':
        return this.source.indexOf('~') === this.source.lastIndexOf('~') ? 1 : 0;
      default:
        return 0;
    }
  }

  /** Appends the construct that starts at `at` and returns its end. */
  private construct(nodes: PhrasingContent[], at: number, to: number, insideLink: boolean): number {
    switch (this.source[at]) {
      case '`':
        return this.code(nodes, at, to);
      case '*':
      case '_':
      case '~':
        return this.emphasis(nodes, at, to, insideLink);
      case 'h':
      case 'H':
        return insideLink ? this.markUnsure(to) : this.bareAddress(nodes, at, to);
      case '!':
        return this.link(nodes, at, at + 1, to, false);
      default:
        return this.source[at + 1] === '^'
          ? this.noteMark(nodes, at, to)
          : this.link(nodes, at, at, to, insideLink);
    }
  }

  private markUnsure(to: number): number {
    this.sure = false;
    return to;
  }

  private code(nodes: PhrasingContent[], at: number, to: number): number {
    const { source } = this;
    const close = source.indexOf('`', at + 1);
    if (close < 0 || close >= to || close === at + 1 || source[close + 1] === '`') return this.markUnsure(to);
    const value = source.slice(at + 1, close);
    if (/^ | $|\n/.test(value)) return this.markUnsure(to);
    nodes.push({ type: 'inlineCode', value, position: this.position(at, close + 1) });
    return close + 1;
  }

  private emphasis(nodes: PhrasingContent[], at: number, to: number, insideLink: boolean): number {
    const { source } = this;
    const sign = source[at] ?? '';
    const run = source[at + 1] === sign ? 2 : 1;
    const from = at + run;
    const close = source.indexOf(sign, from);
    const end = close + run;
    const mark = sign.repeat(run);
    const certain =
      close > from &&
      end <= to &&
      (at === 0 || BEFORE_EMPHASIS.test(source[at - 1] ?? '')) &&
      (sign !== '~' || run === 2) &&
      !hasSpace(source[from] ?? '') &&
      source.startsWith(mark, close) &&
      source[end] !== sign &&
      !/[\s\\]/.test(source[close - 1] ?? '') &&
      (end === source.length || AFTER_EMPHASIS.test(source[end] ?? ''));
    if (!certain) return this.markUnsure(to);
    const position = this.position(at, end);
    const children = this.nodes(from, close, insideLink);
    const type = sign === '~' ? 'delete' : run === 2 ? 'strong' : 'emphasis';
    nodes.push({ type, children, position });
    return end;
  }

  private bareAddress(nodes: PhrasingContent[], at: number, to: number): number {
    BARE_ADDRESS.lastIndex = at;
    const [url] = BARE_ADDRESS.exec(this.source) ?? [];
    if (url === undefined || /[A-Za-z]/.test(this.source[at - 1] ?? '')) return this.markUnsure(to);
    const end = at + url.length;
    const position = (): Position => this.position(at, end);
    const children: Text[] = [{ type: 'text', value: url, position: position() }];
    nodes.push({ type: 'link', title: null, url, children, position: position() });
    return end > to ? this.markUnsure(to) : end;
  }

  /** Parses a link, or an image if `!` precedes the bracket. */
  private link(
    nodes: PhrasingContent[],
    at: number,
    bracket: number,
    to: number,
    insideLink: boolean,
  ): number {
    const { source } = this;
    const close = source.indexOf(']', bracket + 1);
    const label = source.slice(bracket + 1, close);
    DESTINATION.lastIndex = close + 1;
    const match = close < 0 || insideLink || /^\^|[[\\\n]/.test(label) ? null : DESTINATION.exec(source);
    const end = DESTINATION.lastIndex;
    const [, url = '', title = null] = match ?? [];
    if (!match && bracket === at && !insideLink) return this.reference(nodes, at, close, to);
    if (!match || end > to) return this.markUnsure(to);
    const position = this.position(at, end);
    if (bracket > at) {
      if (!PLAIN_ALT.test(label)) return this.markUnsure(to);
      nodes.push({ type: 'image', title, url, alt: label, position });
    } else {
      if (label === '') return this.markUnsure(to);
      nodes.push({ type: 'link', title, url, children: this.nodes(bracket + 1, close, true), position });
    }
    return end;
  }

  /** Parses a reference to a definition; the caller has to check that it exists. */
  private reference(nodes: PhrasingContent[], at: number, close: number, to: number): number {
    const text = this.source.slice(at + 1, close);
    REFERENCE.lastIndex = close + 1;
    const [, label] = close < 0 || /^\^|^$|[[\\\n]/.test(text) ? [] : (REFERENCE.exec(this.source) ?? []);
    const end = REFERENCE.lastIndex;
    if (label === undefined || end > to) return this.markUnsure(to);
    const position = this.position(at, end);
    const children = this.nodes(at + 1, close, true) as LinkReference['children'];
    const identifier = label.toLowerCase();
    nodes.push({ type: 'linkReference', children, position, label, identifier, referenceType: 'full' });
    return end;
  }

  /** Parses a reference to a note; the caller has to check that it exists. */
  private noteMark(nodes: PhrasingContent[], at: number, to: number): number {
    NOTE.lastIndex = at;
    const [, label] = NOTE.exec(this.source) ?? [];
    const end = NOTE.lastIndex;
    if (label === undefined || end > to) return this.markUnsure(to);
    const identifier = label.toLowerCase();
    nodes.push({ type: 'footnoteReference', identifier, label, position: this.position(at, end) });
    return end;
  }

  private text(value: string, from: number, to: number): Text {
    if (ADDRESS.test(value)) this.sure = false;
    return { type: 'text', value, position: this.position(from, to) };
  }

  private position(from: number, to: number): Position {
    return { start: this.point(from), end: this.point(to) };
  }

  private point(index: number): Position['start'] {
    if (index < this.lineStart) this.lineIndex = this.lineStart = 0;
    let line = this.lines[this.lineIndex];
    while (line && index > this.lineStart + line.text.length) {
      this.lineStart += line.text.length + 1;
      line = this.lines[++this.lineIndex];
    }
    const into = index - this.lineStart;
    if (!line) throw new RangeError('a place outside the paragraph');
    return { line: line.line, column: line.column + into, offset: line.offset + into };
  }
}
