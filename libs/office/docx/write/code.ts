import type { WriteContext } from './context.js';
import {
  CODE_INSET,
  CODE_LOOKS,
  CODE_SIZES,
  TAB_COLUMNS,
  type CodeSize,
  type CodeToken,
} from './code-looks.js';
import { runText } from './xml.js';

const SPACE_BEFORE = 140;
const SPACE_AFTER = 180;

interface CodeLayout {
  size: CodeSize;
  /** Maximum columns of a line before it wraps. */
  capacity: number;
  /** Width of each line in columns. */
  columns: number[];
}

/**
 * Chooses the text size of a code block: the small size if a line needs it.
 *
 * @param gutter columns before each line
 */
function codeLayout(lines: readonly string[], textWidth: number, indent: number, gutter = 0): CodeLayout {
  const room = Math.max(1200, textWidth - indent - 2 * CODE_INSET);
  const columns = lines.map(columnsOf);
  const [usual, small] = CODE_SIZES;
  const fits = columns.every((count) => (count + gutter) * usual.column <= room);
  const size = fits ? usual : small;
  return { size, capacity: Math.floor(room / size.column) - gutter, columns };
}

/**
 * Writes code as one paragraph per line: Word and LibreOffice take quadratic time for long paragraphs. The
 * characters of a line are unchanged; a line wider than the page wraps with an indent and a bar next to it.
 *
 * @param indent indent of the surrounding text; null at the margin
 */
export function codeXml(
  { text, language }: { text: string; language: string | null },
  context: WriteContext,
  indent: number | null,
): string {
  const lines = text.split(/\r\n|\r|\n/);
  const { numbered, highlight } = context.code;
  const tokens = highlight?.(text, language) ?? null;
  // The line number occupies one tab stop before the line and is not part of its text.
  const numbering = numbered ? context.numbering.lines() : '';
  const gutter = numbered ? TAB_COLUMNS : 0;
  const { size, capacity, columns } = codeLayout(lines, context.textWidth, indent ?? 0, gutter);
  const hanging = TAB_COLUMNS * size.column;
  const placed = indent === null ? '' : indentXml(indent + CODE_INSET + hanging, hanging);
  const plain = `<w:p><w:pPr><w:pStyle w:val="${context.styles.id(size.style)}"/>`;
  const turned = `<w:p><w:pPr><w:pStyle w:val="${context.styles.id(size.turnedStyle)}"/>`;
  const last = lines.length - 1;
  let xml = '';
  lines.forEach((line, i) => {
    const style = (columns[i] ?? 0) > capacity ? turned : plain;
    const spacing = spacingXml(i === 0, i === last, context.styles.own);
    const runs = line === '' ? '' : (tokens?.[i] ?? [{ text: line, look: null }]).map(runXml).join('');
    xml += `${style}${numbering}${spacing}${placed}</w:pPr>${runs}</w:p>`;
  });
  return xml;
}

function runXml({ text, look }: CodeToken): string {
  if (look === null) return `<w:r>${runText(text)}</w:r>`;
  const { color, mark } = CODE_LOOKS[look];
  return `<w:r><w:rPr>${mark}<w:color w:val="${color}"/></w:rPr>${runText(text)}</w:r>`;
}

/**
 * Sets the space around the block to apply only at its ends; a reference document's style may assume one
 * paragraph per block.
 */
function spacingXml(first: boolean, last: boolean, own: boolean): string {
  if (own && !first && !last) return '';
  return `<w:spacing w:before="${first ? SPACE_BEFORE : 0}" w:after="${last ? SPACE_AFTER : 0}"/>`;
}

function indentXml(left: number, hanging: number): string {
  return `<w:ind w:left="${left}" w:right="${CODE_INSET}" w:hanging="${hanging}"/>`;
}

/** Returns the width of a line in columns of a fixed-width font. */
export function columnsOf(line: string): number {
  if (!/[\t\u2E80-\uFFFF]/.test(line)) return line.length;
  let columns = 0;
  for (let i = 0; i < line.length; i++) {
    const code = line.charCodeAt(i);
    if (code === 9) columns += TAB_COLUMNS - (columns % TAB_COLUMNS);
    // Each half of a surrogate pair counts as one column: emoji and rare ideographs are two columns wide,
    // like all ideographs.
    else columns += code >= 0x2e80 && (code < 0xd800 || code > 0xdfff) ? 2 : 1;
  }
  return columns;
}
