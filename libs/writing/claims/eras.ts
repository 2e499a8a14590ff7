/** A decade or century that a sentence names. */
export interface Era {
  text: string;
  at: number;
  /** The same for the same decade or century in other words; the century of a decade is left out. */
  key: string;
  /** Whether a year belongs to it; the century of a decade may be left open. */
  contains: (year: number) => boolean;
  /** First year of a decade with its century. */
  from?: number;
}

const CENTURY_NAME = '(?:century|centuries|Jahrhunderts?|Jh|wieku|wieki|wiek|w|siècles?)';
const CENTURY = new RegExp(
  `(?<![\\p{L}\\p{N}])(?:(\\d{1,2})(?:st|nd|rd|th|e|ème|\\.)?|([IVX]{1,5})(?:e|ème)?|([a-z]{5,11}))[ -]${CENTURY_NAME}(?!\\p{L})|(?<!\\p{L})siglos? (?:(\\d{1,2})|([IVX]{1,5}))(?![\\p{L}\\p{N}])`,
  'gu',
);
const DECADE =
  /(?<![\p{L}\p{N}])(?:(?:the )?(1\d{3}|20\d{2}|(?<=(?:the|early|late|mid)[ -]['’]?)[1-9]0)['’]?s(?!\p{L})|(1\d{3}|20\d{2}|[1-9]0)er(?: |-)?Jahren?(?!\p{L})|lat(?:a|ach)? (\d{2,4})\.?(?! \p{Ll}{0,3}(?:temu|później))(?=[ .,]|$)|(?:lat(?:a|ach)?|années|años|the) (\p{L}{5,16})(?!\p{L})|(\p{L}{4,9}iger|dreißiger) Jahren?(?!\p{L})|los (cincuenta|sesenta|setenta|ochenta|noventa|cuarenta|treinta|veinte)(?=[.,;)]|$)|(?:années|años|los) (1\d{3}|20\d{2}|[1-9]0)(?![\p{L}\p{N}]))/giu;
const DECADES: [number, RegExp][] = [
  [20, /^(?:twenties|zwanziger|dwudziest\p{L}{1,3}|vingt|veinte)$/iu],
  [30, /^(?:thirties|dreißiger|trzydziest\p{L}{1,3}|trente|treinta)$/iu],
  [40, /^(?:forties|vierziger|czterdziest\p{L}{1,3}|quarante|cuarenta)$/iu],
  [50, /^(?:fifties|fünfziger|pięćdziesiąt\p{L}{1,3}|cinquante|cincuenta)$/iu],
  [60, /^(?:sixties|sechziger|sześćdziesiąt\p{L}{1,3}|soixante|sesenta)$/iu],
  [70, /^(?:seventies|siebziger|siedemdziesiąt\p{L}{1,3}|soixante-dix|setenta)$/iu],
  [80, /^(?:eighties|achtziger|osiemdziesiąt\p{L}{1,3}|quatre-vingt|ochenta)$/iu],
  [90, /^(?:nineties|neunziger|dziewięćdziesiąt\p{L}{1,3}|quatre-vingt-dix|noventa)$/iu],
];
const ORDINALS = [
  'tenth', 'eleventh', 'twelfth', 'thirteenth', 'fourteenth', 'fifteenth', 'sixteenth', 'seventeenth', 'eighteenth',
  'nineteenth', 'twentieth',
]; // prettier-ignore

/** Returns the decades and centuries of a text: `the 1960s`, `lata trzydzieste`, `XIX wiek`, `19. Jahrhundert`. Linear. */
export function erasIn(text: string): Era[] {
  const found: Era[] = [];
  for (const match of text.matchAll(CENTURY)) {
    const [words, digits, roman, ordinal, spanishDigits, spanishRoman] = match;
    const century =
      Number(digits ?? spanishDigits ?? 0) ||
      romanValue(roman ?? spanishRoman) ||
      ORDINALS.indexOf(ordinal ?? '') + 10;
    if (century >= 10 && century <= 21)
      found.push({
        text: words,
        at: match.index,
        key: `century ${century}`,
        contains: (year) => Math.ceil(year / 100) === century || Math.floor(year / 100) + 1 === century,
      });
  }
  for (const match of text.matchAll(DECADE)) {
    const [words, ...groups] = match;
    const named = groups.find((group) => group !== undefined) ?? '';
    const decade = /^\d/.test(named) ? Number(named) : DECADES.find(([, names]) => names.test(named))?.[0];
    if (decade === undefined || decade % 10 !== 0) continue;
    const isOpen = decade < 100;
    found.push({
      text: words,
      at: match.index,
      key: `decade ${decade % 100}`,
      ...(!isOpen && { from: decade }),
      contains: (year) => Math.floor((isOpen ? year % 100 : year) / 10) * 10 === decade,
    });
  }
  return found.sort((a, b) => a.at - b.at);
}

const ROMAN = ['X', 'XI', 'XII', 'XIII', 'XIV', 'XV', 'XVI', 'XVII', 'XVIII', 'XIX', 'XX', 'XXI'];
const romanValue = (text = ''): number => (ROMAN.includes(text) ? ROMAN.indexOf(text) + 10 : 0);
