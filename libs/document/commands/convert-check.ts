import { translate } from '#cli/language.js';
import { detailOf } from '#contracts/phrases/detail.js';
import { englishText, phrase, type Phrase } from '#contracts/phrases/phrase.js';
import { type QualityIssue, visibleLines } from '#office/docx/check/check.js';
import { readDocx } from '#office/docx/read/read.js';
import { fileAddresses } from '#office/structure/file-address.js';
import type { Structure } from '#contracts/structure.js';
import { pdfPages } from '#extraction/pdf/pdf.js';
import { shownInAnyDirection } from '#verbatim/word/any-direction.js';
import { missingText, type MissingText } from '#verbatim/word/missing-text.js';
import { visibleMarkdown } from '#verbatim/word/visible-markdown.js';

/** Returns issues for words of the markdown that the Word file does not show (X1). */
export function missingInWord(markdown: string, structure: Structure, docx: Uint8Array): Difference[] {
  const addresses = fileAddresses(structure);
  return missingText(expectedLines(markdown), visibleLines(readDocx(docx)), { addresses }).map(issueOf);
}

/** Difference of a file from its source, with its phrase if it is one of the command's own. */
interface Difference extends QualityIssue {
  phrase?: Phrase;
}

/**
 * Like `missingInWord`, for a PDF. Compares normalised text (NFKC), because a PDF may contain radicals instead
 * of ideographs and ligatures instead of letters. Accepts words of right-to-left scripts in any order. Also
 * returns issues for words that the PDF shows but from which different text is extracted.
 */
export async function missingInPdf(
  markdown: string,
  structure: Structure,
  pdf: Uint8Array,
): Promise<Difference[]> {
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
    return [isShown(text) ? wordsIssue(missing.line, phrase('convert.letter_order')) : issueOf(missing)];
  });
}

/** Prints each difference. @returns whether there are any */
export function reportDifferences(issues: Difference[]): boolean {
  for (const issue of issues) {
    const text = phrase('convert.difference', { rule: issue.rule, text: detailOf(issue) });
    process.stderr.write(
      `${translate(phrase('convert.at_line', { line: issue.source_line ?? '?', text }))}\n`,
    );
  }
  return issues.length > 0;
}

function expectedLines(markdown: string) {
  return visibleMarkdown(markdown, { frontMatter: false }).map((line) => ({ ...line, source: '' }));
}

const issueOf = ({ line, missing }: MissingText): Difference =>
  wordsIssue(line, phrase('convert.not_shown', { words: JSON.stringify(missing.slice(0, 200)) }));

const wordsIssue = (line: number, text: Phrase): Difference => ({
  ...{ rule: 'words', message: englishText(text), phrase: text },
  source_line: line,
});
