import type { Code, Heading, Html, RootContent } from 'mdast';
import { closesFence, isHtmlBlock } from './lines.js';
import { quickBlock } from './quick-blocks.js';
import { quickInlines } from './quick-inlines.js';
import type { Piece } from './split.js';

/**
 * Builds nodes for blocks that need no Markdown parser: fenced code, HTML blocks, and plain headings,
 * paragraphs, lists, quotes, tables and notes. They make up most of a long document, and equal the parser's
 * own nodes (property tests compare them).
 */

/** Returns the node of a piece, or null if the parser is needed. */
export function quickNode(source: string, piece: Piece): RootContent | null {
  if (piece.fence) return codeNode(source, piece);
  const text = source.slice(piece.start, piece.end);
  if (text.startsWith('<')) return htmlNode(text, piece);
  return text.startsWith('#') ? headingNode(text, piece) : blockNode(text, piece);
}

/** Parses an HTML block that starts with a block-level tag; it extends to the next blank line. */
function htmlNode(text: string, piece: Piece): Html | null {
  const [first = '', ...rest] = text.split('\n');
  if (!isHtmlBlock(first) || /[\r\0]/.test(text) || rest.some((line) => line.trim() === '')) return null;
  return { type: 'html', value: text, position: span(piece, text, 1 + rest.length, 0) };
}

function codeNode(source: string, piece: Piece): Code | null {
  const { fence } = piece;
  const text = source.slice(piece.start, piece.end);
  if (!fence || /[\\&]/.test(fence.info) || (fence.indent > 0 && text.includes('\t'))) return null;
  const firstEnd = text.indexOf('\n');
  if (firstEnd < 0) return null;
  const lastStart = text.lastIndexOf('\n') + 1;
  const closed = closesFence(text.slice(lastStart), fence.marker);
  // Without a closing fence the code extends to the end of the document.
  const body = text.slice(firstEnd + 1, closed ? lastStart : text.length);
  const value = unindent(body, fence.indent).replace(/\r?\n$/, '');
  return code(piece, value, countLines(text), text);
}

function unindent(code: string, columns: number): string {
  if (columns === 0) return code;
  const indent = new RegExp(`^ {1,${columns}}`);
  return code
    .split('\n')
    .map((line) => line.replace(indent, ''))
    .join('\n');
}

function code(piece: Piece, value: string, lines: number, text: string): Code | null {
  const info = /^([^\s]*)(?:[ \t]+(.*))?$/.exec(piece.fence?.info ?? '');
  if (!info) return null;
  const from = piece.fence?.indent ?? 0;
  return {
    type: 'code',
    lang: info[1] || null,
    meta: info[2] || null,
    value,
    position: span(piece, text, lines, from),
  };
}

function headingNode(text: string, piece: Piece): Heading | null {
  const match = /^(#{1,6}) (?! )([^\n\r]+)$/.exec(text);
  const [, marks = '', words = ''] = match ?? [];
  if (!match || words.includes('#')) return null;
  const from = marks.length + 1;
  const children = quickInlines([
    { text: words, offset: piece.start + from, line: piece.line, column: 1 + from },
  ]);
  return (
    children && {
      type: 'heading',
      depth: marks.length as Heading['depth'],
      children,
      position: span(piece, text, 1, 0),
    }
  );
}

function blockNode(text: string, piece: Piece): RootContent | null {
  let offset = piece.start;
  const lines = text.split('\n').map((line, i) => {
    const placed = { text: line, offset, line: piece.line + i, column: 1 };
    offset += line.length + 1;
    return placed;
  });
  return quickBlock(lines);
}

/** Returns the position from character `from` to the end of a piece that spans `lines` lines. */
function span(piece: Piece, text: string, lines: number, from: number) {
  const lastLine = text.length - (text.lastIndexOf('\n') + 1);
  return {
    start: { line: piece.line, column: 1 + from, offset: piece.start + from },
    end: { line: piece.line + lines - 1, column: lastLine + 1, offset: piece.end },
  };
}

function countLines(text: string): number {
  let lines = 1;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines++;
  return lines;
}
