import { sentenceEnds } from '#verbatim/source/sentences.js';
import { dates } from '../facts/dates.js';
import { boundAt, type Bound } from './approximation.js';
import { erasIn } from './eras.js';
import { figuresIn, type Figure } from './figures.js';
import { sharesIn, type Share } from './fractions.js';
import { claimLexiconOf } from './lexicon.js';
import { clockTimes } from './times-of-day.js';
import { type Dimension, unitAfter, unitBefore, YEAR } from './units.js';

/** A figure with what it measures. */
export interface Quantity {
  text: string;
  at: number;
  end: number;
  /** Its values as decimal numbers in the unit as written. */
  keys: string[];
  /** Values that it may have, in the base unit of its dimension. */
  values: number[];
  dimension: Dimension;
  /** Size of its unit in base units; 1 without a unit. */
  factor: number;
  /** Value of its last digit as written, in base units. */
  step: number;
  bound: Bound | null;
  /** Words that follow it, which name what is counted. */
  nouns: string[];
  /** Index of its sentence. */
  sentence: number;
  /** True if it is in no figure, so that it is no claim: `one assistant` after `two keepers`. */
  isImplied?: boolean;
}

/** A year that a text names, with the part of it that has passed if the day is known. */
export interface PointInTime {
  year: number;
  /** Days since 1 January of year 0; null if only the year is known. */
  day: number | null;
  sentence: number;
}

/** The figures of a text with their sentences. */
export interface Quantities {
  quantities: Quantity[];
  points: PointInTime[];
  sentences: string[];
}

const AGE = /(?:aged|age of|im Alter von|w wieku|l['’]âge de|a los) $/iu;
/** The word for the year after its figure: `w 1998 roku`. */
const OF_YEAR = /^ (?:roku|rok|rokiem)(?!\p{L})/iu;
const IS_YEAR = /^(?:1\d{3}|20\d{2})$/;
const NOUNS = 3;

/** Reads the figures, shares and dates of a text. Linear. */
export function quantitiesOf(text: string, language: string | null): Quantities {
  const lexicon = claimLexiconOf(language);
  const ends = sentenceEnds(text);
  const sentenceAt = (at: number) => ends.filter((end) => end <= at).length;
  const starts = [0, ...ends.filter((end) => end < text.length)];
  const sentences = starts.map((start, i) => text.slice(start, starts[i + 1] ?? text.length));
  const shares = sharesIn(text, language, lexicon);
  const stated = dates(text);
  const hidden = [...shares, ...stated, ...erasIn(text)];
  const rest = hidden.reduce((masked, { at, text: words }) => blankAt(masked, at, words.length), text);
  const points: PointInTime[] = stated.map(({ value, at }) => ({
    ...pointOf(value),
    sentence: sentenceAt(at),
  }));
  const clocks = clockTimes(rest);
  const quantities = shares.map((share) => ofShare(share, text, sentenceAt(share.at)));
  for (const figure of figuresIn(rest, lexicon)) {
    const quantity = ofFigure(figure, rest, language, sentenceAt(figure.at));
    if (clocks.some(({ at, end }) => figure.at >= at && figure.at < end)) continue;
    const mayBeYear = quantity.dimension === 'count' && IS_YEAR.test(figure.text);
    if (mayBeYear) points.push({ year: Number(figure.text), day: null, sentence: quantity.sentence });
    const before = rest.slice(Math.max(0, figure.at - 12), figure.at);
    const isYear =
      (mayBeYear && YEAR_CUE.test(before)) || (figure.text.length === 2 && SECOND_YEAR.test(before));
    quantities.push(isYear ? { ...quantity, dimension: 'year' } : quantity);
  }
  const figures = [...quantities];
  const isPart = ({ at, end }: Quantity) => figures.some((one) => at <= one.end + 1 && end > one.at);
  quantities.push(...singles(rest, sentenceAt).filter((one) => !isPart(one)));
  const ordered = joinDurations(
    shareUnits(
      quantities.sort((a, b) => a.at - b.at),
      text,
    ),
    text,
  );
  return { quantities: [...ordered, ...durationsOnClock(text, clocks, sentenceAt)], points, sentences };
}

const blankAt = (text: string, at: number, length: number): string =>
  text.slice(0, at) + ' '.repeat(length) + text.slice(at + length);

/** Before a year. */
const YEAR_CUE =
  /(?<!\p{L})(?:in|since|by|until|from|of|before|after|around|im|jahr|seit|bis|von|vor|nach|roku|rok|w|od|do|en|depuis|avant|après|desde|hasta|hacia) $/iu;
/** Before the second year of `2023/24`. */
const SECOND_YEAR = /\d{4}[/–-]$/;

function ofShare({ text, at, value, kind }: Share, whole: string, sentence: number): Quantity {
  const end = at + text.length;
  const unit = PART_OF_HOUR.exec(whole.slice(end, end + 20));
  const keys = value === null ? ['share'] : [];
  const shown = {
    text,
    keys,
    at,
    end,
    bound: boundAt(whole, at, end),
    nouns: nounsAfter(whole.slice(end)),
    sentence,
  };
  if (unit && value !== null)
    return { ...shown, values: [value * 3_600], dimension: 'time', factor: 3_600, step: 60 };
  const values = value === null ? [] : [value];
  return { ...shown, values, dimension: kind, factor: 1, step: (value ?? 0) * 0.05 };
}
/** One thing after several, and a unit and a half: `two keepers and one assistant`, `a year and a half`. */
const SINGLE =
  /(?<=\p{L} (?:and|und|i|et|y) )(?:one|eine[nrms]?|ein|jeden|jedna|jedną|jedno|une?|una?)(?= \p{L}{4})|(?<= )(\p{L}{1,12}) (?:and a half|et demie?|y medi[oa])(?!\p{L})|(?<!\p{L})(?:half an|une demi-|eine halbe|pół|media) ?(\p{L}{4,12})/giu;

/** Returns the ones and halves that have no figure. */
function singles(text: string, sentenceAt: (at: number) => number): Quantity[] {
  return Array.from(text.matchAll(SINGLE)).flatMap((match): Quantity[] => {
    const [words, whole, half] = match;
    const end = match.index + words.length;
    const unit = unitAfter(` ${whole ?? half ?? ''} `);
    if ((whole ?? half) !== undefined && !unit) return [];
    const { dimension, factor } = unit ?? { dimension: 'count' as const, factor: 1 };
    const value = whole !== undefined ? 1.5 : half !== undefined ? 0.5 : 1;
    return [
      {
        text: words,
        at: match.index,
        end,
        keys: [],
        values: [value * factor],
        dimension,
        factor,
        step: factor,
        bound: null,
        nouns: nounsAfter(text.slice(end, end + 60)),
        sentence: sentenceAt(match.index),
        isImplied: unit === null,
      },
    ];
  });
}

const PART_OF_HOUR = /^ ?(?:of an hour|godziny|d['’]heure|de hora)(?!\p{L})/iu;

function ofFigure(figure: Figure, text: string, language: string | null, sentence: number): Quantity {
  const end = figure.at + figure.text.length + figure.tail.length;
  const behind = text.slice(end, end + 60);
  const isAge = AGE.test(text.slice(Math.max(0, figure.at - 20), figure.at));
  const isMultiple = /\p{L}mal$/u.test(figure.text);
  const unit = isAge
    ? ({ dimension: 'time', factor: YEAR } as const)
    : isMultiple
      ? ({ dimension: 'times', factor: 1 } as const)
      : IS_YEAR.test(figure.text) && OF_YEAR.test(behind)
        ? null
        : (unitBefore(text.slice(Math.max(0, figure.at - 2), figure.at)) ?? unitAfter(behind));
  const factor = unit?.factor ?? 1;
  const scale = Number(figure.scaled[0]) / Number(figure.values[0]);
  const decimals = DECIMALS.exec(figure.text)?.[1]?.length ?? 0;
  return {
    text: figure.text,
    keys: figure.values,
    at: figure.at,
    end,
    values: readings(figure, language).map((value) => value * factor),
    dimension: unit?.dimension ?? 'count',
    factor,
    step: (scale * factor) / 10 ** decimals,
    bound: boundAt(text, figure.at, end) ?? (LOOSE.test(figure.text) ? 'about' : null),
    nouns: nounsAfter(behind),
    sentence,
  };
}

/** A separator before three digits groups them in the language of the text: `1,987` in English, `1.987` in German. */
function readings({ text, scaled }: Figure, language: string | null): number[] {
  const values = scaled.map(Number);
  const grouped = language === 'en' ? ',' : '.';
  const [separator] = /[.,](?=\d{3}(?:\D|$))/.exec(text) ?? [];
  if (language === null || separator === undefined) return values;
  return [separator === grouped ? Math.max(...values) : Math.min(...values)];
}

const DECIMALS = /[.,](\d{1,2})$/;
/** French and Spanish words for about as many: `une trentaine`. */
const LOOSE =
  /^(?:dizaine|vingtaine|trentaine|quarantaine|cinquantaine|soixantaine|centaine|millier|centenar|millar)s?$/iu;

const NO_NOUN =
  /^(?:the|and|for|was|were|are|had|has|have|with|from|into|that|than|then|them|they|this|which|when|went|its|und|die|der|das|den|dem|des|mit|von|aus|bis|ist|sind|war|waren|wird|wurde|wurden|hat|eine?[nrms]?|auch|oraz|jest|było|przez|est|les|des|une|dont|dans|avec|pour|par|sont|los|las|del|que|por|para|con|una|son|fue|fueron)$/iu;

/** Returns the next words after a figure, up to the end of the clause or the next figure. */
function nounsAfter(behind: string): string[] {
  const clause = /^[^.,;:!?()\d]{0,60}/u.exec(behind)?.[0] ?? '';
  return (clause.match(/\p{L}{3,}/gu) ?? []).filter((word) => !NO_NOUN.test(word)).slice(0, NOUNS);
}

const LINKED = /^ ?(?:to|and|or|bis|und|oder|do|i|lub|à|a|et|ou|y|o|–|-) ?$/iu;

/** Gives a figure the unit of the next one, if it has none: `from 30 to 90 km`. */
function shareUnits(quantities: Quantity[], text: string): Quantity[] {
  return quantities.map((one, i) => {
    const before = quantities[i - 1];
    const next = quantities[i + 1];
    if (
      one.dimension === 'count' &&
      before?.dimension === 'time' &&
      A_WEEK.test(text.slice(one.end, one.end + 16))
    )
      return inUnitOf(before, one);
    if (one.dimension !== 'count' || !next || next.dimension === 'count' || next.dimension === 'share')
      return one;
    if (!LINKED.test(text.slice(one.end, next.at))) return one;
    return inUnitOf(next, one);
  });
}

/** `35 a week` after `seven hours a day`. */
const A_WEEK =
  /^ (?:a week|per week|in der Woche|pro Woche|wöchentlich|par semaine|a la semana|tygodniowo|w tygodniu)(?!\p{L})/iu;

function inUnitOf({ dimension, factor }: Quantity, one: Quantity): Quantity {
  const values = one.values.map((value) => value * factor);
  return { ...one, dimension, factor, values, step: one.step * factor };
}

const JOINT = /^ \p{L}{1,12}(?:,| and| und| i| et| y)? $/iu;

/** Adds durations such as `2 hours and 15 minutes` as a whole. Their parts stay, so that each is found again. */
function joinDurations(quantities: Quantity[], text: string): Quantity[] {
  const joined = quantities.map((one) => ({ ...one }));
  for (const [i, one] of quantities.entries()) {
    const next = quantities[i + 1];
    if (
      one.dimension !== 'time' ||
      next?.dimension !== 'time' ||
      next.factor >= one.factor ||
      next.factor > 3_600
    )
      continue;
    if (!JOINT.test(text.slice(one.end, next.at))) continue;
    const values = [(one.values[0] ?? 0) + (next.values[0] ?? 0)];
    joined[i] = { ...one, values: [...values, ...one.values], step: next.step };
    joined[i + 1] = { ...next, values: [...values, ...next.values] };
  }
  return joined;
}

/** `1:12:40` after `in` is a duration; a time of day is in the pool of `openingHours`. */
function durationsOnClock(
  text: string,
  clocks: { at: number; end: number; seconds: number }[],
  sentenceAt: (at: number) => number,
): Quantity[] {
  return clocks
    .filter(({ at, end }) => /:\d{2}:/.test(text.slice(at, end)))
    .map(({ at, end, seconds }) => ({
      text: text.slice(at, end),
      keys: [],
      at,
      end,
      values: [seconds],
      dimension: 'time',
      factor: 1,
      step: 1,
      bound: null,
      nouns: [],
      sentence: sentenceAt(at),
      isImplied: true,
    }));
}

/** Reads a date in ISO form, of which the month and day may be missing. */
export function pointOf(value: string): Omit<PointInTime, 'sentence'> {
  const [year, month, day] = value.split('-').map(Number) as [number, number?, number?];
  const time = month === undefined || day === undefined ? null : Date.UTC(year, month - 1, day) / 86_400_000;
  return { year, day: time };
}
