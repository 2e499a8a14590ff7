import { sha256 } from '#contracts/sha256.js';
import type { Span } from '#contracts/findings.js';
import { type ScannedLine, scanMarkdown, splitLines } from '#markdown/scan/scan.js';

type ParagraphKind =
  'heading' | 'paragraph' | 'list' | 'quote' | 'code' | 'table' | 'footnote' | 'front_matter';

/** A block of a markdown text at `text.slice(start, end)`, without the final line feed. */
export interface Paragraph extends Span {
  /**
   * Derived from the words, so that it stays the same when other paragraphs change; repeated paragraphs are
   * numbered.
   */
  id: string;
  kind: ParagraphKind;
  text: string;
  /** Number of its first line, from 1. */
  line: number;
  /** Level of a heading; 0 for other blocks. */
  level: number;
}

interface Line extends Span {
  scanned: ScannedLine;
}

/**
 * Splits a markdown text into its top-level blocks, in order. All characters outside blocks are white space
 * or line ends. A whole list, quotation, table or code block is one block. Linear.
 */
export function splitParagraphs(markdown: string): Paragraph[] {
  const seen = new Map<string, number>();
  return blocksOf(linesOf(markdown)).map(({ kind, lines, line }) => {
    const first = lines[0] as Line;
    const text = markdown.slice(first.start, (lines[lines.length - 1] as Line).end);
    return {
      id: paragraphId(text, seen),
      kind,
      text,
      start: first.start,
      end: first.start + text.length,
      line,
      level: kind === 'heading' ? first.scanned.level : 0,
    };
  });
}

/** Returns the paragraph at an offset, or null for white space between paragraphs. */
export function paragraphAt(paragraphs: Paragraph[], at: number): Paragraph | null {
  let low = 0;
  let high = paragraphs.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const paragraph = paragraphs[middle] as Paragraph;
    if (at < paragraph.start) high = middle - 1;
    else if (at >= paragraph.end) low = middle + 1;
    else return paragraph;
  }
  return null;
}

function paragraphId(text: string, seen: Map<string, number>): string {
  const hash = sha256(text).slice(0, 10);
  const times = (seen.get(hash) ?? 0) + 1;
  seen.set(hash, times);
  return times === 1 ? hash : `${hash}-${times}`;
}

function linesOf(markdown: string): Line[] {
  const texts = splitLines(markdown);
  const scanned = scanMarkdown(texts, { frontMatter: true, tomlFrontMatter: true }).lines;
  let start = 0;
  return texts.map((text, i) => {
    const line = { start, end: start + text.length, scanned: scanned[i] as ScannedLine };
    start = markdown.indexOf('\n', line.end) + 1;
    return line;
  });
}

interface Block {
  kind: ParagraphKind;
  lines: Line[];
  line: number;
}

function blocksOf(lines: Line[]): Block[] {
  const blocks: Block[] = [];
  let open: Block | null = null;
  let gap: Line[] = [];
  lines.forEach((line, index) => {
    if (line.scanned.kind === 'blank' && line.scanned.quotes === 0) {
      gap.push(line);
      return;
    }
    const kind = kindOf(line.scanned);
    if (open && continues(open, line, kind, gap.length > 0)) open.lines.push(...gap, line);
    else {
      open = { kind, lines: [line], line: index + 1 };
      blocks.push(open);
    }
    gap = [];
  });
  return blocks;
}

function kindOf(line: ScannedLine): ParagraphKind {
  if (line.lists > 0) return 'list';
  if (line.quotes > 0) return 'quote';
  switch (line.kind) {
    case 'heading':
    case 'setext':
    case 'underline':
      return 'heading';
    case 'fence_open':
    case 'fence_close':
    case 'code':
      return 'code';
    case 'table':
    case 'delimiter':
      return 'table';
    case 'front_matter':
      return 'front_matter';
    default:
      return /^\[\^[^\]]+\]:/.test(line.text) ? 'footnote' : 'paragraph';
  }
}

/** Returns whether a line continues the open block; `afterBlank` is true if blank lines separate them. */
function continues(open: Block, line: Line, kind: ParagraphKind, afterBlank: boolean): boolean {
  const before = (open.lines[open.lines.length - 1] as Line).scanned;
  const { scanned } = line;
  if (open.kind === 'list') return kind === 'list';
  if (afterBlank) return open.kind === 'code' && kind === 'code' && !endsCode(before) && !opensFence(scanned);
  if (open.kind === 'footnote') return kind === 'paragraph';
  if (kind !== open.kind) return false;
  if (kind === 'heading') return before.kind === 'setext';
  if (kind === 'code') return !endsCode(before) && !opensFence(scanned);
  return true;
}

const endsCode = (line: ScannedLine): boolean => line.kind === 'fence_close';
const opensFence = (line: ScannedLine): boolean => line.kind === 'fence_open';

/** Returns whether a text has more than headings. */
export const hasBody = (markdown: string): boolean =>
  splitParagraphs(markdown).some(({ kind }) => kind !== 'heading' && kind !== 'front_matter');
