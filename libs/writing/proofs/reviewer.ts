import { singleSpaced } from '#contracts/text.js';
import { type Finding, type Span, isActive } from '#contracts/findings.js';
import { z } from 'zod';
import { finding } from '../findings.js';
import { createQuoteFinder } from '../quotes.js';
import { splitParagraphs } from '../paragraphs.js';
import { sentencesIn, type SpannedSentence } from '../sentences.js';
import { findingName, isDisputed, isProof } from './proofs.js';

/** Explains in a prompt how to settle disputed findings; needed only if there are some. */
export const PROOF_RULE = `The program looked up every figure, date, name, quotation and identifier of the cited sentences in their passages. The findings marked "settle" are those that it did not find word for word, or only with another unit; they may be right all the same. Give one answer in "proofs" for each of them, by its name, such as "r2":
- If a passage that the sentence cites states it, "quotes" holds the words that do, copied exactly and as few as needed; of a table, the row and the words that give its unit. For a name, another passage of the same source may be quoted as well.
- A figure, a date or a time of day also needs "calculation": numbers with + - * / and parentheses, without thousands separators and with a decimal point, in the unit of the sentence, even if it is a single number. Write 2.3 * 1000000 for "2,3 million", 14 * 60 + 20 for 14:20, 1 / 4 for "a quarter", 2 for "twice", and 2 April to 20 May as 30 - 2 + 20. Every number has to be in your quotes, in digits or words, or elsewhere in the sentence; units of time and length, lengths of months, powers of ten and 100 per cent may be added. Give the exact result: the program allows for rounding, and you judge words such as "nearly" or "more than".
- A month, a weekday, a name, an abbreviation or a unit sign needs "reason": one sentence on why the quotes mean the same, as a translation, another grammatical form or an explanation.
- If no cited passage states it, or with another unit or of another thing, set "unsupported" to what the passages say instead, or to what is missing. That is enough: report only further errors of the sentence as findings of your own.`;
export const PROOF_FORM =
  '"proofs": [{"finding": "r2", "quotes": ["twelve crates", "36 bottles to the crate"], "calculation": "12 * 36"}, {"finding": "r3", "quotes": ["the Royal Astronomical Society"], "reason": "RAS is its abbreviation."}, {"finding": "r4", "unsupported": "The passage says 1888."}]';

/** Explains in a prompt what a reviewer compares with the passages. */
export const COMPARE_RULE =
  'Compare every sentence with the passages, a cited one with those that it cites: figures and names, who did or said what and how surely, what caused what, what is denied, which way something changed, and words such as "all", "only" or "first". A sentence without a note may lead from one subject to the next, but states nothing that no passage says.';

/** Explains in a prompt how a reviewer reports what it finds. */
export const OWN_FINDINGS =
  'For each problem of your own give the id of the paragraph, as in << >>, and quote the wrong words exactly; "fix" holds the words that replace them, and is empty if the sentence should go. Write "why" and "fix" in the language of the draft. "severe" means that a reader would be misled or a section must be rewritten; everything else is "minor". Report no matters of taste, and nothing twice.';

/** Findings beyond are not shown: a text with more has other problems. */
const MAX_FINDINGS = 100;

/** Returns findings as lines of a prompt, each with its name; those that the reviewer settles are marked. */
export const findingLines = (findings: Finding[], text: string): string =>
  findings
    .slice(0, MAX_FINDINGS)
    .map((found, i) => {
      const { paragraph_id: id, message, span } = found;
      const sentence =
        isDisputed(found) && span ? ` Sentence: ${singleSpaced(text.slice(span.start, span.end))}` : '';
      return `- ${findingName(i)}${isDisputed(found) ? ' (settle)' : ''}: ${id === null ? '' : `<<${id}>> `}${message}${sentence}${isActive(found) ? '' : ' The author says that this finding is wrong.'}`;
    })
    .join('\n');

/** A reviewer's own finding of one of the given kinds. */
export const reviewerFindingSchema = <Kinds extends readonly [string, ...string[]]>(kinds: Kinds) =>
  z.object({
    paragraph_id: z.string().max(60).nullish(),
    kind: z.enum(kinds),
    quote: z.string().max(2_000).default(''),
    why: z.string().min(1).max(1_000),
    fix: z.string().max(2_000).default(''),
    severity: z.enum(['severe', 'minor']),
  });
export type ReviewerFinding = z.infer<ReturnType<typeof reviewerFindingSchema>>;

/** Kinds of findings that need no words of the text: something is missing. */
const WITHOUT_PLACE = ['missing_point', 'structure'];

/** Returns a reviewer's findings at their places. Drops those whose quote and paragraph the text does not contain. */
export function placedFindings(
  text: string,
  answers: ReviewerFinding[],
): { answer: ReviewerFinding; finding: Finding }[] {
  const paragraphs = splitParagraphs(text);
  const find = createQuoteFinder(text);
  const sentences = sentencesIn(text, paragraphs);
  const byId = new Map(paragraphs.map((paragraph) => [paragraph.id, paragraph]));
  return answers.flatMap((answer) => {
    const { paragraph_id: id, kind, quote, why, fix, severity } = answer;
    const paragraph = byId.get((id ?? '').replace(/[<>\s]/g, ''));
    const place = paragraph && { start: paragraph.start, end: paragraph.end };
    const span: Span | null = find(quote, paragraph?.start) ?? place ?? null;
    if (span === null && !WITHOUT_PLACE.includes(kind)) return [];
    const placed = finding(text, paragraphs, {
      rule: `review-${kind}`,
      severity: severity === 'severe' ? 'warning' : 'info',
      message: why,
      span,
      sentence: span ? sentenceAround(sentences, span) : undefined,
      ...(fix === '' ? {} : { suggestion: fix }),
    });
    return [{ answer, finding: placed }];
  });
}

/** Returns the sentences that a place is in; undefined outside of prose. */
function sentenceAround(sentences: SpannedSentence[], { start, end }: Span): string | undefined {
  const around = sentences.filter((sentence) => sentence.start < end && sentence.end > start);
  return around.length === 0 ? undefined : around.map(({ text }) => text).join(' ');
}

/** Findings that one revision settles; the next review finds the others again. */
const MAX_SETTLED = 30;

/** Returns findings as lines of a prompt for a revision, without remarks that only say how a claim was proved. */
export const reviewLines = (findings: Finding[], draft: string): string[] =>
  findings
    .filter((found) => isActive(found) && !isProof(found))
    .slice(0, MAX_SETTLED)
    .map((found) => findingLine(found, draft));

/** Returns a finding as a line of a prompt. A reviewer's finding also has the quoted words and their replacement. */
function findingLine(found: Finding, draft: string): string {
  const { severity, paragraph_id: id, rule, span, message, suggestion, suggestion_phrase: advice } = found;
  const isQuote = rule.startsWith('review-') && span !== null && !isWholeParagraph(draft, span);
  const words = isQuote ? ` "${short(draft.slice(span.start, span.end))}"` : '';
  const fix = suggestion && !advice ? `Fix: ${suggestion}` : (suggestion ?? '');
  return `- ${severity}${id ? ` in <<${id}>>${words}` : ''}: ${message} ${isQuote && fix === '' ? 'Fix: remove these words.' : fix}`;
}

/** Returns whether a span is a paragraph: a finding without a quote concerns all of it. */
function isWholeParagraph(draft: string, { start, end }: { start: number; end: number }): boolean {
  const isEdge = (between: string) => between === '' || between === '\n\n';
  return isEdge(draft.slice(Math.max(0, start - 2), start)) && isEdge(draft.slice(end, end + 2));
}

/** Maximum characters of quoted words. */
const MAX_QUOTED = 600;

/** Returns words as one line of a prompt, at most 600 characters of them. */
export const short = (text: string): string => {
  const line = singleSpaced(text);
  return line.length > MAX_QUOTED ? `${line.slice(0, MAX_QUOTED)}…` : line;
};
