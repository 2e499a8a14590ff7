import { occursIn } from '#verbatim/source/occurs.js';
import { languageOf } from '../language.js';
import { withoutNotes } from '../sentences.js';
import { Calendar, datesIn, clockTimesIn, type ClockTime, isSameTime } from './calendar.js';
import type { Claim } from './claims.js';
import { figuresIn, type Figure } from './figures.js';
import { knownWords, type KnownWords } from './known-words.js';

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
    this.flat = text.replace(/\s+/g, ' ');
    this.plain = plainQuotes(this.flat).toLowerCase();
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
      occursIn(value, this.flat) || (kind === 'identifier' && occursIn(value.replace(/s$/, ''), this.flat))
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
  const parts = plainQuotes(quotation)
    .toLowerCase()
    .replace(/[.,!?]{1,9}$/, '')
    .replace(/\s+/g, ' ')
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

const plainQuotes = (text: string): string => text.replace(/[’‘]/g, "'").replace(/[“”„»«]/g, '"');
