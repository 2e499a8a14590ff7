import type { QualityIssue } from '#office/docx/check/check.js';
import { visibleLines } from '#office/docx/check/visible.js';
import { readDocx } from '#office/docx/read/read.js';
import { fileAddresses } from '#office/structure/file-address.js';
import type { Structure } from '#contracts/structure.js';
import { pdfPages } from '#extraction/pdf/pdf.js';
import { shownInAnyDirection } from '#verbatim/word/any-direction.js';
import { missingText, type MissingText } from '#verbatim/word/missing-text.js';
import { visibleMarkdown } from '#verbatim/word/visible-markdown.js';

/** Returns issues for words of the markdown that the Word file does not show (X1). */
export function missingInWord(markdown: string, structure: Structure, docx: Uint8Array): QualityIssue[] {
  const addresses = fileAddresses(structure);
  return missingText(expectedLines(markdown), visibleLines(readDocx(docx)), { addresses }).map(issueOf);
}

const TURNED =
  'shown, but text copied from the PDF, or searched in it, has letters that the font joins (lam and alef) in another order';

/**
 * Like `missingInWord`, for a PDF. Compares normalised text (NFKC), because a PDF may contain radicals instead
 * of ideographs and ligatures instead of letters. Accepts words of right-to-left scripts in any order. Also
 * returns issues for words that the PDF shows but from which different text is extracted.
 */
export async function missingInPdf(
  markdown: string,
  structure: Structure,
  pdf: Uint8Array,
): Promise<QualityIssue[]> {
  const pages = await pdfPages(pdf, 'the PDF');
  const lines = pages.flatMap((page) => page.split('\n'));
  const sought = expectedLines(markdown);
  const lost = missingText(sought, lines, {
    normalise: (text) => text.normalize('NFKC'),
    addresses: fileAddresses(structure),
  });
  const texts = new Map(sought.map(({ line, text }) => [line, text]));
  const [isShown, isRead] = [shownInAnyDirection(lines), shownInAnyDirection(lines, 'as written')];
  return lost.flatMap((missing) => {
    const text = texts.get(missing.line) ?? '';
    if (isRead(text)) return [];
    return [isShown(text) ? { ...issueOf(missing), message: TURNED } : issueOf(missing)];
  });
}

/** Prints each difference. @returns whether there are any */
export function reportDifferences(issues: QualityIssue[]): boolean {
  for (const issue of issues)
    process.stderr.write(`line ${issue.source_line ?? '?'}: ${issue.rule}: ${issue.message}\n`);
  return issues.length > 0;
}

function expectedLines(markdown: string) {
  return visibleMarkdown(markdown, { frontMatter: false }).map((line) => ({ ...line, source: '' }));
}

function issueOf({ line, missing }: MissingText): QualityIssue {
  return { rule: 'words', message: `not shown: ${JSON.stringify(missing.slice(0, 200))}`, source_line: line };
}
