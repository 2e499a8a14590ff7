import { boundAt } from './approximation.js';
import { nounsAfter } from './nouns-after.js';
import { ordinalsIn } from './ordinals.js';
import type { Quantity } from './quantity.js';
import { weekdays } from './times-of-day.js';
import { DAY, unitAfter, YEAR } from './units.js';

/** One thing after several, and a unit and a half or a quarter: `two keepers and one assistant`, `a year and a half`. */
const SINGLE =
  /(?<=\p{L} (?:and|und|i|et|y) )(?:one|eine[nrms]?|ein|jeden|jedna|jedną|jedno|une?|una?)(?= \p{L}{4})|(?<= )(\p{L}{1,12}) (?:and a (?:half|quarter)|et (?:demie?|quart)|y (?:medi[oa]|cuarto))(?!\p{L})|(?<!\p{L})(?:half an?|une? demi-|ein(?:en|e|er|em)? halbe[nrsm]?|pół|medi[oa]) ?(\p{L}{3,12})|(?<!\p{L})(?:an|one|eine|une|una|w) (hour|Stunde|heure|hora|godzinę)(?= (?:and|und|et|y|i) (?!a half|a quarter|demi|quart|medi|cuarto))|(?<!\p{L})(?:(?:an|one|eine[rnm]?|une|una) (hour|Stunde|heure|hora)|(godzinę))(?! (?:and a|et demie|et quart|y media|y cuarto|i pół))(?!\p{L})|(?<!\p{L})(?:a|one|ein(?:e[mnrs]?)?|une?|un|una) (decade|century|fortnight|Jahrzehnts?|Jahrhunderts?|siècle|siglo)(?!\p{L})|(?<!\p{L})(?:centenary|centenaire|centenario|stuleci[ea]|hundertjährige[sn]?)(?!\p{L})/giu;

const QUARTER = /quar|cuart/iu;
const WITH_ITS_OWN = /^(?:an? |half|une? |una? |eine?|pół|medi|one |godz)/iu;

/** Returns whether a single begins with its own number, and so is no part of a figure before it. */
export const hasOwnNumber = (words: string): boolean => WITH_ITS_OWN.test(words);

/** Returns the ones, halves and quarters that have no figure. */
export function singles(text: string, sentenceAt: (at: number) => number): Quantity[] {
  return Array.from(text.matchAll(SINGLE)).flatMap((match): Quantity[] => {
    const [words, whole, half, ...hours] = match;
    const hour = hours.find((word) => word !== undefined);
    const end = match.index + words.length;
    const isCentenary = CENTENARY.test(words);
    const unit = isCentenary ? YEARS : unitAfter(` ${whole ?? half ?? hour ?? ''} `);
    if ((whole ?? half) !== undefined && !unit) return [];
    const { dimension, factor } = unit ?? { dimension: 'count' as const, factor: 1 };
    const more = QUARTER.test(words) ? 1.25 : 1.5;
    const value = isCentenary ? 100 : whole !== undefined ? more : half !== undefined ? 0.5 : 1;
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
        bound: boundAt(text, match.index, end),
        nouns: nounsAfter(text.slice(end, end + 60)),
        sentence: sentenceAt(match.index),
        isImplied: value === 1 || value > 2,
      },
    ];
  });
}

const CENTENARY = /^(?:cent|stul|hundert)/iu;
const YEARS = { dimension: 'time', factor: YEAR } as const;

/** Periods counted by an ordinal number: `every third year`, `on the sixth day`. */
export function fromOrdinals(
  text: string,
  language: string | null,
  sentenceAt: (at: number) => number,
): Quantity[] {
  return ordinalsIn(text, language).flatMap(({ text: words, at, value }): Quantity[] => {
    const end = at + words.length;
    const behind = text.slice(end, end + 30);
    const isWeekly = weekdays(behind.slice(0, 14)).length > 0;
    const unit = isWeekly ? ({ dimension: 'time', factor: 7 * DAY } as const) : unitAfter(behind);
    if (unit?.dimension !== 'time' || unit.factor < DAY) return [];
    return [
      implied({ text: words, at, end, values: [value * unit.factor], ...unit, sentence: sentenceAt(at) }),
    ];
  });
}

/** `Twice`, which is no figure of a sentence, and so none that it claims. */
const TWICE = /(?<!\p{L})(?:twice|zweimal|dwukrotnie|deux fois|dos veces)(?!\p{L})/giu;
/** `After a week`, which is no figure either. */
const A_PERIOD =
  /(?<!\p{L})(?:(?:after|within|in|for|than|of|nach|binnen|innerhalb|seit|als|przez|après|pendant|tras|durante|que) (?:an?|one|eine[rmsn]?|une?|una?)|each|every|jede[rnsm]?|co|po) (day|week|month|year|Tag|Tages|Woche|Monat|Monats|Jahr|Jahres|dzień|tydzień|tygodniu|miesiąc|miesiącu|rok|roku|jour|semaine|mois|an|día|semana|mes|año)(?!\p{L})/giu;
/** French counts the days of a fortnight and of a week with both ends. */
const FRENCH_WEEKS = /(?<!\p{L})(?:(quinze)|huit) jours(?!\p{L})/giu;

/** Returns the values of `twice` and of the French words for one or two weeks. */
export function idioms(
  text: string,
  language: string | null,
  sentenceAt: (at: number) => number,
): Quantity[] {
  const found = Array.from(text.matchAll(TWICE), ({ 0: words, index: at }) =>
    implied({
      text: words,
      at,
      end: at + words.length,
      values: [2],
      dimension: 'times',
      factor: 1,
      sentence: sentenceAt(at),
    }),
  );
  for (const { 0: words, 1: unit = '', index: at } of text.matchAll(A_PERIOD)) {
    const period = unitAfter(` ${unit}`);
    const end = at + words.length;
    if (period)
      found.push(
        implied({ text: words, at, end, values: [period.factor], ...period, sentence: sentenceAt(at) }),
      );
  }
  if (language !== 'fr') return found;
  for (const { 0: words, 1: two, index: at } of text.matchAll(FRENCH_WEEKS)) {
    const days = two === undefined ? 7 : 14;
    const end = at + words.length;
    found.push(
      implied({
        text: words,
        at,
        end,
        values: [days * DAY],
        dimension: 'time',
        factor: DAY,
        sentence: sentenceAt(at),
      }),
    );
  }
  return found;
}

/** Words about a contest. */
const CONTEST =
  /(?<!\p{L})(?:sets?|match|goals?|points|Satz|Spiel|Tore?|seci?e?|mecz\p{L}{0,2}|gol\p{L}{0,2}|buts?|partido|goles)(?!\p{L})/iu;

/** `8:12` may also be the points of two sides. */
export function scoresOnClock(
  text: string,
  clocks: { at: number; end: number }[],
  sentenceAt: (at: number) => number,
): Quantity[] {
  if (!CONTEST.test(text)) return [];
  return clocks.flatMap(({ at, end }) => {
    const points = /^(\d{1,2}):(\d{1,2})$/.exec(text.slice(at, end))?.slice(1) ?? [];
    return points.map((point) =>
      implied({
        text: point,
        at,
        end,
        values: [Number(point)],
        dimension: 'count',
        factor: 1,
        sentence: sentenceAt(at),
      }),
    );
  });
}

type Implied = Pick<Quantity, 'text' | 'at' | 'end' | 'values' | 'dimension' | 'factor' | 'sentence'>;
const implied = (one: Implied): Quantity => ({
  ...one,
  keys: [],
  step: one.factor,
  bound: null,
  nouns: one.dimension === 'count' ? ['score'] : [],
  isImplied: true,
});

/** `1:12:40` and `4 h 41 min`. */
const DURATION = /^\d{1,2}(?::\d{2}:| ?h ?\d{2}(?: ?min)?(?! ?\d))/u;

/** `1:12:40` after `in` is a duration; a time of day is in the pool of `openingHours`. */
export function durationsOnClock(
  text: string,
  clocks: { at: number; end: number; seconds: number }[],
  sentenceAt: (at: number) => number,
): Quantity[] {
  return clocks
    .filter(({ at, end }) => DURATION.test(text.slice(at, end + 12)))
    .map(({ at, end, seconds }) =>
      implied({
        text: text.slice(at, end),
        at,
        end,
        values: [seconds],
        dimension: 'time',
        factor: 1,
        sentence: sentenceAt(at),
      }),
    );
}
