import { numberOfWord } from '#verbatim/source/units-of-measure.js';
import { figuresIn } from './figures.js';
import { claimLexiconOf } from './lexicon.js';

/** An ordinal number in a text, such as `third`, `3rd` or `dritte`. */
export interface Ordinal {
  text: string;
  at: number;
  value: number;
}

/** Beginnings of the ordinals from two on, by language. */
const WORDS: Record<string, string> = {
  en: 'second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth',
  de: 'zweite dritte vierte fünfte sechste siebte achte neunte zehnte elfte zwölfte',
  pl: 'drug trzeci czwart piąt szóst siódm ósm dziewiąt dziesiąt jedenast dwunast',
  fr: 'deuxième troisième quatrième cinquième sixième septième huitième neuvième dixième onzième douzième',
  es: 'segund tercer cuart quint sext séptim octav noven décim undécim duodécim',
};
const DIGITS = /(?<![\p{L}\p{N}.,])(\d{1,3})(?:st|nd|rd|th|e|ème|ª|º)(?!\p{L})/gu;

const patterns = new Map(
  Object.entries(WORDS).map(([language, words]) => {
    const stems = words.split(' ');
    return [
      language,
      { stems, pattern: new RegExp(`(?<!\\p{L})(${stems.join('|')})\\p{L}{0,3}(?!\\p{L})`, 'giu') },
    ] as const;
  }),
);

/** Ordinals above twelve: `thirteenth`, `forty-fifth`, `fünfundvierzigste`, `czterdziesty piąty`. */
const HIGH: Record<string, RegExp> = {
  en: /(?<!\p{L})(?:(\p{L}{2,6}ty)-)?(first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|\p{L}{3,8}(?:teenth|tieth))(?!\p{L})/giu,
  de: /(?<!\p{L})(\p{L}{6,24}?)(?:s?te)[nrsm]?(?!\p{L})/giu,
  pl: /(?<!\p{L})(dwudziest|trzydziest|czterdziest|pięćdziesiąt|sześćdziesiąt|siedemdziesiąt|osiemdziesiąt|dziewięćdziesiąt)(?:ego|emu|ych|ym|ej|y|a|ą|e)(?: (pierwsz|drug|trzeci|czwart|piąt|szóst|siódm|ósm|dziewiąt)\p{L}{0,3})?(?!\p{L})/giu,
};
const ENGLISH_ONES = 'first second third fourth fifth sixth seventh eighth ninth'.split(' ');
const POLISH_ONES = 'pierwsz drug trzeci czwart piąt szóst siódm ósm dziewiąt'.split(' ');
const POLISH_TENS =
  'dwudziest trzydziest czterdziest pięćdziesiąt sześćdziesiąt siedemdziesiąt osiemdziesiąt dziewięćdziesiąt'.split(
    ' ',
  );

/** Returns the value of an ordinal above twelve from its parts. */
function highValue(language: string, first: string, second: string): number {
  const [a, b] = [first.toLowerCase(), second.toLowerCase()];
  if (language === 'pl') return (POLISH_TENS.indexOf(a) + 2) * 10 + POLISH_ONES.indexOf(b) + 1;
  if (language === 'de') return Number(figuresIn(a, claimLexiconOf('de'))[0]?.values[0] ?? 0);
  if (a !== '') return Number(numberOfWord(a) ?? Number.NaN) + ENGLISH_ONES.indexOf(b) + 1;
  return Number(numberOfWord(b.replace(/tieth$/u, 'ty').replace(/th$/u, '')) ?? 0);
}

/** Returns the ordinal numbers of a text from two on. Linear. */
export function ordinalsIn(text: string, language: string | null): Ordinal[] {
  const found = Array.from(text.matchAll(DIGITS), (match): Ordinal => ({
    text: match[0],
    at: match.index,
    value: Number(match[1]),
  }));
  const { stems, pattern } = patterns.get(language ?? '') ?? {};
  if (!stems || !pattern) return found;
  for (const match of text.matchAll(pattern))
    found.push({
      text: match[0],
      at: match.index,
      value: stems.indexOf((match[1] as string).toLowerCase()) + 2,
    });
  for (const { 0: words, 1: first = '', 2: second = '', index: at } of text.matchAll(
    HIGH[language ?? ''] ?? NONE,
  )) {
    const value = highValue(language ?? '', first, second);
    if (value > LAST_SIMPLE) found.push({ text: words, at, value });
  }
  return found;
}

const LAST_SIMPLE = 12;
const NONE = /(?!)/gu;
