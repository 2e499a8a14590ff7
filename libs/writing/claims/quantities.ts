import { sentenceEnds } from '#verbatim/source/sentences.js';
import { dates } from '../facts/dates.js';
import { boundAt } from './approximation.js';
import {
  durationsOnClock,
  fromOrdinals,
  hasOwnNumber,
  idioms,
  scoresOnClock,
  singles,
} from './implied-quantities.js';
import { nounsAfter } from './nouns-after.js';
import type { PointInTime, Quantities, Quantity } from './quantity.js';
import { shareUnits } from './shared-units.js';
import { dayDates, numericDays } from './day-dates.js';
import { erasIn } from './eras.js';
import { figuresIn, type Figure } from './figures.js';
import { sharesIn, type Share } from './fractions.js';
import { claimLexiconOf } from './lexicon.js';
import { clockTimes } from './times-of-day.js';
import { unitAfter, unitBefore, YEAR } from './units.js';

const AGE =
  /(?<!\p{L})(?:aged|age of|im Alter von|w wieku|l['’]âge de)(?: (?:about|around|nearly|some|over|etwa|rund|ungefähr|fast|około|prawie|ponad|environ|presque|unos|casi))? $/iu;
/** `Mit 63 begann sie`, `she died at 84.` */
const WITH_AGE = /(?<!\p{L})(?:mit|at) $/iu;
const BEHIND_AGE = /^(?:[,.;)]|$| (?:he|she|when|\p{Ll}{3,16} (?:sie|er|ich)(?!\p{L})))/u;
const isLifetime = ({ values }: Figure): boolean => Number(values[0]) >= 10 && Number(values[0]) <= 110;
/** In Spanish, before an age or any number of things. */
const SPANISH_AGE = /(?<!\p{L})a los (?:casi )?$/iu;
/** `Under-16s` are children. */
const UNDER_AGE =
  /(?<!\p{L})(?:(?:under|over)-|(?:children|kids|pupils|kinder|jugendliche|dzieci|enfants|niños) (?:under|over|below|unter|über|ab|poniżej|do|de moins de|menores de|hasta) )$/iu;
/** The word for the year after its figure: `w 1998 roku`. */
const OF_YEAR = /^ (?:roku|rok|rokiem)(?!\p{L})/iu;
const IS_YEAR = /^(?:1\d{3}|20\d{2})$/;

/**
 * Reads the figures, shares and dates of a text. Linear.
 *
 * @param thisYear year from which ages are counted
 */
export function quantitiesOf(
  text: string,
  language: string | null,
  thisYear = new Date().getFullYear(),
): Quantities {
  const lexicon = claimLexiconOf(language);
  const ends = sentenceEnds(text.replace(DAY_OR_SHORT, ' ').replace(INITIAL, ' '));
  const sentenceAt = (at: number) => ends.filter((end) => end <= at).length;
  const starts = [0, ...ends.filter((end) => end < text.length)];
  const sentences = starts.map((start, i) => text.slice(start, starts[i + 1] ?? text.length));
  const shares = sharesIn(text, language, lexicon);
  const stated = dates(text);
  const hidden = [...shares, ...stated, ...erasIn(text)];
  const rest = hidden.reduce((masked, { at, text: words }) => blankAt(masked, at, words.length), text);
  const days = dayDates(text);
  const points: PointInTime[] = [
    ...days.map(({ at, year, first, last }): PointInTime => ({
      year,
      days: [first, last],
      sentence: sentenceAt(at),
    })),
    ...stated
      .filter(({ at }) => !days.some((one) => at >= one.at && at < one.end))
      .map(({ value, at }): PointInTime => ({
        year: Number(value.slice(0, 4)),
        days: daysOf(value),
        sentence: sentenceAt(at),
      })),
  ];
  points.push(...numericDays(text).map(({ at, days }) => ({ year: null, days, sentence: sentenceAt(at) })));
  const clocks = clockTimes(rest);
  const quantities = [
    ...shares.map((share) => ofShare(share, text, sentenceAt(share.at))),
    ...ratioFigures(shares, text, language, sentenceAt),
  ];
  for (const figure of figuresIn(rest, lexicon)) {
    const quantity = ofFigure(figure, rest, language, sentenceAt(figure.at));
    if (clocks.some(({ at, end }) => figure.at >= at && figure.at < end)) continue;
    const mayBeYear = quantity.dimension === 'count' && IS_YEAR.test(figure.text);
    if (mayBeYear) points.push({ year: Number(figure.text), days: null, sentence: quantity.sentence });
    const before = rest.slice(Math.max(0, figure.at - 12), figure.at);
    const isYear =
      (mayBeYear && YEAR_CUE.test(before)) || (figure.text.length === 2 && SECOND_YEAR.test(before));
    quantities.push(isYear ? { ...quantity, dimension: 'year' } : quantity);
  }
  const figures = [...quantities];
  const isPart = ({ at, end }: Quantity) =>
    figures.some((one) => at <= one.end + (hasOwnNumber(text.slice(at, end)) ? 0 : 1) && end > one.at);
  quantities.push(...singles(rest, sentenceAt).filter((one) => !isPart(one)));
  quantities.push(...fromOrdinals(text, language, sentenceAt));
  const ordered = joinDurations(
    shareUnits(
      quantities.sort((a, b) => a.at - b.at),
      text,
    ),
    text,
  );
  const more = [
    ...durationsOnClock(text, clocks, sentenceAt),
    ...scoresOnClock(text, clocks, sentenceAt),
    ...idioms(text, language, sentenceAt),
  ];
  return { quantities: [...ordered, ...more], points, sentences, thisYear };
}

/** Returns the first and last day of an ISO date; null if it has no day. */
function daysOf(date: string): [number, number] | null {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(date)) return null;
  const days = Date.parse(date) / 86_400_000;
  return Number.isNaN(days) ? null : [days, days];
}

const blankAt = (text: string, at: number, length: number): string =>
  text.slice(0, at) + ' '.repeat(length) + text.slice(at + length);

/** The full stop of `9. April`, `19. Jahrhundert` and `ok. 30` ends no sentence. */
const DAY_OR_SHORT =
  /(?<=(?<!\d)\d{1,2})\.(?= \p{L})|(?<=(?:^|[ (])(?:ok|ca|św|dr|ul|im|tys|Nr|St|Mio|Mrd|Tsd|mln|mld|proc))\./giu;
/** The full stop of `Clara N. and`. */
const INITIAL = /(?<=(?<!\p{L})\p{Lu})\.(?= \p{L})/gu;
/** Before a year. */
const YEAR_CUE =
  /(?<!\p{L})(?:in|since|by|until|from|of|before|after|around|im|jahr|seit|bis|von|vor|nach|roku|rok|w|od|do|en|depuis|avant|après|desde|hasta|hacia) $/iu;
/** Before the second year of `2023/24`. */
const SECOND_YEAR = /\d{4}[/–-]$/;

function ofShare({ text, at, value, kind }: Share, whole: string, sentence: number): Quantity {
  const end = at + text.length;
  const unit = unitAfter(whole.slice(end, end + 30).replace(PART_OF, ' '));
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
  if (unit && value !== null && kind === 'share' && unit.dimension !== 'percent')
    return {
      ...shown,
      values: [value * unit.factor],
      dimension: unit.dimension,
      factor: unit.factor,
      step: unit.factor / 60,
    };
  const values = value === null ? [] : [value];
  // `23 of 52` is exact, `two in three` is not.
  const rounded = /\d{2}/.test(text) ? 0.01 : 0.09;
  return { ...shown, values, dimension: kind, factor: 1, step: (value ?? 0) * rounded };
}
/** The figures of `15 of 60 colonies` are counts, too. */
function ratioFigures(
  shares: Share[],
  text: string,
  language: string | null,
  sentenceAt: (at: number) => number,
): Quantity[] {
  return shares.flatMap((share) => {
    const end = share.at + share.text.length;
    const shown = ' '.repeat(share.at) + text.slice(share.at, end + 40);
    const figures = figuresIn(shown, claimLexiconOf(language)).filter(({ at }) => at < end);
    // `seven of nine` has two figures, `two thirds` none.
    const own = figures.length > 1 ? figures : figures.filter(({ text: words }) => /\d/.test(words));
    return own.map((figure) => ({
      ...ofFigure(figure, shown, language, sentenceAt(share.at)),
      isImplied: true,
    }));
  });
}

/** Between a share and its unit: `three quarters of an hour`. */
const PART_OF = /^ (?:of an?|de|eines|einer|d['’]un) |^ d['’]/iu;

function ofFigure(figure: Figure, text: string, language: string | null, sentence: number): Quantity {
  const end = figure.at + figure.text.length + figure.tail.length;
  const behind = text.slice(end, end + 60);
  const before = text.slice(Math.max(0, figure.at - 30), figure.at);
  const isAge =
    UNDER_AGE.test(before) ||
    (WITH_AGE.test(before) && BEHIND_AGE.test(behind) && isLifetime(figure)) ||
    AGE.test(before) ||
    (SPANISH_AGE.test(before) && !/^ (?!años)\p{L}{4}/iu.test(behind));
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
  const lastWord = figure.tail.split(' ').at(-1) ?? '';
  const isThousands = figure.isSpelled && lastWord !== '' && !PARTS.has(lastWord);
  const [, few, more] = DECIMALS.exec(figure.text) ?? [];
  const decimals = (few ?? more ?? '').length;
  return {
    text: figure.text,
    keys: keysOf(figure, language),
    at: figure.at,
    end,
    values: readings(figure, language).map((value) => value * factor),
    dimension: unit?.dimension ?? 'count',
    factor,
    // `Two and a half thousand` is rounded.
    step: isThousands ? 250 * factor : (scale * factor) / 10 ** decimals,
    bound: boundAt(text, figure.at, end) ?? (LOOSE.test(figure.text) ? 'about' : null),
    nouns: SCORE.test(text.slice(Math.max(0, figure.at - 4), end + 4)) ? ['score'] : nounsOf(behind),
    sentence,
  };
}

/** `1,248 of 1,306 cases` counts cases twice. */
const nounsOf = (behind: string): string[] => nounsAfter(behind.replace(OF_FIGURE, ' '));
const OF_FIGURE =
  /^ (?:of|out of|von|z|ze|spośród|sur|de) (?:the |den |die |las |los |les )?\d[\d.,]*(?= \p{L})/u;

/** In a known language, `6.000` is read in one way only. */
const keysOf = (figure: Figure, language: string | null): string[] => {
  const values = readings(figure, language);
  return figure.tail === '' && values.length < figure.values.length ? values.map(String) : figure.values;
};

/** A separator before three digits groups them in the language of the text: `1,987` in English, `1.987` in German. */
function readings({ text, scaled }: Figure, language: string | null): number[] {
  const values = scaled.map(Number);
  const grouped = language === 'en' ? ',' : '.';
  const [separator] = /[.,](?=\d{3}(?:\D|$))/.exec(text) ?? [];
  if (language === null || separator === undefined) return values;
  return [separator === grouped ? Math.max(...values) : Math.min(...values)];
}

/** Points of two sides: `6-4`. */
const SCORE = /(?<![\d.,/–:-])\d{1,3}[-–]\d{1,3}(?![\d.,/–:-])/u;

const PARTS = new Set(
  'half pół quarter quarters demi demie medio media ćwierć quart cuarto einhalb'.split(' '),
);
const DECIMALS = /[.,](\d{1,2})$|^0[.,](\d{3,6})$/;
/** French and Spanish words for about as many: `une trentaine`. */
const LOOSE =
  /^(?:dizaine|vingtaine|trentaine|quarantaine|cinquantaine|soixantaine|centaine|millier|centenar|millar)s?$/iu;

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
    joined[i] = { ...one, values, step: next.step, part: one.values[0] ?? 0 };
    joined[i + 1] = { ...next, values, part: next.values[0] ?? 0, isImplied: next.isImplied ?? false };
  }
  return joined;
}
