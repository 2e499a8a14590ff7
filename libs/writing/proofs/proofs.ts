import { oneLine, withPlainQuotes } from '#contracts/text.js';
import { type Finding, isActive } from '#contracts/findings.js';
import { phrase } from '#contracts/phrases/phrase.js';
import { z } from 'zod';
import type { CitedPassage } from '../citations.js';
import { datesIn, type StatedDate } from '../claims/calendar.js';
import { type Claim, type ClaimContext, claimsIn } from '../claims/claims.js';
import { figuresIn, type Figure } from '../claims/figures.js';
import { wordUseIn } from '../claims/names.js';
import { isRoundedTo } from '../claims/passage-index.js';
import { finding, sortFindings } from '../findings.js';
import { languageOf } from '../language.js';
import { splitParagraphs } from '../paragraphs.js';
import { withoutNotes } from '../sentences.js';

/** A calculation: a number, or two calculations with an operator between them. */
export type Expression = number | { sign: Sign; left: Expression; right: Expression };
type Sign = '+' | '-' | '*' | '/';

const LONGEST = 200;
const TOKEN = /\d+(?:\.\d+)?|[-+*/()]/g;
/** Other ways to write the operators, signs of units, and thousands grouped by commas. */
const FORMS: [RegExp, string][] = [
  [/[×·⋅]|(?<=[\d)] ?)x(?= ?[\d(])/g, '*'],
  [/[÷:]/g, '/'],
  [/[−–]/g, '-'],
  [/[£€$%]/g, ''],
  [/(?<=\d),(?=\d{3}(?!\d))/g, ''],
];

/**
 * Reads a calculation such as `(14 - 2) * 3`.
 *
 * @returns null unless it consists of numbers, `+ - * /` and parentheses only
 */
export function readExpression(calculation: string): Expression | null {
  if (calculation.length > LONGEST) return null;
  const plain = FORMS.reduce((text, [form, sign]) => text.replace(form, sign), calculation);
  if (plain.replace(TOKEN, '').trim() !== '') return null;
  const tokens = plain.match(TOKEN) ?? [];
  const read = readSum(tokens);
  return tokens.length === 0 ? read : null;
}

/** Returns the value of a calculation; not finite after a division by zero. */
export function valueOf(expression: Expression): number {
  if (typeof expression === 'number') return expression;
  const left = valueOf(expression.left);
  const right = valueOf(expression.right);
  switch (expression.sign) {
    case '+':
      return left + right;
    case '-':
      return left - right;
    case '*':
      return left * right;
    case '/':
      return left / right;
  }
}

/** Returns a calculation as people write it: `(14 − 2) × 3`. */
export function written(expression: Expression): string {
  if (typeof expression === 'number') return String(expression);
  const { sign, left, right } = expression;
  const isProduct = sign === '*' || sign === '/';
  const inside = (part: Expression, isBehind: boolean) => {
    const isSum = typeof part !== 'number' && (part.sign === '+' || part.sign === '-');
    const needsParentheses = isProduct ? isSum || (isBehind && typeof part !== 'number') : isBehind && isSum;
    return needsParentheses ? `(${written(part)})` : written(part);
  };
  return `${inside(left, false)} ${SIGNS[sign]} ${inside(right, true)}`;
}

const SIGNS: Record<Sign, string> = { '+': '+', '-': '−', '*': '×', '/': '÷' };

// The readers consume tokens from the front; null stands for a calculation that is incomplete.

function readSum(tokens: string[]): Expression | null {
  return readChain(tokens, ['+', '-'], readProduct);
}

function readProduct(tokens: string[]): Expression | null {
  return readChain(tokens, ['*', '/'], readNumber);
}

function readChain(
  tokens: string[],
  signs: Sign[],
  readPart: (tokens: string[]) => Expression | null,
): Expression | null {
  let left = readPart(tokens);
  for (let sign = signOf(tokens, signs); sign; sign = signOf(tokens, signs)) {
    tokens.shift();
    const right = readPart(tokens);
    if (left === null || right === null) return null;
    left = { sign, left, right };
  }
  return left;
}

const signOf = ([token]: string[], signs: Sign[]): Sign | undefined => signs.find((sign) => sign === token);

function readNumber(tokens: string[]): Expression | null {
  const token = tokens.shift();
  if (token !== '(') return token !== undefined && /^\d/.test(token) ? Number(token) : null;
  const inside = readSum(tokens);
  return tokens.shift() === ')' ? inside : null;
}

const answerSchema = z.object({
  finding: z.string().max(20).describe('name of the finding, such as "r2"'),
  quotes: z
    .array(z.string().max(2_000))
    .max(8)
    .nullish()
    .describe('words of the cited passages that state it, copied exactly'),
  calculation: z.string().max(200).nullish().describe('how a figure follows from numbers of the quotes'),
  reason: z.string().max(500).nullish().describe('why the quotes state it, in one sentence'),
  unsupported: z
    .string()
    .max(500)
    .nullish()
    .describe('what the passage says instead, if it does not state it'),
});
/** Stands for an answer of another form, which names no finding. */
const UNREADABLE = { finding: '' };
/** A reviewer's answers to disputed findings. A finding without a readable answer becomes an error. */
export const proofsSchema = z.array(answerSchema.catch(UNREADABLE)).max(200).catch([]);

/** A reviewer's answer to one disputed finding. */
export interface Verdict extends Omit<z.infer<typeof answerSchema>, 'finding'> {
  /** ID of the finding. */
  finding_id: string;
}

/** Name of a finding in a prompt, by which an answer refers to it. */
export const findingName = (index: number): string => `r${index + 1}`;

/** Claims that have to stand in the cited passage word for word cannot be proved otherwise. */
const PROVABLE = /^citation-(?:open-|unsupported-(?:name|identifier)$)/;

/**
 * Returns whether a reviewer can settle a finding: the cited passage does not state an item literally, and the author has
 * not called the finding wrong.
 */
export const isDisputed = (found: Finding): boolean =>
  isActive(found) &&
  PROVABLE.test(found.rule) &&
  found.phrase?.code !== 'finding.citation.unproved' &&
  found.phrase?.code !== 'finding.citation.refuted';

/** Returns whether a finding only shows how a claim was proved. */
export const isProof = ({ rule }: Finding): boolean =>
  rule === 'citation-calculated' || rule === 'citation-proved';

/** Returns the verdicts of an answer. @param findings as named in the prompt */
export function verdictsOf(answers: z.infer<typeof proofsSchema>, findings: Finding[]): Verdict[] {
  return answers.flatMap(({ finding: name, ...answer }) => {
    const index = Number(/\d+/.exec(name)?.[0]) - 1;
    const found = findings[index];
    return found && isDisputed(found) ? [{ ...answer, finding_id: found.id }] : [];
  });
}

/**
 * Settles the disputed findings of a reviewed text (X15). A checked proof closes one: its quotes stand in the cited
 * passages, and a figure is the result of a calculation with their numbers. It stays as a remark that shows the proof.
 * What is not proved becomes an error.
 *
 * @param text the checked text, to which the findings refer
 * @param passages all passages of the work: another passage of a cited source may explain a name
 */
export function withVerdicts(
  text: string,
  findings: Finding[],
  verdicts: Verdict[],
  passages: Pick<CitedPassage, 'source_id' | 'text'>[],
): Finding[] {
  const disputed = findings.filter(isDisputed);
  if (disputed.length === 0) return findings;
  // The same as when the claims were found: a surname may be known from another sentence only.
  const all = [text, ...passages.map((one) => one.text)].join('\n\n');
  const context: ClaimContext = { language: languageOf(text) ?? languageOf(all), use: wordUseIn(all) };
  const paragraphs = splitParagraphs(text);
  const textsIn = (place: Finding['span']) =>
    disputed.flatMap((one) => (one.span?.start === place?.start ? (claimOf(one)?.text ?? []) : []));
  const settled = (found: Finding): Finding => {
    if (!isDisputed(found)) return found;
    const { span, evidence } = found;
    const verdict = verdicts.find(({ finding_id: id }) => id === found.id);
    const claim = claimOf(found);
    const sentence = withoutNotes(span ? text.slice(span.start, span.end) : '');
    if (claim && !isIn(claim, sentence, context)) return found;
    const proof =
      verdict &&
      claim &&
      proofOf(verdict, { found, claim, sentence, context, passages, disputed: textsIn(span) });
    if (proof)
      return finding(text, paragraphs, {
        ...proof,
        severity: 'info',
        span,
        evidence: evidence.filter(({ text: words }) =>
          (verdict.quotes ?? []).some((quote) => holds(words, quote)),
        ),
      });
    return finding(text, paragraphs, {
      rule: `citation-unsupported-${claim?.kind ?? 'number'}`,
      severity: 'error',
      message: verdict?.unsupported
        ? phrase('finding.citation.refuted', { claim: claimPhrase(found), why: verdict.unsupported })
        : phrase('finding.citation.unproved', { claim: claimPhrase(found) }),
      span,
      evidence,
      suggestion: found.suggestion_phrase ?? found.suggestion ?? undefined,
    });
  };
  return sortFindings(findings.map(settled));
}

const claimPhrase = ({ phrase: message, message: words }: Finding) => {
  const claim = message?.params.claim;
  return typeof claim === 'object' ? claim : words;
};

/** Returns kind and words of the claim that a finding is about. */
function claimOf({ rule, phrase: message }: Finding): { kind: string; text: string } | null {
  const claim = message?.params.claim;
  const text = typeof claim === 'object' ? claim.params.text : undefined;
  return typeof text === 'string' ? { kind: rule.replace(/^citation-\w+-/, ''), text } : null;
}

/** A change of a selection may hold only a part of the sentence; then nobody can prove the claim. */
const isIn = (claim: { kind: string; text: string }, sentence: string, context: ClaimContext): boolean =>
  claimsIn(sentence, context).some(({ kind, text }) => kind === claim.kind && text === claim.text);

interface Disputed {
  found: Finding;
  claim: { kind: string; text: string };
  sentence: string;
  context: ClaimContext;
  passages: Pick<CitedPassage, 'source_id' | 'text'>[];
  /** Words of all disputed claims of the sentence: none may prove another. */
  disputed: string[];
}

function proofOf({ quotes: words, calculation, reason, unsupported }: Verdict, disputed: Disputed) {
  const quotes = words ?? [];
  const { found, claim, sentence, context, passages } = disputed;
  const { language } = context;
  if (unsupported) return null;
  const isName = claim.kind === 'name' || claim.kind === 'identifier';
  const sources = new Set(found.evidence.map(({ of }) => of));
  const allowed = isName ? passages.filter(({ source_id: id }) => sources.has(id)) : [];
  const texts = [...found.evidence, ...allowed].map(({ text }) => text);
  const given = quotes.filter((quote) => texts.some((text) => holds(text, quote)));
  if (given.length === 0 || given.length < quotes.length) return null;
  const claims = claimsIn(sentence, context);
  const own = claims.find(({ kind, text }) => kind === claim.kind && text === claim.text);
  const value = own?.value;
  if (typeof value === 'object') {
    const others = claims
      .filter(({ text }) => !disputed.disputed.includes(text))
      .flatMap((one) => numbersOf(one.value));
    const shown = calculation ? calculated(calculation, value, given, language, others) : null;
    if (shown !== null)
      return {
        rule: 'citation-calculated',
        message: phrase('finding.citation.calculated', { figure: value.text, calculation: shown }),
      };
    // A month or a weekday has no number to calculate.
    const isNumeric = !(
      'weekday' in value ||
      ('month' in value && value.year === undefined && value.day === undefined)
    );
    if (isNumeric || !given.some((quote) => datesIn(quote).length > 0)) return null;
  } else if (!isName || !given.some((quote) => /\p{Lu}|\d/u.test(quote))) return null;
  if (!reason) return null;
  const quoted = given.map((quote) => `“${oneLine(quote)}”`).join(', ');
  return {
    rule: 'citation-proved',
    message: phrase('finding.citation.proved', { claim: claimPhrase(found), quotes: quoted, reason }),
  };
}

const numbersOf = (value: Claim['value']): number[] =>
  typeof value === 'object' && 'values' in value ? value.values : [];

/**
 * Returns a calculation with its result if it uses only numbers of the quotes and figures of the sentence that its passages
 * state, and gives the figure or date.
 */
function calculated(
  calculation: string,
  value: Figure | StatedDate | { minutes: number },
  quotes: string[],
  language: string | null,
  others: number[],
): string | null {
  const expression = readExpression(calculation.split('=')[0]!);
  if (expression === null) return null;
  const figures = quotes.flatMap((quote) => figuresOfQuote(quote, language));
  const dates = quotes.flatMap(datesIn);
  const scale = 'values' in value ? value.scale : 1;
  const scales = new Set(figures.flatMap((figure) => (figure.scale > 1 ? [figure.scale] : [])));
  // `2.6` of `2.6 billion` is a number of its own where the sentence or the calculation names the scale, and next to other
  // numbers of this scale.
  const isRatio = typeof expression !== 'number' && scales.size === 1;
  const mayUnscale = (figure: Figure) =>
    scale === figure.scale || isRatio || calculation.includes(String(figure.scale));
  const stated = new Set(
    [
      ...others,
      ...figures.flatMap((figure) =>
        figure.values.flatMap((one) => [one, ...(mayUnscale(figure) ? [one / figure.scale] : [])]),
      ),
      ...dates.flatMap(({ year = [], month = [], day = [] }) => [year, month, day].flat()),
      ...quotes.flatMap(clockNumbers),
      ...quotes.flatMap(numbersOfWords),
    ].map(rounded),
  );
  const helpers = [
    ...daysBetween(dates),
    ...(quotes.some((quote) => clockNumbers(quote).length > 0) ? [12, 24, 60] : []),
  ];
  const known = typeof expression === 'number' ? stated : new Set([...stated, ...helpers.map(rounded)]);
  const result = valueOf(expression);
  const isShort = numbersIn(expression).filter((one) => !known.has(rounded(one))).length <= MOST_FACTORS;
  if (!isShort || !isFrom(expression, known) || !Number.isFinite(result)) return null;
  if (!isResult(result, value, stated)) return null;
  return `${written(expression)} = ${Number(result.toPrecision(10))}`;
}

/** Units and powers of ten of a calculation that no quote states. */
const MOST_FACTORS = 2;
const numbersIn = (expression: Expression): number[] =>
  typeof expression === 'number'
    ? [expression]
    : [...numbersIn(expression.left), ...numbersIn(expression.right)];

/** The largest part by which a result may differ from a figure in digits. */
const ROUNDED = 0.05;
/**
 * That for figures in words and below ten, by less than their last digit: `more than five weeks` for 5.57. The author sees
 * the exact result.
 */
const ROUNDED_WORDS = 0.3;
const BELOW_LAST_DIGIT = 1.99;

/** Returns whether a result is a figure, in the scale of its words such as `million` or without it, or the open part of a date. */
function isResult(
  result: number,
  value: Figure | StatedDate | { minutes: number },
  stated: Set<number>,
): boolean {
  if ('minutes' in value) return result === value.minutes;
  if (!('values' in value)) {
    const parts = [value.year, value.month, value.day].filter((part) => part !== undefined);
    return parts.includes(result) && parts.every((part) => part === result || stated.has(part));
  }
  const { values, steps, scale, isSpelled } = value;
  return values.some((figure, i) =>
    [1, scale].some((factor) => {
      const [shown, step] = [figure / factor, steps[i]! / factor];
      return isSpelled || Math.abs(shown) < 10
        ? isRoundedTo(result, shown, step * BELOW_LAST_DIGIT, ROUNDED_WORDS)
        : isRoundedTo(result, shown, step, ROUNDED);
    }),
  );
}

const DAY_MS = 86_400_000;
const MONTH_LENGTHS = [28, 29, 30, 31];

/** Returns the days between dates, and the lengths of months to calculate them with. */
function daysBetween(dates: StatedDate[]): number[] {
  const known = dates.filter(({ month, day }) => month !== undefined && day !== undefined);
  if (known.length < 2) return known.length === 0 ? [] : MONTH_LENGTHS;
  const year = known.find((date) => date.year !== undefined)?.year ?? 2001;
  const days = known.map((date) => Date.UTC(date.year ?? year, date.month! - 1, date.day) / DAY_MS);
  return [...MONTH_LENGTHS, ...days.flatMap((a) => days.map((b) => Math.abs(a - b)))];
}

/** Hours and minutes, also `18.10`. */
const CLOCK = /(?<![\d.:])(\d{1,2})[.:](\d{2})(?!\d|[.:]\d)/g;

const clockNumbers = (quote: string): number[] =>
  Array.from(quote.matchAll(CLOCK), ([, hours, minutes]) => [Number(hours), Number(minutes)]).flat();

const figuresOfQuote = (quote: string, language: string | null): Figure[] =>
  [...new Set([language, languageOf(quote)])].flatMap((one) => figuresIn(quote, one));

/** Parts of a whole that a calculation multiplies or divides by: units of time, shillings, prefixes, feet and miles. */
const FACTORS = new Set([
  7, 10, 12, 20, 24, 30, 52, 60, 100, 365, 1_000, 1_024, 3_600, 1_000_000, 0.3048, 2.54, 0.4536, 1.609, 1.852,
]);
const WHOLE = 100;

/** Returns whether the numbers of a calculation are stated, apart from factors and the whole of 100 per cent. */
function isFrom(expression: Expression, stated: Set<number>): boolean {
  if (typeof expression === 'number') return stated.has(rounded(expression));
  const { sign, left, right } = expression;
  const isProduct = sign === '*' || sign === '/';
  const isFactor = (part: Expression) => isProduct && typeof part === 'number' && FACTORS.has(part);
  if (isFactor(left) && isFactor(right)) return [left, right].some((part) => isFrom(part, stated));
  if (isFactor(left)) return isFrom(right, stated);
  if (isFactor(right)) return isFrom(left, stated);
  if ((sign === '-' && left === WHOLE) || (sign === '/' && left === 1)) return isFrom(right, stated);
  return isFrom(left, stated) && isFrom(right, stated);
}

/** Numbers are compared without the inexact digits of floating point. */
const rounded = (value: number): number => Number(value.toPrecision(10));

/** Returns whether a passage contains a quote that cuts no word or number in two. */
function holds(passage: string, quote: string): boolean {
  const [text, words] = [plain(passage), plain(quote)];
  if (words === '') return false;
  for (
    let at = text.indexOf(words), tries = 0;
    at >= 0 && tries < MAX_TRIES;
    at = text.indexOf(words, at + 1), tries++
  ) {
    const before = text.slice(Math.max(0, at - 2), at) + words[0]!;
    const behind = words.at(-1)! + text.slice(at + words.length, at + words.length + 2);
    if (
      !CUT.test(before.slice(-2)) &&
      !CUT_NUMBER.test(before) &&
      !CUT.test(behind.slice(0, 2)) &&
      !CUT_NUMBER.test(behind)
    )
      return true;
  }
  return false;
}

const MAX_TRIES = 1_000;
const CUT = /^[\p{L}\p{N}]{2}$/u;
const CUT_NUMBER = /^\d[.,:]\d$/;
/** Models copy words with other quotation marks, dashes and spaces. */
const plain = (text: string): string => withPlainQuotes(oneLine(text)).replace(/[–—−]/g, '-').toLowerCase();

/** Words that stand for a number in a calculation: parts, multiples and ordinals, as in `every second` or `twice`. */
const WORDS: Record<number, string> = {
  1: 'one once single jedna jedno',
  2: 'half halves twice double doubled second both pair couple hälfte halb halbe halben doppelt doppelte doppelten verdoppelt verdoppelte zweite zweiten zweiter beide beiden połowa połowę połowy pół dwukrotnie podwójnie podwoił podwoiła podwoiło podwoiły drugi druga drugie drugą oba obie',
  3: 'third thirds triple tripled thrice drittel dritte dritten dritter dreifach verdreifacht trzeci trzecia trzecie trzecią trzykrotnie potroił potroiła',
  4: 'quarter quarters fourth fourths viertel vierte vierten vierter vierfach ćwierć czwarty czwarta czwarte czwartą czterokrotnie',
  5: 'fifth fifths fünftel fünfte fünften piąty piąta piąte piątą pięciokrotnie',
  6: 'sixth sixths sechstel sechste sechsten szósty szósta szóste',
  7: 'seventh siebtel siebte siebten siódmy siódma siódme',
  8: 'eighth eighths achtel achte achten ósmy ósma ósme',
  9: 'ninth neuntel neunte neunten dziewiąty dziewiąta dziewiąte',
  10: 'tenth tenths zehntel zehnte zehnten dziesiąty dziesiąta dziesiąte dziesięciokrotnie',
  12: 'dozen dutzend tuzin tuzina',
};
const NUMBER_OF = new Map(
  Object.entries(WORDS).flatMap(([number, words]) =>
    words.split(' ').map((word) => [word, Number(number)] as const),
  ),
);

/** Returns the numbers for which words of a quote may stand in a calculation; a part of 4 also stands for 0.25. */
function numbersOfWords(quote: string): number[] {
  return (quote.toLowerCase().match(/\p{L}+/gu) ?? []).flatMap((word) => {
    const number = NUMBER_OF.get(word);
    return number === undefined ? [] : [number, 1 / number];
  });
}
