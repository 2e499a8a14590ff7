import { rowsAtOnce } from '../long-table.js';
import { scanMarkdown } from '../scan/scan.js';

/**
 * Part of a manuscript for the slow parser: its text without code content, and the 1-based manuscript line of
 * each line.
 */
interface LintPiece {
  text: string;
  lineNumbers: number[];
  /** Number of leading lines repeated from an earlier piece: the head of a continued table. */
  repeated: number;
}

const PIECE_LINES = 2000;

/**
 * Splits a manuscript into pieces and reduces the content of each fence to one line. micromark's time grows
 * faster than its input (10 MB in one piece take a minute), and none of the enabled built-in rules inspects
 * code. Pieces begin at a chapter heading; in long chapters also at a heading, or after a blank line outside
 * lists, quotes and tables. A long table is split between rows, and each part gets the two lines of its head,
 * since parsing time grows fastest for tables.
 */
export function lintPieces(lines: string[]): LintPiece[] {
  const { lines: scanned } = scanMarkdown(lines);
  const pieces: LintPiece[] = [];
  let text: string[] = [];
  let lineNumbers: number[] = [];
  let repeated = 0;
  const flush = () => {
    if (text.length === 0) return;
    pieces.push({ text: `${text.join('\n')}\n`, lineNumbers, repeated });
    text = [];
    lineNumbers = [];
    repeated = 0;
  };
  const repeatHead = (delimiter: number) => {
    text = lines.slice(delimiter - 1, delimiter + 1);
    lineNumbers = [delimiter, delimiter + 1];
    repeated = 2;
  };
  let inCode = false;
  let delimiter = -1;
  let rowsOfPart = 1;
  scanned.forEach((line, index) => {
    const outside = line.quotes === 0 && line.lists === 0;
    const heading = outside && line.kind === 'heading';
    const chapter = heading && line.level === 1 && scanned[index - 1]?.kind === 'blank';
    const long =
      text.length >= PIECE_LINES &&
      (heading || (outside && line.kind === 'prose')) &&
      scanned[index - 1]?.kind === 'blank';
    if (line.kind !== 'table') delimiter = line.kind === 'delimiter' ? index : -1;
    if (delimiter === index) rowsOfPart = rowsAtOnce(lines[index]!);
    const endsPart = outside && delimiter > 0 && index > delimiter && (index - delimiter) % rowsOfPart === 0;
    if (chapter || long || endsPart) flush();
    if (endsPart) repeatHead(delimiter);
    const repeated = line.kind === 'code' && inCode;
    inCode = line.kind === 'code';
    if (repeated) return;
    text.push(
      line.kind === 'code' && line.text.trim() !== ''
        ? (lines[index] as string).slice(0, 200)
        : (lines[index] as string),
    );
    lineNumbers.push(index + 1);
  });
  flush();
  return pieces;
}
