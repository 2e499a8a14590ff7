import { withCapital } from '#contracts/text.js';
const ROMAN: [number, string][] = [
  [1000, 'm'], [900, 'cm'], [500, 'd'], [400, 'cd'], [100, 'c'], [90, 'xc'], [50, 'l'], [40, 'xl'], [10, 'x'], [9, 'ix'], [5, 'v'], [4, 'iv'], [1, 'i'],
]; // prettier-ignore
const LARGEST_ROMAN = 3_999;

/** Returns a number as letters: a to z, then aa, ab and so on. Returns null below 1. */
export function letterNumber(value: number): string | null {
  if (value < 1) return null;
  let text = '';
  for (let rest = value; rest > 0; rest = Math.floor((rest - 1) / 26))
    text = String.fromCharCode(97 + ((rest - 1) % 26)) + text;
  return text;
}

/** Returns a Roman number in small letters; null below 1 and above 3,999. */
export function romanNumber(value: number): string | null {
  if (value < 1 || value > LARGEST_ROMAN) return null;
  let text = '';
  let rest = value;
  for (const [worth, sign] of ROMAN) for (; rest >= worth; rest -= worth) text += sign;
  return text;
}

/** Characters that count in the order of their alphabet. After the last one, they are doubled, then tripled. */
const ALPHABETS: Record<string, string> = {
  lowerLetter: 'abcdefghijklmnopqrstuvwxyz',
  upperLetter: 'ABCDEFGHIJKLMNOPQRSTUVWXYZ',
  chicago: '*†‡§',
  lowerGreek: 'αβγδεζηθικλμνξοπρστυφχψω',
  russianLower: 'абвгдежзиклмнопрстуфхцчшщыэюя',
  russianUpper: 'АБВГДЕЖЗИКЛМНОПРСТУФХЦЧШЩЫЭЮЯ',
};
/** Characters that count in a circle: after the last one, the first one follows. */
const CIRCLES: Record<string, string> = {
  ideographTraditional: '甲乙丙丁戊己庚辛壬癸',
  ganada: '가나다라마바사아자차카타파하',
};
/** Single characters for the first numbers. Larger numbers are decimal. */
const SIGNS: Record<string, string> = {
  decimalEnclosedCircle: '①②③④⑤⑥⑦⑧⑨⑩⑪⑫⑬⑭⑮⑯⑰⑱⑲⑳',
  decimalEnclosedCircleChinese: '①②③④⑤⑥⑦⑧⑨⑩⑪⑫⑬⑭⑮⑯⑰⑱⑲⑳',
  decimalEnclosedFullstop: '⒈⒉⒊⒋⒌⒍⒎⒏⒐⒑⒒⒓⒔⒕⒖⒗⒘⒙⒚⒛',
  decimalEnclosedParen: '⑴⑵⑶⑷⑸⑹⑺⑻⑼⑽⑾⑿⒀⒁⒂⒃⒄⒅⒆⒇',
  ideographEnclosedCircle: '㊀㊁㊂㊃㊄㊅㊆㊇㊈㊉',
};
/** The digits from 0 of formats that write numbers digit by digit. */
const DIGITS: Record<string, string> = {
  decimalFullWidth: '０１２３４５６７８９',
  decimalFullWidth2: '０１２３４５６７８９',
  ideographDigital: '〇一二三四五六七八九',
  japaneseDigitalTenThousand: '〇一二三四五六七八九',
  taiwaneseDigital: '○一二三四五六七八九',
  koreanDigital: '영일이삼사오육칠팔구',
  koreanDigital2: '零一二三四五六七八九',
};
/** The digits from 1, then ten and a hundred, of formats that spell numbers. A leading one is omitted before ten. */
const COUNTING: Record<string, string> = {
  japaneseCounting: '一二三四五六七八九十百',
  chineseCounting: '一二三四五六七八九十百',
  chineseCountingThousand: '一二三四五六七八九十百',
  taiwaneseCounting: '一二三四五六七八九十百',
  taiwaneseCountingThousand: '一二三四五六七八九十百',
  koreanCounting: '일이삼사오육칠팔구십백',
};
/** Like `COUNTING`; a leading one is written. */
const LEGAL: Record<string, string> = {
  japaneseLegal: '壱弐参四伍六七八九拾百',
  chineseLegalSimplified: '壹贰叁肆伍陆柒捌玖拾佰',
  ideographLegalTraditional: '壹貳參肆伍陸柒捌玖拾佰',
};
const SMALL =
  ' one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  );
const TENS = '  twenty thirty forty fifty sixty seventy eighty ninety'.split(' ');
const ORDINALS: Record<string, string> = {
  one: 'first',
  two: 'second',
  three: 'third',
  five: 'fifth',
  eight: 'eighth',
  nine: 'ninth',
  twelve: 'twelfth',
};
/** Maximum repetitions of a letter: item 1,000 of a list is not labelled with 39 letters. */
const MOST_REPEATED = 5;

/** Names of number formats in Word by their codes in RTF and in Word's binary files. */
export const FORMAT_CODES: readonly string[] = (
  'decimal upperRoman lowerRoman upperLetter lowerLetter ordinal cardinalText ordinalText hex chicago ideographDigital japaneseCounting aiueo ' +
  'iroha decimalFullWidth decimalHalfWidth japaneseLegal japaneseDigitalTenThousand decimalEnclosedCircle decimalFullWidth2 aiueoFullWidth ' +
  'irohaFullWidth decimalZero bullet ganada chosung decimalEnclosedFullstop decimalEnclosedParen decimalEnclosedCircleChinese ' +
  'ideographEnclosedCircle ideographTraditional ideographZodiac ideographZodiacTraditional taiwaneseCounting ideographLegalTraditional ' +
  'taiwaneseCountingThousand taiwaneseDigital chineseCounting chineseLegalSimplified chineseCountingThousand decimal koreanDigital ' +
  'koreanCounting koreanLegal koreanDigital2 hebrew1 arabicAlpha hebrew2 arabicAbjad hindiVowels hindiConsonants hindiNumbers hindiCounting ' +
  'thaiLetters thaiNumbers thaiCounting vietnameseCounting numberInDash russianLower russianUpper'
).split(' ');

/**
 * Returns the number of a list item, note or page. Formats without a rule, and numbers that a format cannot express, are decimal.
 *
 * @param format name as in Word; `alphabetLower` and `alphabetUpper` count on with `aa`, `ab`
 * @param pattern first number of a `custom` format, such as `001`
 */
export function numberText(value: number, format: string, pattern = ''): string {
  if (format === 'none') return '';
  if (value < 1) return format === 'decimalZero' ? String(value).padStart(2, '0') : String(value);
  return (
    lettersOf(value, format) ??
    spelledText(value, format) ??
    (format === 'custom' && /^0+1$/.test(pattern) ? String(value).padStart(pattern.length, '0') : null) ??
    String(value)
  );
}

function lettersOf(value: number, format: string): string | null {
  const alphabet = [...(ALPHABETS[format] ?? '')];
  const repeated = Math.ceil(value / alphabet.length);
  if (alphabet.length > 0 && repeated <= MOST_REPEATED)
    return alphabet[(value - 1) % alphabet.length]!.repeat(repeated);
  const circle = [...(CIRCLES[format] ?? '')];
  if (circle.length > 0) return circle[(value - 1) % circle.length]!;
  if (format === 'alphabetLower') return letterNumber(value);
  if (format === 'alphabetUpper') return letterNumber(value)?.toUpperCase() ?? null;
  return [...(SIGNS[format] ?? '')][value - 1] ?? null;
}

function spelledText(value: number, format: string): string | null {
  const digits = [...(DIGITS[format] ?? '')];
  if (digits.length > 0) return String(value).replace(/\d/g, (digit) => digits[Number(digit)]!);
  if (COUNTING[format] ?? LEGAL[format]) return countingText(value, format);
  switch (format) {
    case 'lowerRoman':
      return romanNumber(value);
    case 'upperRoman':
      return romanNumber(value)?.toUpperCase() ?? null;
    case 'decimalZero':
      return String(value).padStart(2, '0');
    case 'numberInDash':
      return `- ${value} -`;
    case 'hex':
      return value.toString(16).toUpperCase();
    case 'ordinal':
      return `${value}${ordinalEnding(value)}`;
    case 'cardinalText':
      return capitalized(englishWords(value));
    case 'ordinalText':
      return capitalized(ordinalWords(value));
    default:
      return null;
  }
}

/** Spells numbers below 1,000 with signs for ten and a hundred: 二十一. */
function countingText(value: number, format: string): string | null {
  const signs = [...(COUNTING[format] ?? LEGAL[format]!)];
  if (value > 999) return null;
  const one = format in LEGAL;
  const part = (count: number, sign: string) =>
    count === 0 ? '' : (count === 1 && !one ? '' : signs[count - 1]!) + sign;
  const hundreds = part(Math.floor(value / 100), signs[10]!);
  const tens = part(Math.floor(value / 10) % 10, signs[9]!);
  return hundreds + tens + (value % 10 === 0 ? '' : signs[(value % 10) - 1]!);
}

function ordinalEnding(value: number): string {
  const isTeen = Math.floor(value / 10) % 10 === 1;
  return isTeen ? 'th' : (['th', 'st', 'nd', 'rd'][value % 10] ?? 'th');
}

function englishWords(value: number): string | null {
  if (value > 999) return null;
  const hundreds = value < 100 ? '' : `${SMALL[Math.floor(value / 100)]!} hundred`;
  const rest = value % 100;
  const ones = SMALL[rest % 10]!;
  const small = rest < 20 ? SMALL[rest]! : [TENS[Math.floor(rest / 10)]!, ones].filter(Boolean).join('-');
  return [hundreds, small].filter(Boolean).join(' ');
}

function ordinalWords(value: number): string | null {
  const words = englishWords(value);
  if (words === null) return null;
  const at = Math.max(words.lastIndexOf(' '), words.lastIndexOf('-')) + 1;
  const last = words.slice(at);
  return words.slice(0, at) + (ORDINALS[last] ?? `${last.replace(/y$/, 'ie')}th`);
}

const capitalized = (text: string | null): string | null => (text === null ? null : withCapital(text));
