import type { Finding } from '#contracts/findings.js';
import { phrase } from '#contracts/phrases/phrase.js';
import { z } from 'zod';
import { mayBeWritten } from '../claims/approximation.js';
import { figuresIn } from '../claims/figures.js';
import { claimLexiconOf } from '../claims/lexicon.js';
import { quantitiesOf } from '../claims/quantities.js';
import { finding, sortFindings } from '../findings.js';
import { languageOf } from '../language.js';
import { splitParagraphs } from '../paragraphs.js';
import { withoutNotes } from '../sentences.js';
import { type Expression, readExpression, valueOf, written } from './expression.js';

const answerSchema = z.object({
  finding: z.string().max(20),
  quotes: z.array(z.string().max(600)).max(8),
  calculation: z.string().max(200),
});
/**
 * How a model answers findings that a cited passage lacks a figure: by calculations from its figures. Answers of another
 * form count as none, since findings without a calculation only stay as they are.
 */
export const calculationsSchema = z.array(answerSchema).max(40).catch([]);

/** Explains in a prompt when and how to give a calculation; needed only if `asksForCalculations`. */
export const CALCULATION_RULE = `The program cannot follow every calculation. Where a finding says that the cited passage does not hold a figure, and the figure follows from numbers of that passage, give the calculation in "calculated": the name of the finding, such as "r2", the words of the passage that state the numbers, and the calculation, such as "12 * 36": digits with a decimal point, + - * / and parentheses; of 14:20 write 14 * 60 + 20. It is checked: every number has to stand in your quotes, apart from units of time, powers of ten and 100 per cent, and the result has to be the whole figure, as 2.5 for "two and a half". Give none for a figure that you cannot calculate.`;
export const CALCULATION_FORM =
  '"calculated": [{"finding": "r2", "quotes": ["twelve crates", "36 bottles to the crate"], "calculation": "12 * 36"}]';

/** A calculation of the figure that a sentence states. */
export interface Calculation {
  /** The figure as the sentence states it. */
  figure: string;
  /** Words of the cited passages that state the numbers. */
  quotes: string[];
  /** `(14 - 2) * 3`, also with its result behind `=`, which is calculated anew. */
  calculation: string;
}

/** Rule of a figure that follows from the cited passages by calculation. */
const CALCULATED = 'citation-calculated';
const OF_FIGURES = ['citation-unsupported-number', 'citation-unsupported-date'];

/** Returns whether a finding says that a passage lacks a figure, which a calculation may refute. */
export const asksForCalculations = (findings: Finding[]): boolean =>
  findings.some((found) => figureOf(found) !== undefined);

/** Name of a finding in a prompt, by which an answer refers to it. */
export const findingName = (index: number): string => `r${index + 1}`;

/** Returns the calculations of an answer, each with the figure of the finding that it names. */
export function calculationsOf(
  answers: z.infer<typeof calculationsSchema>,
  findings: Finding[],
): Calculation[] {
  return answers.flatMap(({ finding: name, quotes, calculation }) => {
    const found = findings.find(
      (_, index) => findingName(index) === name.toLowerCase().replace(/[^r\d]/g, ''),
    );
    const figure = found && figureOf(found);
    return figure === undefined ? [] : [{ figure, quotes, calculation }];
  });
}

/**
 * Replaces findings about figures that follow from their cited passages: the quotes stand in these passages, the numbers
 * in the quotes, and the result is the figure. What stays is a remark with the calculation, which costs nothing. A model
 * proposes the calculations; this is where they are checked (B26).
 *
 * @param text the checked text, to which the findings refer
 */
export function withCalculations(text: string, findings: Finding[], calculations: Calculation[]): Finding[] {
  if (calculations.length === 0) return findings;
  const sources = findings.flatMap(({ evidence }) => evidence.map((passage) => passage.text));
  const language = languageOf(text) ?? languageOf([text, ...sources].join('\n\n'));
  const paragraphs = splitParagraphs(text);
  const remarkOn = (found: Finding): Finding | undefined => {
    const { span, evidence } = found;
    const figure = figureOf(found);
    if (figure === undefined || span === null) return undefined;
    const sentence = withoutNotes(text.slice(span.start, span.end));
    const [proof] = calculations
      .filter((one) => one.figure === figure)
      .flatMap((one) => proofBy(one, found, sentence, language) ?? []);
    return (
      proof &&
      finding(text, paragraphs, {
        rule: CALCULATED,
        severity: 'info',
        message: phrase('finding.citation.calculated', { figure, calculation: proof.calculation }),
        span,
        evidence: evidence.filter((passage) => proof.quotes.some((quote) => holds(passage.text, quote))),
      })
    );
  };
  return sortFindings(findings.map((found) => remarkOn(found) ?? found));
}

/** Returns the figure that a passage lacks, according to a finding. */
function figureOf({ rule, phrase: message }: Finding): string | undefined {
  const claim = OF_FIGURES.includes(rule) ? message?.params.claim : undefined;
  const text = typeof claim === 'object' ? claim.params.text : undefined;
  return typeof text === 'string' ? text : undefined;
}

/** Returns the calculation with its result if it proves the figure from the passages of the finding. */
function proofBy(
  { figure, quotes, calculation }: Calculation,
  { evidence }: Finding,
  sentence: string,
  language: string | null,
): Calculation | null {
  const expression = readExpression(calculation.split('=')[0]!);
  if (expression === null || typeof expression === 'number') return null;
  const lexicon = claimLexiconOf(language);
  const given = quotes.filter((quote) => evidence.some(({ text }) => holds(text, quote)));
  const numbers = new Set(
    given.flatMap((quote) => [
      ...figuresIn(quote, lexicon).flatMap(({ values }) => values.map(Number)),
      ...Array.from(quote.matchAll(CLOCK), ([, hours, minutes]) => [Number(hours), Number(minutes)]).flat(),
    ]),
  );
  const value = valueOf(expression);
  const isProved = isFrom(expression, numbers) && isWrittenAs(value, figure, sentence, language);
  return isProved ? { figure, quotes, calculation: `${written(expression)} = ${rounded(value)}` } : null;
}

/** Hours and minutes, also `18.10`. */
const CLOCK = /(?<![\d.:])(\d{1,2})[.:](\d{2})(?!\d|[.:]\d)/g;

/** Parts of a whole that a calculation multiplies or divides by: units of time, shillings, prefixes, feet and miles. */
const FACTORS = new Set([
  7, 12, 20, 24, 30, 52, 60, 100, 365, 1_000, 1_024, 3_600, 1_000_000, 0.3048, 2.54, 0.4536, 1.609, 1.852,
]);
const WHOLE = 100;

/** Returns whether the numbers of a calculation are stated, apart from factors and the whole of 100 per cent. */
function isFrom(expression: Expression, stated: Set<number>): boolean {
  if (typeof expression === 'number') return stated.has(expression);
  const { sign, left, right } = expression;
  const isProduct = sign === '*' || sign === '/';
  const isFactor = (part: Expression) => isProduct && typeof part === 'number' && FACTORS.has(part);
  if (isFactor(left) && isFactor(right)) return [left, right].some((part) => isFrom(part, stated));
  if (isFactor(left)) return isFrom(right, stated);
  if (isFactor(right)) return isFrom(left, stated);
  if (sign === '-' && left === WHOLE) return isFrom(right, stated);
  return isFrom(left, stated) && isFrom(right, stated);
}

/** Returns whether a sentence states a value as a figure: rounded to its last digit, or as `about` and the like allow. */
function isWrittenAs(value: number, figure: string, sentence: string, language: string | null): boolean {
  if (!Number.isFinite(value)) return false;
  return quantitiesOf(sentence, language)
    .quantities.filter(({ text }) => text === figure)
    .some(({ keys, values: [inBaseUnits = 0], factor, step, bound }) =>
      // In the unit as written, with and without a scale such as `million`.
      [inBaseUnits / factor, ...keys.map(Number)].some((stated) =>
        mayBeWritten(value, stated, { bound, step: (step * stated) / inBaseUnits }),
      ),
    );
}

const holds = (passage: string, quote: string): boolean =>
  squeezed(quote) !== '' && squeezed(passage).includes(squeezed(quote));
const squeezed = (text: string): string => text.replace(/\s+/g, ' ').trim();
const rounded = (value: number): number => Number(value.toPrecision(6));
