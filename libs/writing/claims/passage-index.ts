import { hardTokens } from '#verbatim/source/tokens.js';
import { occursIn } from '#verbatim/source/occurs.js';
import { dates } from '../facts/dates.js';
import { follows } from './arithmetic.js';
import { yearFollows } from './arithmetic-years.js';
import type { Claim } from './claims.js';
import { embeddedFigures } from './embedded-figures.js';
import { erasIn } from './eras.js';
import { figuresIn } from './figures.js';
import { abbreviates } from './abbreviations.js';
import { countriesOf } from './countries.js';
import { ordinalsIn } from './ordinals.js';
import { type CalendarDay, dayDates, hasDay, type NamedDays, namedDays } from './day-dates.js';
import { knownWords, type KnownWords } from './known-words.js';
import { claimLexiconOf, hasClaimLexicon, monthNumber } from './lexicon.js';
import { impliedMonths } from './months.js';
import { quantitiesOf } from './quantities.js';
import type { Quantities, Quantity } from './quantity.js';
import { isBareCount } from './readings.js';
import { isStated, mayBeCounted } from './stated.js';
import { yearsOfWars } from './wars.js';
import { spokenTimes } from './spoken-times.js';
import { clockTimes, coveredWeekdays, loggedTimes, weekdayGaps, weekdayOf } from './times-of-day.js';
import { DAY } from './units.js';
import { languageOf } from '../language.js';
import { withoutNotes } from '../sentences.js';

/** A text in the form in which claims are looked up. */
export interface IndexedText {
  text: string;
  lower: string;
  language: string | null;
  /** Values of its figures and numbers of its months. */
  values: ReadonlySet<string>;
  /** Figures within words, whose measure is not known. */
  embedded: ReadonlySet<string>;
  tokens: ReadonlySet<string>;
  words: KnownWords;
  /** Numbers of the countries that it names. */
  countries: ReadonlySet<number>;
  days: NamedDays;
  /** Its letters and digits only, to recognize sentences taken word for word. */
  letters: string;
  /** Its figures for arithmetic. The language is used if that of the text is unknown. */
  figures: (language: string | null) => Quantities;
}

/** Prepares a text for `states`. Linear. @param thisYear year from which ages are counted; by default the present one */
export function indexText(text: string, thisYear?: number): IndexedText {
  const flat = text.replace(/\s+/g, ' ');
  const language = languageOf(text);
  let figures: Quantities | undefined;
  return {
    language,
    text: flat,
    lower: flat.toLowerCase(),
    values: valuesIn(flat),
    embedded: embeddedFigures(flat),
    tokens: new Set(hardTokens(flat).map(({ kind, key }) => `${kind} ${key}`)),
    words: knownWords(flat),
    countries: new Set((flat.match(/(?<!\p{L})(?!us(?!\p{L}))\p{L}{2,}/gu) ?? []).flatMap(countriesOf)),
    days: namedDays(flat),
    letters: lettersOf(text),
    figures: (other) => (figures ??= quantitiesOf(flat, language ?? other, thisYear)),
  };
}

function valuesIn(text: string): Set<string> {
  const values = new Set<string>();
  const own = languageOf(text);
  for (const language of new Set([own, 'en', 'de', 'pl', 'fr', 'es'])) {
    for (const figure of figuresIn(text, claimLexiconOf(language)))
      for (const value of figure.values) values.add(value);
    if (own === null || language === own)
      for (const { seconds } of spokenTimes(text, language)) values.add(`clock ${seconds}`);
  }
  for (const { month, day } of namedDays(text).dates) values.add(`month ${month}`).add(String(day));
  const isNext = namedDays(text).hasNeighbours;
  for (const day of coveredWeekdays(text)) {
    values.add(`weekday ${day}`);
    if (isNext) values.add(`weekday ${(day + 1) % 7}`);
  }
  for (const { year, first, last } of dayDates(text))
    if (year !== null && first === last) values.add(`weekday ${weekdayOf(first)}`);
  for (const [, short, ...named] of text.matchAll(QUARTER_OF_YEAR)) {
    const quarter = short === undefined ? named.findIndex((name) => name !== undefined) + 1 : Number(short);
    for (const month of [2, 1, 0]) values.add(`month ${quarter * 3 - month}`);
  }
  for (const month of impliedMonths(text)) values.add(`month ${month}`);
  for (const year of yearsOfWars(text)) values.add(String(year));
  for (const { value } of ordinalsIn(text, own)) values.add(`ordinal ${value}`);
  for (const word of text.match(/\p{L}{3,12}/gu) ?? []) {
    const month = monthNumber(word);
    if (month !== null) values.add(`month ${month}`);
  }
  for (const { 1: year, 2: month } of text.matchAll(YEAR_AND_MONTH))
    values.add(String(year)).add(`month ${Number(month)}`);
  for (const { value } of dates(text)) {
    const [year, month] = value.split('-');
    values.add(String(Number(year)));
    if (month !== undefined) values.add(`month ${Number(month)}`);
  }
  for (const { seconds } of [...clockTimes(text), ...loggedTimes(text)]) values.add(`clock ${seconds}`);
  for (const { key } of erasIn(text)) values.add(key);
  if (SHARE.test(text)) values.add('share');
  return values;
}

const QUARTERS = [
  '1|first|erste[nrs]?|pierwsz\\p{L}{1,3}|premier|primer',
  '2|second|zweite[nrs]?|drugi\\p{L}{0,3}|deuxième|segundo',
  '3|third|dritte[nrs]?|trzeci\\p{L}{0,3}|troisième|tercer',
  '4|fourth|final|vierte[nrs]?|czwart\\p{L}{1,3}|quatrième|cuarto',
];
/** `Q1`, `first quarter`, `2. Quartal`. */
const QUARTER_OF_YEAR = new RegExp(
  `(?<![\\p{L}\\p{N}])(?:[QT]([1-4])(?![\\p{L}\\p{N}])|(?:${QUARTERS.map((names) => `(${names})`).join('|')})\\.? (?:quarter|Quartals?|kwarta\\p{L}{1,3}|trimestre)(?!\\p{L}))`,
  'giu',
);
const YEAR_AND_MONTH = /(?<![\d-])(\d{4})-(0[1-9]|1[0-2])(?![\d-])/g;

/** Words for a share of a whole, in any language. */
const SHARE =
  /%|(?<!\p{L})(?:half|halves|thirds?|quarters?|most|mostly|mainly|chiefly|largely|majority|per ?cent|one in|out of|halb\p{L}{0,3}|Hälfte|Drittel|Viertel|meist\p{L}{0,3}|hauptsächlich|überwiegend|größtenteils|Prozent|jede[rnsm]?|pół|poł\p{L}{0,6}|trzeci\p{L}{0,3}|czwart\p{L}{0,3}|większo\p{L}{0,4}|procent\p{L}{0,3}|moitié|tiers|quart|plupart|pour cent|mitad|tercios?|cuart[oa]s?|mayor\p{L}{0,3}|por ciento)(?!\p{L})/iu;

/** Returns the letters and digits of a text, without markup, footnote marks and spaces. */
export function lettersOf(text: string): string {
  return withoutNotes(text)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '');
}

/**
 * Returns whether a text states a claim: the figure in any notation, the quotation word for word, the name in any form.
 *
 * @param language language of the sentence; names of a passage in another language may differ in spelling
 */
export function states(indexed: IndexedText, claim: Claim, language: string | null): boolean {
  const { text, lower, tokens, words } = indexed;
  const [key = ''] = claim.keys;
  switch (claim.kind) {
    case 'number':
    case 'date':
      // "1 hour" is "an hour" in other words.
      if (claim.day) return statesDay(indexed, claim, claim.day, language);
      if (claim.keys.includes('1') || statesFigure(indexed, claim, language)) return true;
      // `Stage six` is the sixth stage, and of nine games the last is the ninth.
      if (claim.keys.some((value) => indexed.values.has(`ordinal ${value}`))) return true;
      if (statesFollowing(indexed, claim, language)) return true;
      return (
        claim.quantity !== undefined &&
        mayBeCounted(
          claim.quantity,
          indexed.figures(language),
          claim.sentence?.text.slice(claim.quantity.end) ?? '',
        )
      );
    case 'quote':
      return hasQuotation(key, lower) || hasInflected(key, words);
    case 'name':
      if (occursIn(claim.text, text) || words.hasName(claim.text)) return true;
      if (claim.keys.slice(1).some((acronym) => occursIn(acronym, text))) return true;
      if (indexed.words.hasShortForm(claim.text)) return true;
      if (statesCountry(indexed, countriesOf(claim.text), language)) return true;
      return isForeign(indexed.language, language) && words.hasBeginning(claim.text);
    default:
      if (abbreviates(claim.text, text, indexed.countries)) return true;
      // `HTML` of `index.html`, `CO2` of `CO2e`.
      if (PART_OF_WORD.test(key) && lower.includes(key.toLowerCase())) return true;
      return tokens.has(`${claim.kind} ${key}`) || occursIn(claim.text, text) || occursIn(key, text);
  }
}

/** `On Friday 13 October, code freeze the Wednesday before`. */
const WEEKDAY_BEFORE = /(?:day|tag|woch)s? (?:before|after|davor|danach)(?=[.,;)]|$)/iu;
const PART_OF_WORD = /^(?:\p{Lu}{2,5}|[\p{L}\d]{3,12})$/u;
/**
 * Returns whether a text names a country, or none at all: `Madrid` is in Spain. A text in German or Polish may leave out
 * its own country.
 */
function statesCountry({ countries }: IndexedText, named: number[], language: string | null): boolean {
  if (named.length === 0) return false;
  const [own] = countriesOf(OWN_COUNTRY[language ?? ''] ?? '');
  return countries.size === 0 || named.some((country) => countries.has(country) || country === own);
}

const OWN_COUNTRY: Record<string, string> = { de: 'Deutschland', pl: 'Polska' };

const IS_YEAR = /^(?:1\d{3}|20\d{2})$/;

/** Returns whether a text states a day, or one from which the day follows. */
function statesDay(
  indexed: IndexedText,
  { keys }: Claim,
  day: CalendarDay,
  language: string | null,
): boolean {
  const distances = indexed
    .figures(language)
    .quantities.filter(({ dimension, factor }) => dimension === 'time' && factor >= DAY)
    .flatMap(({ values }) => values.map((value) => Math.round(value / DAY)));
  if (WEEKDAY_BEFORE.test(indexed.text)) distances.push(...weekdayGaps(indexed.text));
  return hasDay(indexed.days, day, distances) ?? keys.some((key) => indexed.values.has(key));
}

/** Returns whether a text states a figure as such; its units are compared where the words of both languages are known. */
function statesFigure(
  indexed: IndexedText,
  { keys, quantity, sentence }: Claim,
  language: string | null,
): boolean {
  if (keys.some((key) => indexed.embedded.has(key)) || statesTime(indexed, keys, language)) return true;
  if (!keys.some((value) => indexed.values.has(value))) return false;
  const isRead = hasClaimLexicon(language) && !isForeign(indexed.language, language);
  return (
    !isRead ||
    !quantity ||
    keys.some((key) => IS_YEAR.test(key)) ||
    keys.includes('share') ||
    isDayOf(indexed.days, quantity) ||
    isStated(quantity, indexed.figures(language), sentence?.quantities)
  );
}

/** Returns whether a text states a time of day, or one that follows from a duration: `7:00`, the rest two hours later. */
function statesTime({ values, figures }: IndexedText, keys: string[], language: string | null): boolean {
  const times = keys.filter((key) => key.startsWith('clock '));
  if (times.length === 0) return false;
  if (times.some((key) => values.has(key))) return true;
  const durations = figures(language).quantities.filter(
    ({ dimension, factor }) => dimension === 'time' && factor < DAY && factor >= MINUTE,
  );
  return times.some((key) =>
    durations.some(({ values: [length = 0] }) =>
      [Number(key.slice(6)) - length, Number(key.slice(6)) + length].some((at) => values.has(`clock ${at}`)),
    ),
  );
}

const MINUTE = 60;

/** The first day of `11 to 12 May` has no month of its own. */
const isDayOf = ({ dates: named }: NamedDays, quantity: Quantity): boolean =>
  isBareCount(quantity) && named.some(({ day }) => quantity.values.includes(day));

/** Returns whether a figure follows from others of the passage, or a year belongs to a decade or century. */
function statesFollowing(indexed: IndexedText, claim: Claim, language: string | null): boolean {
  const known = indexed.figures(language);
  const { era, quantity, sentence } = claim;
  if (era) return known.points.some(({ year }) => year !== null && era.contains(year));
  if (!sentence) return false;
  if (!quantity || IS_YEAR.test(quantity.text)) {
    if (yearFollows(Number(claim.keys[0]), sentence, known)) return true;
    if (!quantity) return false;
  }
  // `One of nine children`, where the passage has nine.
  const [, whole = ''] = ONE_OF.exec(quantity.text) ?? [];
  const [number] = figuresIn(whole, claimLexiconOf(language));
  if (number?.values.some((value) => indexed.values.has(value))) return true;
  const isShare = quantity.dimension === 'share' || quantity.dimension === 'times';
  const isUnread = indexed.values.has('share') && !hasClaimLexicon(indexed.language ?? language);
  return (isShare && isUnread) || follows(quantity, sentence, known);
}

const ONE_OF = /^(?:one of|eine[rs]? von|jed(?:en|na|no) z|un[ea]? sur|un[oa] de) (.{1,20})$/iu;

const isForeign = (a: string | null, b: string | null): boolean => a !== null && b !== null && a !== b;

const FEW_WORDS = 3;

/** Returns whether a short quotation, such as a title, is in the text with other endings, as German and Polish need it. */
function hasInflected(quotation: string, words: KnownWords): boolean {
  const parts = quotation.match(/\p{L}+/gu) ?? [];
  return parts.length <= FEW_WORDS && parts.every((part) => words.has(part));
}

/**
 * Returns whether the passage contains a quotation word for word; an ellipsis may replace words between two
 * quoted parts.
 */
function hasQuotation(key: string, passage: string): boolean {
  const parts = plainQuotes(key)
    .replace(/\s+/g, ' ')
    .split(/ ?(?:\[?…\]?|\[?\.\.\.\]?) ?/)
    .filter((part) => part !== '');
  const plain = plainQuotes(passage);
  let from = 0;
  for (const part of parts) {
    const at = plain.indexOf(part, from);
    if (at < 0) return false;
    from = at + part.length;
  }
  return true;
}

const plainQuotes = (text: string): string => text.replace(/[’‘]/g, "'").replace(/[“”„»«]/g, '"');
