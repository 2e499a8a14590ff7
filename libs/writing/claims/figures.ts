import { pairsOf } from '#contracts/text.js';
import { numberOfWord, canonicalUnit } from '#verbatim/source/units-of-measure.js';
import words from './words.json' with { type: 'json' };

/** A figure of a text, in digits or words, with the unit next to it. */
export interface Figure {
  text: string;
  /** Offsets of the figure and the scale behind it, such as ` million`. */
  at: number;
  end: number;
  /** The values that it may have: `1.200` is 1200 or 1.2. */
  values: number[];
  /** 1e6 of `2.6 million`, 1 without a scale. */
  scale: number;
  /** Of each value what its last digit counts, apart from zeros: 1 of `12`, 0.1 of `2.5`, 100 of `1,200`. */
  steps: number[];
  isSpelled: boolean;
  unit: Unit | null;
}

const DIGITS = /(?<![\p{L}\p{N}_])(?:\d{1,3}(?:[ \u00a0\u202f]\d{3})+(?!\d)|\d+(?:[.,'’]\d+)*)/gu;
const SCALES: [RegExp, number][] = [
  [/^[ \u00a0-](?:thousand|tausend|tsd\.?|tys\.?|tysi\p{L}{1,4}|mille|mil)(?!\p{L})/iu, 1e3],
  [/^ ?k(?![\p{L}Ω])/u, 1e3],
  [/^[ \u00a0-]?(?:million\p{L}{0,2}|mio\.?|mln|milion\p{L}{0,2}|millón|millones|mn)(?!\p{L})/iu, 1e6],
  [/^ ?M(?=[ .,;)]|$)/u, 1e6],
  [/^[ \u00a0-]?(?:billion|milliard\p{L}{0,2}|mrd\.?|mld|miliard\p{L}{0,2}|bn)(?!\p{L})/iu, 1e9],
]; // prettier-ignore

/** Returns the figures of a text in order. @param language in which number words are read; English if unknown */
export function figuresIn(text: string, language: string | null): Figure[] {
  const figures = [...inDigits(text), ...inWords(text, language)].sort((a, b) => a.at - b.at);
  // `From 4 to 19 minutes`.
  for (let i = figures.length - 2; i >= 0; i--) {
    const [figure, next] = [figures[i]!, figures[i + 1]!];
    if (figure.unit === null && JOINED.test(text.slice(figure.end, next.at))) figure.unit = next.unit;
  }
  return figures;
}

/** Between two figures that share a unit. */
const JOINED = /^(?: ?[-–—/,] ?| (?:to|and|or|bis|und|oder|do|i|lub|à|et|ou|y|o|a) )$/u;

function inDigits(text: string): Figure[] {
  return Array.from(text.matchAll(DIGITS), ({ 0: digits, index: at }) =>
    figureAt(text, at, at + digits.length, {
      values: valuesOf(digits),
      steps: valuesOf(digits).map((value) => stepOf(value, digits)),
      isSpelled: false,
    }),
  );
}

/** Adds the scale behind a figure, and its unit. */
function figureAt(
  text: string,
  at: number,
  until: number,
  { values, steps, isSpelled }: Pick<Figure, 'values' | 'steps' | 'isSpelled'>,
): Figure {
  const behind = text.slice(until, until + 24);
  const [words, scale] = SCALES.find(([pattern]) => pattern.test(behind)) ?? [];
  const end = until + (words?.exec(behind)?.[0].length ?? 0);
  const factor = scale ?? 1;
  return {
    text: text.slice(at, until),
    at,
    end,
    values: values.map((value) => value * factor),
    scale: factor,
    steps: steps.map((step) => step * factor),
    isSpelled,
    unit: unitBefore(text.slice(Math.max(0, at - 4), at)) ?? unitAfter(text.slice(end, end + 40)),
  };
}

/** Returns the numbers that digits with separators may mean. */
function valuesOf(digits: string): number[] {
  const bare = digits.replace(/[ \u00a0\u202f'’]/g, '');
  const separators = bare.match(/[.,]/g) ?? [];
  if (separators.length === 0) return [Number(bare)];
  const values = new Set<number>();
  if (separators.length === 1) values.add(Number(bare.replace(',', '.')));
  if (/^\d{1,3}([.,])\d{3}(?:\1\d{3})*(?:[.,]\d{1,2})?$/.test(bare))
    values.add(Number(bare.replace(/[.,](?=\d{3})/g, '').replace(',', '.')));
  // A version or a numbered section: `1.2.3`.
  if (values.size === 0) for (const part of bare.split(/[.,]/)) values.add(Number(part));
  return [...values];
}

function stepOf(value: number, digits: string): number {
  const decimals = /[.,](\d+)$/.exec(digits)?.[1]?.length;
  if (decimals !== undefined && value !== Math.trunc(value)) return 10 ** -decimals;
  if (decimals !== undefined && decimals < 3) return 10 ** -decimals;
  let step = 1;
  while (value >= 10 * step && value % (10 * step) === 0) step *= 10;
  return step;
}

interface SpelledWord {
  text: string;
  at: number;
  value: number | null;
}

const AND = ['and', 'und', 'i', 'et', 'y'];
/** Words for the parts of a whole, such as `quarters`, with their number. */
const PARTS: Partial<Record<string, number>> = words.parts;
const HALF = /^ (?:and a half|i pół|et demie?|y medi[oa])(?!\p{L})/iu;

/** Combines neighbouring number words: `a hundred and twenty`, `czterdzieści dwa`, `three and a half`. */
function inWords(text: string, language: string | null): Figure[] {
  const words = Array.from(text.matchAll(/\p{L}+/gu), ({ 0: word, index: at }): SpelledWord => ({
    text: word,
    at,
    value: valueOfWord(word, language),
  }));
  const found: Figure[] = [];
  for (let i = 0; i < words.length; i++) {
    const first = words[i] as SpelledWord;
    // A scale after digits, such as `14 million`, belongs to them.
    if (first.value === null || /\d[ \u00a0-]$/.test(text.slice(Math.max(0, first.at - 2), first.at)))
      continue;
    const last = endOfNumber(text, words, i);
    const run = words.slice(i, last + 1).flatMap(({ value }) => value ?? []);
    const end = (words[last] as SpelledWord).at + (words[last] as SpelledWord).text.length;
    const behind = text.slice(end, end + 16);
    const [next = '', part = ''] = /^[ -](\p{L}+)/u.exec(behind) ?? [];
    const parts = Object.hasOwn(PARTS, part.toLowerCase()) ? PARTS[part.toLowerCase()] : undefined;
    const tail = parts ? next.length : (HALF.exec(behind)?.[0].length ?? 0);
    const value = parts ? combined(run) / parts : combined(run) + (tail > 0 ? 0.5 : 0);
    const step = parts ? value / 10 : tail > 0 ? 0.5 : stepOf(value, '');
    const figure = figureAt(text, first.at, end + tail, { values: [value], steps: [step], isSpelled: true });
    const lastValue = run.at(-1) ?? 0;
    // The scale of `two million` is one of its words.
    found.push(run.length > 1 && lastValue >= 1_000 ? { ...figure, scale: lastValue } : figure);
    i = last;
  }
  return found;
}

/** Returns the index of the last word of the number that begins at a word. */
function endOfNumber(text: string, words: SpelledWord[], from: number): number {
  let last = from;
  for (let next = from + 1; next < words.length; next++) {
    const [before, word] = [words[next - 1] as SpelledWord, words[next] as SpelledWord];
    if (!/^[ -]$/.test(text.slice(before.at + before.text.length, word.at))) break;
    const isOne = ONES.includes(word.text.toLowerCase()) && (words[last]?.value ?? 0) >= 20;
    if (isOne) word.value = 1;
    if (word.value !== null) last = next;
    // `A hundred and twenty`, `vingt et un`, but not `between twenty and thirty`.
    else if (
      !AND.includes(word.text.toLowerCase()) ||
      ((words[last]?.value ?? 0) < 100 && !ONES.includes(words[next + 1]?.text.toLowerCase() ?? ''))
    )
      break;
  }
  return last;
}

/** Alone, these words are articles; in `twenty-one` they are a part of the number. */
const ONES = ['one', 'jeden', 'un', 'uno'];
/** German joins the parts of a number: `einundzwanzig`, `zweieinhalb`, `vierjährig`, `dreimal`. */
const GERMAN_TENS = /^(ein|zwei|drei|vier|fünf|sechs|sieben|acht|neun)und(\p{L}+(?:zig|ßig))$/u;
const GERMAN_PART = /^(\p{L}*)(einhalb|einviertel)$/u;
const GERMAN_UNIT = /^(\p{L}{3,16}?)(?:jährig|monatig|wöchig|tägig|stündig|mal)(?:e[mnrs]?)?$/u;

function valueOfWord(word: string, language: string | null): number | null {
  const lower = word.toLowerCase();
  const value = numberWord(lower, language);
  if (value !== null || language !== 'de') return value;
  const [, ones = '', tens = ''] = GERMAN_TENS.exec(lower) ?? [];
  const ten = tens === '' ? null : numberWord(tens, language);
  if (ten !== null) return ten + (ones === 'ein' ? 1 : (numberWord(ones, language) ?? 0));
  const [, whole, part] = GERMAN_PART.exec(lower) ?? [];
  const before = whole === undefined ? null : numberWord(whole, language);
  if (before !== null) return before + (part === 'einhalb' ? 0.5 : 0.25);
  const joined = GERMAN_UNIT.exec(lower)?.[1];
  return joined === undefined ? null : numberWord(joined, language);
}

function combined(run: number[]): number {
  let total = 0;
  let current = 0;
  for (const value of run) {
    if (value >= 1_000) {
      total += Math.max(1, current) * value;
      current = 0;
    } else if (value === 100 && current > 0 && current < 10) current *= 100;
    else current += value;
  }
  return total + current;
}

/** Number words of each language with their values, by ISO 639-1 code. "One" is an article in most languages, so it is absent. */
const BY_LANGUAGE = new Map(
  Object.entries(words.numbers).map(([language, words]) => [language, new Map(pairsOf(words))]),
);

/** Returns the value of a number word in lower case; null for other words. Unknown languages are read as English. */
function numberWord(word: string, language: string | null): number | null {
  const words = BY_LANGUAGE.get(language ?? '');
  const value = words ? words.get(word) : numberOfWord(word);
  return value === undefined || value === null ? null : Number(value);
}

/** A unit of measure. Figures of one dimension are compared in its base unit. */
interface Unit {
  dimension: string;
  factor: number;
}

/** Dimension, factor and words of each unit. Currencies are dimensions of their own. */
const UNITS = words.units as [string, number, string][];

const BY_WORD = new Map(
  UNITS.flatMap(([dimension, factor, words]) =>
    words.split(' ').map((word) => [word, { dimension, factor }] as const),
  ),
);

/** Words between a figure and its unit that change the unit. */
const SQUARE = /^(?:square|kwadratow\p{L}{1,3}|carrés?|cuadrados?)$/u;
const CUBIC = /^(?:cubic|sześcienn\p{L}{1,3}|cubes?|cúbicos?)$/u;
const PER_CENT = /^(?:per cent|pour cent|por ciento|percentage points?)(?!\p{L})/iu;

/** Returns the unit of the words behind a figure, as in `30 km`; null if none is known. */
function unitAfter(behind: string): Unit | null {
  const text = behind.replace(/^[ \u00a0\u202f-]/u, '');
  if (PER_CENT.test(text)) return BY_WORD.get('%')!;
  const [first = '', second = ''] = text.match(/^[%€£$]|^°[CF]|[\p{L}²³µ]+/gu) ?? [];
  if (!text.startsWith(first)) return null;
  const power =
    SQUARE.test(first) || SQUARE.test(second) ? 2 : CUBIC.test(first) || CUBIC.test(second) ? 3 : 1;
  const unit = unitOf(first) ?? (power > 1 ? unitOf(second) : null);
  if (unit === null || power === 1) return unit;
  if (unit.dimension !== 'length') return null;
  return power === 2
    ? { dimension: 'area', factor: unit.factor ** 2 }
    : { dimension: 'volume', factor: unit.factor ** 3 * 1_000 };
}

function unitOf(word: string): Unit | null {
  const known = BY_WORD.get(word) ?? BY_WORD.get(word.toLowerCase());
  if (known) return known;
  const technical = canonicalUnit(word);
  return technical === null ? null : { dimension: technical, factor: 1 };
}

/** Returns the currency before a figure, as in `£30` or `EUR 30`; null if there is none. */
function unitBefore(before: string): Unit | null {
  const [, sign = ''] = /(?:^|[^\p{L}])([€£$]|EUR|GBP|USD|PLN|CHF)[ \u00a0]?$/u.exec(before) ?? [];
  return sign === '' ? null : unitOf(sign);
}
