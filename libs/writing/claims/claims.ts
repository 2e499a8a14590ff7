import { hardTokens } from '#verbatim/source/tokens.js';
import { dates } from '../facts/dates.js';
import { calendarDay, type CalendarDay, dayDates } from './day-dates.js';
import { erasIn, type Era } from './eras.js';
import { figuresIn, type Figure } from './figures.js';
import { claimLexiconOf, monthNumber, type ClaimLexicon } from './lexicon.js';
import { nameWords, type WordUse } from './names.js';
import type { StatingSentence } from './pairs.js';
import { quantitiesOf } from './quantities.js';
import type { Quantity } from './quantity.js';
import { type SpokenTime, spokenTimes } from './spoken-times.js';
import { clockTimes, namedWeekdays } from './times-of-day.js';

export type ClaimKind =
  'number' | 'date' | 'quote' | 'name' | 'identifier' | 'url' | 'path' | 'superlative' | 'cause';

/** Something that a sentence states and that a reader can check. */
export interface Claim {
  kind: ClaimKind;
  /** The words as written. */
  text: string;
  /** Forms by which a passage is searched for the claim; of figures and parts of dates, any one suffices. */
  keys: string[];
  /** Of a figure: what it measures. It is also supported if it follows from figures of the passage. */
  quantity?: Quantity;
  /** Of a figure or a year: the sentence. */
  sentence?: StatingSentence;
  /** Of a decade or a century. */
  era?: Era;
  /** Of a date with its day. */
  day?: CalendarDay;
}

/** Language and usage of the text to which sentences belong. */
export interface ClaimContext {
  language: string | null;
  use: WordUse;
}

const GUILLEMETS = /»([^«»\n]{2,300})«|‚([^‚‘’\n]{12,300})[‘’]/g;
const QUOTED = /"[^"\n]{2,300}"|“[^”\n]{2,300}”|«[^»\n]{2,300}»|»[^«\n]{2,300}«|„[^“”\n]{2,300}[“”]/g;

/** Returns the figures, dates, names, quotations, addresses and code in a sentence without footnote marks. */
export function hardClaims(sentence: string, { language, use }: ClaimContext): Claim[] {
  const tokens = hardTokens(sentence);
  const literal = tokens
    .filter(({ kind }) => ['quote', 'identifier', 'url', 'path'].includes(kind))
    .filter(
      ({ kind, text }) =>
        !(
          kind === 'identifier' &&
          (hasFigure(text) || isRomanNumeral(text) || isRate(text) || isSurname(text))
        ),
    )
    .map(({ kind, text, key }): Claim => ({ kind: kind as ClaimKind, text, keys: [key] }));
  const more = Array.from(sentence.matchAll(GUILLEMETS), (match): Claim => {
    const text = (match[1] ?? match[2]) as string;
    return { kind: 'quote', text, keys: [text.replace(/[.,!?]{1,9}$/, '').toLowerCase()] };
  });
  // A quotation is compared word for word, so its figures and names are not compared separately.
  const own = blank(blank(sentence, QUOTED), LITERAL);
  const acronyms = acronymsIn(own);
  const names = nameWords(blank(own, MONTHS_AND_WARS), language, use).map((text): Claim => {
    return { kind: 'name', text, keys: [text, ...(acronyms.get(text) ?? [])] };
  });
  return [...literal, ...more, ...timesAndFigures(own, language), ...names];
}

/** `May` in a date, and wars, which belong to the calendar. */
const MONTHS_AND_WARS =
  /(?<!\p{L})(?:May (?=\d)|(?<=\d )May(?!\p{L})|(?:First|Second|Great) (?:World )?War(?!\p{L})|World War(?! \p{Lu}\p{Ll})|(?:Erste|Zweite)[nrs]? Weltkrieg\p{L}{0,2}|(?:Première|Seconde|Deuxième) Guerre mondiale|(?:Primera|Segunda) Guerra Mundial)/giu;

const CAPITALS =
  /(?<!\p{L})\p{Lu}\p{Ll}{1,30}(?: (?:(?:of|for|the|der|des|für|und|de|du|la|las|los|i|y|et) ){0,2}\p{Lu}\p{Ll}{1,30}){1,5}/gu;

/** Returns the words of long names, which a passage may shorten to their initials: `European Union`, `EU`. */
function acronymsIn(sentence: string): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const [run] of sentence.matchAll(CAPITALS)) {
    const words = run.match(/\p{Lu}\p{Ll}+/gu) ?? [];
    const initials = words.map((word) => word.charAt(0)).join('');
    // The first word may only open the sentence.
    for (const word of words)
      found.set(word, [initials, ...(initials.length > 2 ? [initials.slice(1)] : [])]);
  }
  return found;
}

const LITERAL = /`[^`\n]{1,500}`|\b(?:[a-z][a-z0-9+.-]{1,20}:\/\/|www\.)[^\s<>"')\]]{1,2000}/gi;
/** The numeral of a king or a century. */
const isRomanNumeral = (text: string): boolean => /^[IVX]{1,6}e?$/.test(text);
/** Two units: `ct/kWh`. */
const isRate = (text: string): boolean => /^\p{L}{1,4}\/\p{L}{1,4}$/u.test(text);
/** A surname with a capital inside, which is found as a name: `the MacVicars`. */
const isSurname = (text: string): boolean => /^(?:Ma?c|Fitz|De|Van|La|Le)\p{Lu}\p{Ll}+$/u.test(text);
/** An ordinal, a range or a word with a year: `mid-1830s`. */
const hasFigure = (text: string): boolean => /^(?:\p{Ll}+-)?\d/u.test(text);
const blank = (text: string, pattern: RegExp): string =>
  text.replace(pattern, (found) => ' '.repeat(found.length));

function timesAndFigures(sentence: string, language: string | null): Claim[] {
  const stated = dates(sentence);
  const eras = erasIn(sentence);
  const { quantities } = quantitiesOf(sentence, language);
  const rest = [...stated, ...eras].reduce((text, { at, text: words }) => blankAt(text, at, words), sentence);
  const years = [...stated.map(({ value }) => value.slice(0, 4)), ...(rest.match(YEARS) ?? [])].map(Number);
  const whole: StatingSentence = { text: sentence, quantities, years };
  const months = Array.from(rest.matchAll(/(?<![\p{L}])\p{L}{3,12}(?![\p{L}])/gu), ({ 0: word }) => word)
    .filter((word) => monthNumber(word) !== null && isMonthInContext(word))
    .map((text): Claim => ({ kind: 'date', text, keys: monthKeys(text, rest) }));
  const named = stated.flatMap(({ text, value }) =>
    value.split('-').map((part, i): Claim => ({
      kind: 'date',
      text,
      keys: [i === 1 ? `month ${Number(part)}` : String(Number(part))],
      ...(i === 0 && { sentence: whole }),
      ...(i === 2 && { day: { month: Number(value.slice(5, 7)), day: Number(part) } }),
    })),
  );
  const days = dayDates(rest).filter(({ first, last }) => first === last);
  const inDays = days.map(({ at, end, first }): Claim => {
    const day = calendarDay(first);
    return { kind: 'date', text: sentence.slice(at, end).trim(), keys: [String(day.day)], day };
  });
  const clocks = clockTimes(rest);
  const spoken = spokenTimes(rest, language).filter(
    (time) => !clocks.some((clock) => overlap(clock, time)) && quantities.some((one) => overlap(one, time)),
  );
  const figures = quantities
    .filter((one) => one.isImplied !== true && ![...spoken, ...days].some((time) => overlap(one, time)))
    .filter(({ at, text, end }) => !isIdiom(sentence.slice(0, at), text, sentence.slice(end)))
    .map((quantity): Claim => {
      const { text, keys } = quantity;
      const isYear =
        quantity.dimension === 'year' ||
        (quantity.dimension === 'count' &&
          !['above', 'below', 'under'].includes(quantity.bound ?? '') &&
          IS_YEAR.test(text) &&
          !/^ \p{L}{5}/u.test(sentence.slice(quantity.end)));
      // Of `2023/24` the second figure is a year, and the year of a report needs no more than one of the two.
      const century = /(?<!\d)(\d\d)\d\d[/–-]$/u.exec(sentence.slice(0, quantity.at))?.[1];
      if (century !== undefined && /^\d\d$/.test(text)) {
        const year = Number(century + text);
        return { kind: 'number', text, keys: [String(year), String(year - 1)], sentence: whole };
      }
      // A day such as `the 24th` follows from no other figures.
      if (ORDINAL_DAY.test(sentence.slice(quantity.end))) return { kind: 'number', text, keys };
      return { kind: 'number', text, keys, sentence: whole, ...(!isYear && { quantity }) };
    });
  const onClock = clocks.map(({ at, end, seconds }): Claim => {
    const quantity = quantities.find((one) => one.at === at && one.dimension === 'time');
    const text = sentence.slice(at, end);
    return { kind: 'number', text, keys: clockKeys(seconds), ...(quantity && { quantity, sentence: whole }) };
  });
  const inWords = spoken.map((time): Claim => {
    // Hours may be durations: `quatre heures et demie`, `three hours in the morning and four in the afternoon`.
    const quantity = quantities.find(
      (one) => one.dimension === 'time' && one.factor === HOUR && overlap(one, time),
    );
    // A passage may have `2.40` without a word that makes it a time.
    const asWritten = quantities.find(({ at, end }) => at === time.at && end === time.end);
    const keys = [...spokenKeys(time), ...(quantity?.keys ?? []), ...(asWritten?.keys ?? [])];
    const text = sentence.slice(time.at, time.end);
    return { kind: 'number', text, keys, ...(quantity && { quantity, sentence: whole }) };
  });
  const weekdays = namedWeekdays(rest).map(({ text, day }): Claim => ({
    kind: 'date',
    text,
    // The night from Saturday to Sunday is that of Sunday.
    keys: [`weekday ${day}`, ...(NIGHT.test(rest) ? [`weekday ${(day + 1) % 7}`] : [])],
  }));
  const inEras = eras.map((era): Claim => ({ kind: 'date', text: era.text, keys: [era.key], era }));
  return [...named, ...months, ...inDays, ...weekdays, ...inEras, ...figures, ...onClock, ...inWords];
}

/** `Before September` is `by the end of August`, too. */
function monthKeys(word: string, sentence: string): string[] {
  const month = monthNumber(word) ?? 0;
  const before = sentence.slice(0, sentence.indexOf(word));
  return [`month ${month}`, ...(BEFORE_MONTH.test(before) ? [`month ${((month + 10) % 12) + 1}`] : [])];
}
const BEFORE_MONTH =
  /(?<!\p{L})(?:before|until|till|vor|vor Anfang|bis(?: Anfang)?|przed|do(?: początku)?|avant|antes de)(?: the (?:start|beginning) of)? $/iu;

const NIGHT = /(?<!\p{L})(?:night|nacht|nocy|noc|nuit|noche)(?!\p{L})/iu;

const overlap = (a: { at: number; end: number }, b: { at: number; end: number }): boolean =>
  a.at < b.end && b.at < a.end;

/** Returns whether a number only says into how many parts something is divided: `cut in two`. */
const isIdiom = (before: string, number: string, behind: string): boolean =>
  /(?<!\p{L})(?:in|entz|en|na) $/iu.test(before) &&
  /^(?:two|zwei|deux|dos|dwoje)$/iu.test(number) &&
  /^(?:[.,;)]|$)/u.test(behind);

/** A time in words may differ from the exact one by some minutes. */
function spokenKeys({ seconds, tolerance }: SpokenTime): string[] {
  const keys: string[] = [];
  for (let off = -tolerance; off <= tolerance; off += 60)
    keys.push(...clockKeys((seconds + off + 2 * HALF_DAY) % (2 * HALF_DAY)));
  return keys;
}

const HOUR = 3_600;
const HALF_DAY = 12 * HOUR;
/** A passage may state the hour without minutes, and by a clock of twelve hours. */
const clockKeys = (seconds: number): string[] => [
  `clock ${seconds}`,
  `clock ${(seconds + HALF_DAY) % (2 * HALF_DAY)}`,
  ...(seconds % HOUR === 0 ? [String(seconds / HOUR), String((seconds % HALF_DAY) / HOUR)] : []),
];
const ORDINAL_DAY = /^(?:st|nd|rd|th)(?! \p{L}{4})/u;
const IS_YEAR = /^(?:1\d{3}|20\d{2})$/;
const YEARS = /(?<![\p{L}\p{N}])(?:1\d{3}|20\d{2})(?![\p{L}\p{N}])/gu;
const blankAt = (text: string, at: number, words: string): string =>
  text.slice(0, at) + ' '.repeat(words.length) + text.slice(at + words.length);

/** Returns whether the name of a month means the month: words such as "may" and "mars" do so only with a capital. */
const isMonthInContext = (word: string): boolean =>
  !/^(?:may|mar|jan|sep|sept|dec|march|mars|juin|mai|maja|maju|luty|august)$/u.test(word);

/**
 * Returns the claims of an uncited sentence that need a citation (B26): figures, dates, names, quotations, rank and
 * cause. Prose about the text itself needs no citation, and neither do names that `isKnown` accepts.
 */
export function claimsNeedingSource(
  sentence: string,
  context: ClaimContext,
  isKnown: (name: string) => boolean,
): Claim[] {
  const lexicon = claimLexiconOf(context.language);
  const hard = hardClaims(sentence, context).filter((claim) => {
    if (claim.kind === 'name') return !isKnown(claim.text);
    if (claim.kind === 'quote')
      return claim.text.split(/\s+/).length >= 3 && !isKnownTitle(claim.text, isKnown);
    return claim.kind === 'date' || claim.kind === 'number';
  });
  const counting = countsItself(sentence, lexicon);
  const firm = hard.filter(({ kind, text }) => kind !== 'number' || !counting.has(text));
  if (matches(lexicon.discourse, sentence)) return firm;
  return [
    ...firm,
    ...soft('superlative', lexicon.superlative, sentence),
    ...soft('cause', lexicon.cause, sentence),
  ];
}

/** Returns whether quoted words are a title from the brief or the outline, and so do not quote a source. */
function isKnownTitle(text: string, isKnown: (name: string) => boolean): boolean {
  const words = text.match(/\p{L}{4,}/gu) ?? [];
  return words.length > 0 && words.every(isKnown);
}

const LABELLED =
  /(?:chapters?|sections?|figures?|tables?|parts?|steps?|pages?|no\.|kapiteln?|abschnitte?n?|tabellen?|abbildung|seiten?|schritte?|teile?|rozdzia\p{L}{1,5}|częś\p{L}{1,6}|tabel\p{L}{1,3}|rysun\p{L}{1,5}|stron\p{L}{1,4}|krok\p{L}{0,4})\s{1,3}$/iu;
const SMALL = 12;

/** Returns the figures by which a text counts its own parts: `chapter 3`, `two reasons`. */
function countsItself(sentence: string, lexicon: ClaimLexicon): Set<string> {
  const isOwn = ({ text, values, at, isSpelled }: Figure) => {
    if (LABELLED.test(sentence.slice(Math.max(0, at - 20), at))) return true;
    const behind = sentence.slice(at + text.length, at + text.length + 40);
    return isSpelled && Number(values[0]) <= SMALL && lexicon.counted.test(behind);
  };
  const figures = figuresIn(sentence, lexicon);
  const own = figures.filter(isOwn).map(({ text }) => text);
  return new Set(own.filter((text) => figures.filter((figure) => figure.text === text).every(isOwn)));
}

/** Superlatives by which an author judges: `the most important quantities`. */
const JUDGEMENT =
  /(?<!\p{L})(?:most (?:important|interesting|useful|relevant|obvious)|wichtigst|nützlichst|interessantest|najważniejsz|najciekawsz)/iu;

/** Returns a claim for the first pattern that matches. */
function soft(kind: ClaimKind, patterns: readonly RegExp[], sentence: string): Claim[] {
  for (const pattern of patterns) {
    const found = pattern.exec(sentence) ?? pattern.exec(lowerFirst(sentence));
    if (found && !JUDGEMENT.test(found[0])) return [{ kind, text: found[0].trim(), keys: [] }];
  }
  return [];
}

const matches = (pattern: RegExp, sentence: string): boolean =>
  pattern.test(sentence) || pattern.test(lowerFirst(sentence));
const lowerFirst = (text: string): string =>
  text.replace(/^[\s*_"'“„«(]*\p{Lu}/u, (start) => start.toLowerCase());
