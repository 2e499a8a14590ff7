import { numberOfWord } from '#verbatim/source/units-of-measure.js';
import type { ClaimLexicon } from './lexicon.js';

/** A figure of a sentence. */
export interface Figure {
  text: string;
  /** The values that it may have, as decimal numbers: `1.200` is 1200 or 1.2, `2.6 million` also 2.6. */
  values: string[];
  /** Offset in the text. */
  at: number;
  isSpelled: boolean;
  /** Words behind the figure that belong to it, such as ` million` or ` and a half`. */
  tail: string;
  /** Its values with the scale behind it: of `2.6 million` 2600000 only. */
  scaled: string[];
}

const DIGITS = /(?<![\p{L}\p{N}_])(?:(?<!\d\/)\d{1,3}(?:[ \u00a0\u202f]\d{3})+(?!\d)|\d+(?:[.,]\d+)*)/gu;
const SCALE: [RegExp, number][] = [
  [/^[ \u00a0](?:thousand|tausend|tsd|tys|mille|mil)(?!\p{L})|^[ \u00a0]tysi/iu, 1e3],
  [/^[ \u00a0](?:mil+i?[oó]n|mio|mln)/iu, 1e6],
  [/^[ \u00a0](?:billion|milliard|mrd|mld|miliard)/iu, 1e9],
];
/** Letters for a scale that stand for nothing else behind a figure: `48.3k`, `66 M parameters`. */
const LETTER_SCALE: [RegExp, number][] = [
  [/^ ?[kK](?![\p{L}Ω])/u, 1e3],
  [/^ ?M(?![\p{L}Ω])/u, 1e6],
  [/^ ?B(?= \p{Ll}{4})/u, 1e9],
];
/** Letters for a scale after an amount of money: `£1.92m`. */
const MONEY_SCALE: [RegExp, number][] = [
  [/^ ?k(?!\p{L})/iu, 1e3],
  [/^ ?mn?(?!\p{L})/iu, 1e6],
  [/^ ?bn(?!\p{L})/iu, 1e9],
];
const CURRENCY = /[€£$] ?$/u;
/** Words that refer back to things already named instead of counting them. */
const ANAPHORIC = /^(?:both|twice|zweimal|dwukrotnie|zero|null)$/iu;

/** Returns the figures of a text, written in digits or words. Linear. */
export function figuresIn(text: string, { numbers }: Pick<ClaimLexicon, 'numbers'>): Figure[] {
  return [...inDigits(text), ...inWords(text, numbers)].sort((a, b) => a.at - b.at);
}

function inDigits(text: string): Figure[] {
  return Array.from(text.matchAll(DIGITS), (match) => {
    const behind = text.slice(match.index + match[0].length, match.index + match[0].length + 12);
    const isMoney = CURRENCY.test(text.slice(Math.max(0, match.index - 2), match.index));
    const scales = isMoney ? [...SCALE, ...MONEY_SCALE] : [...SCALE, ...LETTER_SCALE];
    const [word, scale] = scales.find(([pattern]) => pattern.test(behind)) ?? [];
    const values = valuesOf(match[0]);
    const scaled = scale === undefined ? [] : values.map((value) => plain(Number(value) * scale));
    const tail =
      word === undefined
        ? ''
        : (/^[ \u00a0]?(?:(?:mio|mrd|tsd|tys|mln|mld)\.|\p{L}+)/iu.exec(behind)?.[0] ?? '');
    return {
      text: match[0],
      values: [...values, ...scaled],
      at: match.index,
      isSpelled: false,
      tail,
      scaled: scale === undefined ? values : scaled,
    };
  });
}

/** Returns the decimal numbers that digits with separators may mean. */
function valuesOf(digits: string): string[] {
  const bare = digits.replace(/[ \u00a0\u202f]/g, '');
  const separators = bare.match(/[.,]/g) ?? [];
  const isGrouped = /^\d{1,3}([.,])\d{3}(?:\1\d{3})*(?:[.,]\d{1,2})?$/.test(bare);
  const values = new Set<string>();
  if (separators.length === 0) values.add(plain(Number(bare)));
  if (separators.length === 1) values.add(plain(Number(bare.replace(',', '.'))));
  if (isGrouped) values.add(plain(Number(bare.replace(/[.,](?=\d{3})/g, '').replace(',', '.'))));
  if (values.size === 0) for (const part of bare.split(/[.,]/)) values.add(plain(Number(part)));
  return [...values];
}

const plain = (value: number): string => String(Number(value.toPrecision(12)));

const TENS =
  /^(twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)-(one|two|three|four|five|six|seven|eight|nine)$/i;
const GERMAN = /^(ein|zwei|drei|vier|fünf|sechs|sieben|acht|neun)und(\p{L}+zig|dreißig)$/iu;

interface SpelledWord {
  text: string;
  at: number;
  value: number | null;
}

/** Combines neighbouring number words: `a hundred and twenty`, `czterdzieści dwa`, `three and a half`. */
function inWords(text: string, numbers: ReadonlyMap<string, string>): Figure[] {
  const words = spelledWords(text, numbers);
  const found: Figure[] = [];
  for (let i = 0; i < words.length; i++) {
    const first = words[i] as SpelledWord;
    if (first.value === null || SCALES_DIGITS.test(text.slice(Math.max(0, first.at - 4), first.at + 3)))
      continue;
    const last = endOfNumber(text, words, i);
    const run = words.slice(i, last + 1).flatMap(({ value }) => value ?? []);
    const end = words[last] as SpelledWord;
    const until = end.at + end.text.length;
    const before = HALF_OF.exec(text.slice(Math.max(0, first.at - 14), first.at))?.[0] ?? '';
    const half = (run[0] ?? 0) >= 1_000 ? before : '';
    const { tail, value } = withTail(text.slice(until, until + 40), run);
    const values = [plain(half === '' ? value : value / 2)];
    const at = first.at - half.length;
    const written = text.slice(at, until);
    found.push({ text: written, values, scaled: values, at, isSpelled: true, tail });
    i = last;
  }
  return found;
}

/** Adds the half, the quarters and the scale behind a number in words: `two and a half million`. */
function withTail(behind: string, run: number[]): { tail: string; value: number } {
  const half = HALF.exec(behind)?.[0] ?? '';
  const [quarter, part] = QUARTERS.find(([words]) => words.test(behind)) ?? [];
  // In `two hours and a half` the unit comes first.
  const isDirect = DIRECT_HALF.test(half);
  const more = quarter ? (quarter.exec(behind)?.[0] ?? '') : isDirect ? half : '';
  const [scale, factor = 1] = SCALE.find(([words]) => words.test(behind.slice(more.length))) ?? [];
  const unit = (run.at(-1) ?? 0) >= 1_000 ? (run.at(-1) as number) : 1;
  const ofHour = QUARTER_HOUR.test(behind) ? 0.25 : undefined;
  const extra = (part ?? ofHour ?? (half === '' ? 0 : 0.5)) * unit;
  const scaleWord = scale ? (/^.\p{L}+/u.exec(behind.slice(more.length))?.[0] ?? '') : '';
  return { tail: more + scaleWord, value: (combined(run) + extra) * factor };
}

/** A scale after digits, such as `14 million`, belongs to them. */
const SCALES_DIGITS = /\d[ \u00a0](?:tho|mil|bil|tau|tys)/i;
const HALF =
  /^(?: \p{L}{2,12})? (?:and a half|and one half|i pół|i półowy|einhalb|et demie?|y medi[oa])(?!\p{L})/iu;
const QUARTERS: [RegExp, number][] = [
  [/^ (?:and a quarter|i ćwierć|et quart|y cuarto)(?!\p{L})/iu, 0.25],
  [/^ and three[ -]quarters?(?!\p{L})/iu, 0.75],
];
/** `Cztery godziny i kwadrans`. */
const QUARTER_HOUR =
  /^ (?:godzin\p{L}{0,2} i kwadrans|hours? and a quarter|Stunden? und eine Viertelstunde|heures? et quart|horas? y cuarto)(?!\p{L})/iu;
const DIRECT_HALF = /^ (?:and|i|einhalb|et|y) /iu;
/** Before a scale: `half a million`. */
const HALF_OF = /(?:half a |eine halbe |pół |un demi-|medio )$/iu;
const DOZEN = /^(?:dozen|dutzend|douzaines?|docenas?|tuziny?|tuzinów)$/iu;

/** Returns the index of the last word of the number that begins at a word. */
function endOfNumber(text: string, words: SpelledWord[], from: number): number {
  let last = from;
  for (let next = from + 1; next < words.length; next++) {
    const [before, word] = [words[next - 1] as SpelledWord, words[next] as SpelledWord];
    if (text.slice(before.at + before.text.length, word.at) !== ' ') break;
    if (word.value !== null) last = next;
    else if (!/^(?:and|und|i|et|y)$/i.test(word.text)) break;
  }
  return last;
}

const MEASURED =
  /^\p{L}{2,12}-(?:years?|months?|weeks?|days?|hours?|minutes?|seconds?|metres?|miles?|kilometres?|storey|storeys|page|part)(?!\p{L})/iu;

const POLISH_TENS =
  /(?:dzieścia|dzieści|dziesiąt|dziestu|dziesięciu|(?<!\p{L})sto|dwieście|trzysta|czterysta|[ćt]set) $/iu;

/** German joins a number and its unit: `vierjährig`. */
const JOINED = /^(\p{L}{3,16}?)(?:jährig|monatig|wöchig|tägig|stündig)(?:e[mnrs]?)?$/iu;

function spelledWords(text: string, numbers: ReadonlyMap<string, string>): SpelledWord[] {
  return Array.from(text.matchAll(/\p{L}+(?:-\p{L}+){0,3}/gu), ({ 0: word, index: at }) => {
    // Alone, the word is an article; in `czterdzieści jeden` it is a part of the number.
    if (word === 'jeden' && POLISH_TENS.test(text.slice(Math.max(0, at - 20), at)))
      return { text: word, at, value: 1 };
    const value = valueOfWord(word, numbers);
    const [first = word] = word.split('-');
    // In `eight-year-old` only the first part is a number.
    const [, number = ''] = JOINED.exec(word) ?? [];
    if (value === null && number !== '') return { text: number, at, value: valueOfWord(number, numbers) };
    if (value !== null || first === word || !MEASURED.test(word)) return { text: word, at, value };
    return { text: first, at, value: valueOfWord(first, numbers) };
  });
}

function valueOfWord(word: string, numbers: ReadonlyMap<string, string>): number | null {
  if (ANAPHORIC.test(word)) return null;
  const lower = word.toLowerCase();
  const simple = numbers.get(lower) ?? (numbers.size === 0 ? numberOfWord(lower) : null);
  if (simple !== null) return Number(simple);
  const tens = TENS.exec(word);
  if (tens) return Number(numberOfWord(tens[1]!)) + ONES.indexOf(tens[2]!.toLowerCase()) + 1;
  if (/^(?:anderthalb|eineinhalb)$/iu.test(word) && numbers.size > 0) return 1.5;
  if (DOZEN.test(word)) return 12;
  const times = /^(\p{L}+)mal$/iu.exec(word);
  if (times && numbers.has(times[1]!.toLowerCase())) return Number(numbers.get(times[1]!.toLowerCase()));
  const [, whole = '', part = ''] = GERMAN_PART.exec(lower) ?? [];
  if (numbers.has(whole)) return Number(numbers.get(whole)) + GERMAN_PARTS[part]!;
  if (/^półtor(?:a|ej)$/i.test(word) && numbers.size > 0) return 1.5;
  const parts = lower
    .replace(/^quatre-vingts?/u, 'quatre_vingt')
    .split('-')
    .map((part) => numbers.get(part.replace('_', '-')));
  if (parts.length > 1 && parts.every((part) => part !== undefined))
    return parts.reduce((sum, part) => sum + Number(part), 0);
  const german = GERMAN.exec(word);
  const [ones, ten] = [german?.[1]?.toLowerCase() ?? '', numbers.get(german?.[2]?.toLowerCase() ?? '')];
  if (ten !== undefined) return Number(ten) + (ones === 'ein' ? 1 : Number(numbers.get(ones)));
  return null;
}
/** `Zweieinhalb`, `zweieinviertel`. */
const GERMAN_PART = /^(\p{L}+)(einhalb|einviertel|dreiviertel)$/u;
const GERMAN_PARTS: Record<string, number> = { einhalb: 0.5, einviertel: 0.25, dreiviertel: 0.75 };
const ONES = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine'];

function combined(run: number[]): number {
  let total = 0;
  let current = 0;
  for (const value of run) {
    if (value >= 1_000) {
      total += Math.max(1, current) * value;
      current = 0;
    } else if (value === 100 && current > 0 && current < 10) current *= 100;
    else if (value === 12 && current > 0 && current < 12) current *= 12;
    else current += value;
  }
  return total + current;
}
