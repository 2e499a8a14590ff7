import { singleSpaced, withoutEnding, withPlainQuotes } from '#contracts/text.js';
import { occursIn } from '#verbatim/source/occurs.js';
import { languageOf } from '../language.js';
import { withoutNotes } from '../sentences.js';
import { Calendar, datesIn, clockTimesIn, type ClockTime, isSameTime } from './calendar.js';
import type { Claim } from './claims.js';
import { figuresIn, type Figure } from './figures.js';

/** Words of a text, found again in inflected forms (`Jana Kowalskiego`). */
interface KnownWords {
  has(word: string): boolean;
  /** As `has` for a name: also the people and adjectives of a place, and no other word with the same beginning. */
  hasName(name: string): boolean;
}

const LONGEST_ENDING = 5;

/** Indexes the words of a text. */
export function knownWords(text: string): KnownWords {
  const byStart = new Map<string, Set<string>>();
  for (const word of text.match(/\p{L}{2,}/gu) ?? []) {
    const plain = folded(word);
    const start = plain.slice(0, 2);
    const words = byStart.get(start) ?? new Set();
    byStart.set(start, words.add(plain));
  }
  const hasPart = (part: string) => {
    const plain = folded(part);
    const stem = stemOf(plain);
    const words = byStart.get(plain.slice(0, 2)) ?? new Set<string>();
    if (words.has(plain)) return true;
    return [...words].some(
      (word) =>
        (word.startsWith(stem) &&
          word.length - stem.length <= LONGEST_ENDING &&
          endsAlike(word, plain, stem)) ||
        (word.startsWith(plain) && INFLECTION.has(word.slice(plain.length))),
    );
  };
  const hasNamePart = (part: string) => {
    const plain = folded(part);
    const words = byStart.get(plain.slice(0, 2)) ?? new Set<string>();
    if (words.has(plain)) return true;
    const forms = [plain, ...withoutVowel(plain)];
    return [...words].some((word) =>
      [word, ...withoutVowel(word)].some((one) => forms.some((form) => isFormOfName(one, form))),
    );
  };
  const partsOf = (name: string) => name.split(/[-’'\s]/).filter((part) => part.length > 1);
  return {
    hasName: (name) => partsOf(name).every(hasNamePart),
    has: (name) => partsOf(name).every(hasPart),
  };
}

/** The beginning of a word without its possible ending. */
const stemOf = (word: string): string =>
  word.length > 5 ? word.slice(0, Math.max(4, word.length - 3)) : word.slice(0, Math.max(3, word.length - 1));

/** Short words are alike only if what follows their common beginning is an ending. */
const endsAlike = (word: string, other: string, stem: string): boolean =>
  other.length > 5 || [word, other].every((form) => INFLECTION.has(form.slice(stem.length)));
const INFLECTION = new Set([
  '',
  ...'s es a u e y i o k owi ie iem em om ami ach n en er ego emu z zi zia zie'.split(' '),
]);

/** Returns the word in lower case without diacritics. */
const folded = (word: string): string =>
  word.toLowerCase().replaceAll('ł', 'l').normalize('NFD').replace(/\p{M}/gu, '');

/** Endings of a name in other cases, of the people of a place and of its adjectives, without diacritics. */
const FORM =
  /^(?:|iu|ii|ze|owie|ow|anie|in|innen|ern?s?|erin(?:nen)?|isch\p{L}{0,2}|ish|i?an(?:s|o|a|os|as)?|i?en(?:ne|s|nes)?|ois(?:es?)?|ais(?:es?)?|ese|ites?|en[oa]s?|es[ae]s?|ine|(?:s|c)k(?:i|ie|iej|iego|iemu|a|ich|im|imi|u)|czy(?:k|ka|ni)\p{L}{0,3}|ian(?:in|ka|ie)\p{L}{0,2}|ie[jm]|iego|iemu|ich|imi?|ej|ych|ymi?)$/u;
/** Polish consonants before the ending of the dative: `Danuta`, `Danucie`. */
const SOFTENED: [ending: string, consonant: string][] = [
  ['scie', 'st'],
  ['cie', 't'],
  ['dzie', 'd'],
  ['rze', 'r'],
  ['dze', 'g'],
  ['ce', 'k'],
  ['sze', 'ch'],
];
/** Polish names lose the vowel of their last syllable in other cases: `Menzel`, `Menzla`. */
const withoutVowel = (word: string): string[] => {
  const short = word.replace(/i?e(?=[lkcnr]$)/u, '');
  const soft = SOFTENED.find(([ending]) => word.endsWith(ending));
  const stem = soft ? withoutEnding(word, soft[0]) + soft[1] : word;
  return [short, stem].filter((form) => form !== word && form.length >= LONG_BEGINNING);
};
const isEnding = (text: string): boolean => INFLECTION.has(text) || FORM.test(text);
const LONG_BEGINNING = 4;

/** Returns whether two words without diacritics are forms of one name. */
function isFormOfName(word: string, name: string): boolean {
  let common = 0;
  while (common < word.length && word[common] === name[common]) common++;
  // Polish adjectives of four letters share three: `Nowy Targ`, `w Nowym Targu`.
  const least = Math.min(LONG_BEGINNING, name.length - 2, word.length - 1);
  // The vowel before both endings may belong to them: `Zakopane-go`, `Zakopan-em`.
  for (let stem = common; stem >= Math.max(least, common - 2); stem--)
    if (isEnding(word.slice(stem)) && isEnding(name.slice(stem))) return true;
  return false;
}

/** Rounding that counts as the same figure: at most this part of it. */
const ROUNDED = 0.05;
const EXACT = 1e-9;

/**
 * A passage in the form in which claims are looked up: literally, after normalizing number words, months, units and
 * rounding. What would have to be calculated or understood is not found here.
 */
export class PassageIndex {
  private readonly flat: string;
  private readonly plain: string;
  private readonly words: KnownWords;
  private readonly figures: Figure[];
  private readonly calendar: Calendar;
  private readonly clocks: ClockTime[];
  private readonly sequence: string;

  /** Linear in the text. @param language of the sentences, used if that of the text is unknown */
  constructor(text: string, language: string | null) {
    this.flat = singleSpaced(text);
    this.plain = withPlainQuotes(this.flat).toLowerCase();
    this.words = knownWords(this.flat);
    this.clocks = clockTimesIn(this.flat);
    this.figures = figuresIn(this.flat, languageOf(text) ?? language);
    this.calendar = new Calendar(
      datesIn(this.flat),
      this.figures.flatMap(({ values }) => values),
    );
    this.sequence = wordsOf(text);
  }

  /** Returns whether the passage contains a sentence word for word, apart from punctuation and markup. */
  hasSentence(words: string): boolean {
    const sentence = wordsOf(words);
    return sentence.trim() !== '' && this.sequence.includes(sentence);
  }

  /** Returns whether the passage states a claim literally. */
  has({ kind, value }: Claim): boolean {
    if (typeof value !== 'string') {
      if ('values' in value) return this.figures.some((figure) => isSameFigure(value, figure));
      if (!('minutes' in value)) return this.calendar.has(value);
      // A log may have `2.40` without a word that makes it a time.
      return this.clocks.some((clock) => isSameTime(value, clock)) || occursIn(value.text, this.flat);
    }
    if (kind === 'quote') return hasQuotation(value, this.plain);
    if (kind === 'name') return occursIn(value, this.flat) || this.words.hasName(value);
    return (
      occursIn(value, this.flat) || (kind === 'identifier' && occursIn(withoutEnding(value, 's'), this.flat))
    );
  }
}

/** Returns whether a figure of a sentence is one of a passage: equal, or rounded from it, in the same kind of unit. */
export function isSameFigure(figure: Figure, stated: Figure): boolean {
  const { unit: own, values, steps } = figure;
  const other = isYear(figure) ? null : stated.unit;
  // Without a unit, a figure of a sentence may leave it out; one with a unit is not one of something else.
  if (own && own.dimension !== other?.dimension && !isYear(figure)) return false;
  const ratio = own && other ? other.factor / own.factor : 1;
  // A year, or a figure that may count something else, is not rounded.
  const mayRound = !isYear(figure) && (own === null) === (other === null);
  return values.some((value, i) =>
    stated.values.some((one) => isRoundedTo(one * ratio, value, mayRound ? steps[i]! : 0)),
  );
}

const isYear = ({ text, unit, scale }: Figure): boolean =>
  /^(?:1\d{3}|20\d{2})$/.test(text) && scale === 1 && (unit === null || unit.dimension === 'time');

/** Returns whether a value may be written as a figure whose last digit is worth `step`. @param most largest difference, as a part of the figure */
export function isRoundedTo(value: number, figure: number, step: number, most = ROUNDED): boolean {
  const difference = Math.abs(value - figure);
  const scale = Math.abs(figure);
  return (
    difference <= scale * EXACT || (difference <= scale * most && difference <= (step / 2) * (1 + EXACT))
  );
}

/** Returns the words and numbers of a text, with their signs and separators, without markup and footnote marks. */
const wordsOf = (text: string): string =>
  ` ${(
    withoutNotes(text)
      .toLowerCase()
      .match(/[-−]?\d+(?:[.,:]\d+)*|\p{L}+/gu) ?? []
  ).join(' ')} `;

/** Returns whether a text contains a quotation word for word; an ellipsis may replace words between two quoted parts. */
function hasQuotation(quotation: string, plain: string): boolean {
  const parts = singleSpaced(
    withPlainQuotes(quotation)
      .toLowerCase()
      .replace(/[.,!?]{1,9}$/, ''),
  )
    .split(/ ?(?:\[?…\]?|\[?\.\.\.\]?) ?/)
    .filter((part) => part !== '');
  let from = 0;
  for (const part of parts) {
    const at = plain.indexOf(part, from);
    if (at < 0) return false;
    from = at + part.length;
  }
  return true;
}
