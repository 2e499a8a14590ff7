import { scanMarkdown, type ScannedDocument, type ScannedLine } from '#markdown/scan/scan.js';

/** Three or more marks that draw a line, and nothing else. Brackets and braces are code. */
const RULER = /^[ \t]*(?:[-=_*~+#^|:.'"`<>][ \t]*){3,}$/;
const LONGEST_RULER = 1_000;

/** Whether a line of plain text carries no words: it is blank, or a ruler. */
export function isWordless(line: string): boolean {
  return line.length <= LONGEST_RULER && (line.trim() === '' || RULER.test(line));
}

/**
 * Reads plain text, for the writer and the ledger alike. Markdown saved as `.txt` is common, so fences are found and their lines are code; but
 * a line above a ruler is no heading, and a blank line is one inside a fence, too.
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
