import { splitAtSpaces } from '#contracts/text.js';
import { hardTokens } from '#verbatim/source/tokens.js';
import { datesIn, type StatedDate, clockTimesIn, type ClockTime } from './calendar.js';
import { figuresIn, type Figure } from './figures.js';
import { namesIn, type WordUse } from './names.js';

export type ClaimKind = 'number' | 'date' | 'quote' | 'name' | 'identifier' | 'url' | 'path';

/** An item of a sentence that can be looked up in a passage. */
export interface Claim {
  kind: ClaimKind;
  /** The words as written. */
  text: string;
  /** What a passage has to state; of names, quotations, identifiers and addresses the words. */
  value: Figure | StatedDate | ClockTime | string;
}

/** Language of a text, and how it uses words. */
export interface ClaimContext {
  language: string | null;
  use: WordUse;
}

const GUILLEMETS = /»([^«»\n]{2,300})«|‚([^‚‘’\n]{12,300})[‘’]/g;
const QUOTED = /"[^"\n]{2,300}"|“[^”\n]{2,300}”|«[^»\n]{2,300}»|»[^«\n]{2,300}«|„[^“”\n]{2,300}[“”]/g;
const LITERAL = /`[^`\n]{1,500}`|\b(?:[a-z][a-z0-9+.-]{1,20}:\/\/|www\.)[^\s<>"')\]]{1,2000}/gi;
/** An ordinal, a range or a word with a year, such as `mid-1830s`, and the numeral of a king or a century. */
const NO_IDENTIFIER = /^(?:(?:\p{Ll}+-)?\d|[IVX]{1,6}e?$)/u;
/** Shorter ones are titles and single words. */
const SHORTEST_QUOTATION = 3;

/** Returns the figures, dates, names, quotations, identifiers and addresses in a sentence without footnote marks. */
export function claimsIn(sentence: string, { language, use }: ClaimContext): Claim[] {
  const literal = hardTokens(sentence).filter(
    ({ kind, text }) =>
      ['quote', 'url', 'path'].includes(kind) || (kind === 'identifier' && !NO_IDENTIFIER.test(text)),
  );
  const more = Array.from(
    sentence.matchAll(GUILLEMETS),
    ([, double, single]) => (double ?? single) as string,
  );
  const quoted = [...literal.flatMap(({ kind, text }) => (kind === 'quote' ? [text] : [])), ...more];
  // A quotation is compared word for word, so its figures and names are not compared separately.
  const own = blank(blank(sentence, QUOTED, ','), LITERAL, ' ');
  const dates = datesIn(own);
  const clocks = clockTimesIn(own);
  const isFree = ({ at }: { at: number }) =>
    ![...dates, ...clocks].some((one) => at >= one.at && at < one.end);
  const figures = figuresIn(own, language).filter(isFree);
  return [
    ...literal.flatMap(({ kind, text }): Claim[] =>
      kind === 'quote' ? [] : [{ kind: kind as ClaimKind, text, value: text }],
    ),
    ...quoted
      .filter((text) => splitAtSpaces(text).length >= SHORTEST_QUOTATION)
      .map((text): Claim => ({ kind: 'quote', text, value: text })),
    ...dates.map((value): Claim => ({ kind: 'date', text: value.text, value })),
    ...clocks.map((value): Claim => ({ kind: 'number', text: value.text, value })),
    ...figures.map((value): Claim => ({ kind: 'number', text: withNextWord(own, value), value })),
    ...namesIn(blankAll(own, dates), language, use).map((text): Claim => ({
      kind: 'name',
      text,
      value: text,
    })),
  ];
}

const blank = (text: string, pattern: RegExp, filler: string): string =>
  text.replace(pattern, (found) => filler.repeat(found.length));
const blankAll = (text: string, places: { at: number; end: number }[]): string =>
  places.reduce((rest, { at, end }) => rest.slice(0, at) + ' '.repeat(end - at) + rest.slice(end), text);

/** Returns a figure with what it counts, as in `27 billion euros`: a sentence may have the same figure twice. */
const withNextWord = (text: string, { at, end }: Figure): string =>
  text.slice(at, end) + (/^[ \u00a0-]?(?:%|\p{L}{1,30}(?!\p{L}))/u.exec(text.slice(end))?.[0] ?? '');

/** Parts of the text itself, as in `chapter 3`. */
const LABELLED =
  /(?:chapters?|sections?|figures?|tables?|parts?|steps?|pages?|kapiteln?|abschnitte?n?|tabellen?|abbildung|seiten?|schritte?|teile?|rozdzia\p{L}{1,5}|częś\p{L}{1,6}|tabel\p{L}{1,3}|rysun\p{L}{1,5}|stron\p{L}{1,4}|krok\p{L}{0,4})\s{1,3}$/iu;
/** Up to this number, a count in words is part of the prose: `three reasons`. */
const SMALL = 12;

/**
 * Returns the claims of an uncited sentence that need a citation (B26): figures, dates, names and quotations, apart from
 * those that `isKnown` accepts, references to parts of the text, and small counts in words.
 */
export function claimsNeedingSource(
  sentence: string,
  context: ClaimContext,
  isKnown: (words: string) => boolean,
): Claim[] {
  return claimsIn(sentence, context).filter(({ kind, value }) => {
    if (typeof value === 'string') return ['name', 'quote'].includes(kind) && !isKnown(value);
    if ('isSpelled' in value && value.isSpelled && Math.max(...value.values) <= SMALL) return false;
    return !LABELLED.test(sentence.slice(Math.max(0, value.at - 20), value.at));
  });
}
