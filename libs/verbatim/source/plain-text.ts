import { scanMarkdown, type ScannedDocument, type ScannedLine } from '#markdown/scan/scan.js';

/** A line of three or more line-drawing marks only. Brackets and braces are code. */
const RULER = /^[ \t]*(?:[-=_*~+#^|:.'"`<>][ \t]*){3,}$/;
const MAX_RULER_LENGTH = 1_000;

/** Returns whether a line of plain text contains only white space or a ruler. */
export function isWordless(line: string): boolean {
  return line.length <= MAX_RULER_LENGTH && (line.trim() === '' || RULER.test(line));
}

/**
 * Scans plain text, for the writer and the ledger alike. Code fences are recognized, because markdown is
 * often saved as `.txt`. But a line above a ruler is not a heading, and blank lines inside a fence count as
 * blank.
 */
export function scanPlainText(lines: string[]): ScannedDocument {
  const { lines: scanned, fences } = scanMarkdown(lines);
  return { lines: scanned.map((line, index) => asPlainText(line, lines[index] as string)), fences };
}

function asPlainText(line: ScannedLine, written: string): ScannedLine {
  if (line.kind === 'code' && written.trim() === '') return { ...line, kind: 'blank', quotes: 0 };
  if (line.kind === 'setext' || line.kind === 'underline')
    return { ...line, kind: 'prose', level: 0, text: line.text };
  return line;
}
