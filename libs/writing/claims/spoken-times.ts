import { unitAfter } from './units.js';

/** A time of day in words, such as `half past seven`, `Viertel vor acht` or `las ocho y media`. */
export interface SpokenTime {
  at: number;
  end: number;
  /** Seconds since midnight, by a clock of twelve hours unless it names the part of the day. */
  seconds: number;
  /** Seconds by which the time may differ: more after `shortly before` or `about`. */
  tolerance: number;
}

interface SpokenWords {
  /** Words of the hours 1…12. */
  hours: string[];
  /** Words of minutes that are no hours. */
  minutes: Record<string, number>;
  /** Phrases with the groups `hour` and `minute`, and how they are read. */
  phrases: [string, (hour: number, minute: number) => number][];
  /** Before a time that is not exact. */
  about: string;
  afternoon: string;
}

const HOUR = 60;
const NOON = 12 * HOUR;
const after = (minutes: number) => (hour: number) => hour * HOUR + minutes;
const later = (hour: number, minute: number): number => hour * HOUR + minute;
const earlier = (hour: number, minute: number): number => hour * HOUR - minute;

/** In a phrase, `H` is an hour and `M` a number of minutes. */
const WORDS: Record<string, SpokenWords> = {
  en: {
    hours: 'one two three four five six seven eight nine ten eleven twelve'.split(' '),
    minutes: { twenty: 20, 'twenty-five': 25 },
    phrases: [
      ['half past H', after(30)],
      ['(?:a )?quarter past H', after(15)],
      ['(?:a )?quarter to H', after(-15)],
      ['M(?: minutes?)? past H', later],
      ['M minutes to H', earlier],
      ['(?<=(?:at|by|until|till|about) )M to H(?! \\p{L}{4})', earlier],
      ['(?<=(?:at|by) )M to H(?= in the )', earlier],
      ["H o['’]clock", after(0)],
      ['H(?= in the (?:morning|afternoon|evening)| at night)', after(0)],
      ['(?<=(?:shortly|just) (?:before|after) )H(?= \\p{Ll}{1,3} |[,.;)](?!\\d)|$)', after(0)],
      ['noon|midday', () => NOON],
      ['midnight', () => 0],
    ],
    about: 'about|around|shortly (?:before|after)|just (?:before|after)|towards|nearly',
    afternoon: 'in the (?:afternoon|evening)|at night|p\\.?m',
  },
  de: {
    hours: 'eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf'.split(' '),
    minutes: { fünfzehn: 15, zwanzig: 20, fünfundzwanzig: 25, dreißig: 30, vierzig: 40, fünfundvierzig: 45, fünfzig: 50 },
    phrases: [
      ['halb H', after(-30)],
      ['drei ?viertel H', after(-15)],
      ['viertel nach H', after(15)],
      ['viertel vor H', after(-15)],
      ['M vor halb H', (hour, minute) => hour * HOUR - 30 - minute],
      ['M nach halb H', (hour, minute) => hour * HOUR - 30 + minute],
      ['M(?: Minuten)? nach H', later],
      ['M(?: Minuten)? vor H', earlier],
      ['H Uhr M(?! Uhr)', later],
      ['H Uhr', after(0)],
      ['(?<=(?:um|gegen|bis|ab) )H(?= (?:früh|morgens|vormittags|nachmittags|abends|nachts)|[,.;)](?!\\d)|$)', after(0)],
      ['(?<=kurz (?:nach|vor) )H(?! (?:Uhr|Tag|Woch|Monat|Jahr|Stund|Minut))', after(0)],
      ['Mittags?(?= um zwölf)|zwölf Uhr mittags', () => NOON],
      ['Mitternacht', () => 0],
    ],
    about: 'gegen|kurz (?:vor|nach)|etwa(?: um)?|ungefähr(?: um)?|circa|rund',
    afternoon: 'nachmittags?|abends?|am (?:Nachmittag|Abend)',
  },
  pl: {
    hours:
      'pierwsz(?:ej|a|ą) drugi?(?:ej|a|ą) trzeci?(?:ej|a|ą) czwart(?:ej|a|ą) piąt(?:ej|a|ą) szóst(?:ej|a|ą) siódm(?:ej|a|ą) ósm(?:ej|a|ą) dziewiąt(?:ej|a|ą) dziesiąt(?:ej|a|ą) jedenast(?:ej|a|ą) dwunast(?:ej|a|ą)'.split(
        ' ',
      ),
    minutes: { pięć: 5, dziesięć: 10, dwadzieścia: 20 },
    phrases: [
      ['wpół do H', after(-30)],
      ['kwadrans po H', after(15)],
      ['za kwadrans H', after(-15)],
      ['za M H', earlier],
      ['(?<=(?:o|po|przed|do|od|około|godzinie|godz\\.) )H(?= (?:rano|wieczorem|po południu|w nocy)|[,.;)](?!\\d)|$)', after(0)],
      ['w południe', () => NOON],
      ['o północy', () => 0],
    ],
    about: 'około|tuż (?:przed|po)|krótko (?:przed|po)|mniej więcej o',
    afternoon: 'po południu|wieczorem',
  },
  fr: {
    hours: 'une deux trois quatre cinq six sept huit neuf dix onze douze'.split(' '),
    minutes: { vingt: 20, 'vingt-cinq': 25 },
    phrases: [
      ['H heures? et demie', after(30)],
      ['H heures? et quart', after(15)],
      ['H heures? moins le quart', after(-15)],
      ['H heures? moins M', earlier],
      ['H heures? M', later],
      ['H heures?(?= (?:du|de l) ?[’\']?(?:matin|soir|après-midi)|[,.;)](?!\\d)|$)', after(0)],
      ['midi et demi', () => NOON + 30],
      ['midi', () => NOON],
      ['minuit', () => 0],
    ],
    about: 'vers|environ|peu (?:avant|après)|aux alentours de',
    afternoon: 'du soir|de l[’\']après-midi',
  },
  es: {
    hours: 'una dos tres cuatro cinco seis siete ocho nueve diez once doce'.split(' '),
    minutes: { veinte: 20, veinticinco: 25 },
    phrases: [
      ['las? H y media', after(30)],
      ['las? H y cuarto', after(15)],
      ['las? H menos cuarto', after(-15)],
      ['las? H menos M', earlier],
      ['las? H y M', later],
      ['las? H(?= (?:de la|en punto|de madrugada)|[,.;)](?!\\d)|$)', after(0)],
      ['mediodía', () => NOON],
      ['medianoche', () => 0],
    ],
    about: 'hacia|sobre|poco (?:antes|después) de|alrededor de|a eso de',
    afternoon: 'de la (?:tarde|noche)',
  },
}; // prettier-ignore

const LONGEST_NUMBER = 12;
const EXACT = 0;
const ROUNDED = 2 * 60;
const ABOUT = 10 * 60;
const LONGEST_CUE = 24;
const UNIT_WITHIN = 30;

/** `At 10.30`, where the point could also be that of a decimal number. */
const DOTTED =
  /(?<=(?<!\p{L})(?:at|from|until|till|by|um|ab|gegen|bis|o|od|do|godz\.|à|las|vers|hacia) )(?<hour>[01]?\d|2[0-3])\.(?<minute>[0-5]\d)(?![\p{N}%€£$]|[.,]\p{N})/giu;

interface Reader {
  pattern: RegExp;
  read: (hour: number, minute: number) => number;
}
const compiled = new Map<string, { readers: Reader[]; about: RegExp; afternoon: RegExp }>();

function readersOf(language: string, words: SpokenWords) {
  let entry = compiled.get(language);
  if (!entry) {
    const hour = `(?<hour>${words.hours.join('|')}|\\d{1,2})`;
    const minute = `(?<minute>${[...Object.keys(words.minutes), ...words.hours].join('|')}|\\d{1,2})`;
    const readers = words.phrases.map(([phrase, read]): Reader => {
      const source = phrase
        .replace(/(?<![\p{L}\\])H(?!\p{L})/u, hour)
        .replace(/(?<![\p{L}\\])M(?!\p{L})/u, minute);
      return { pattern: new RegExp(`(?<![\\p{L}\\p{N}.,:-])(?:${source})(?![\\p{L}\\p{N}:-])`, 'giu'), read };
    });
    readers.push({ pattern: DOTTED, read: later });
    entry = {
      readers,
      about: new RegExp(`(?<!\\p{L})(?:${words.about})(?: (?:um|o|à|a))? $`, 'iu'),
      afternoon: new RegExp(`^ (?:${words.afternoon})(?!\\p{L})`, 'iu'),
    };
    compiled.set(language, entry);
  }
  return entry;
}

/** Returns the times of day that a text states in words. Linear. */
export function spokenTimes(text: string, language: string | null): SpokenTime[] {
  const words = WORDS[language ?? ''];
  if (!language || !words) return [];
  const { readers, about, afternoon } = readersOf(language, words);
  const found: SpokenTime[] = [];
  for (const { pattern, read } of readers)
    for (const match of text.matchAll(pattern)) {
      const { hour, minute } = match.groups ?? {};
      const at = match.index;
      const end = at + match[0].length;
      const [h, m] = [hourOf(hour, words), minuteOf(minute, words)];
      if (pattern === DOTTED && unitAfter(text.slice(end, end + UNIT_WITHIN))) continue;
      if (h > 24 || m >= HOUR || found.some((one) => at < one.end && end > one.at)) continue;
      const isLater = h <= 12 && afternoon.test(text.slice(end, end + LONGEST_CUE));
      const minutes = (read(h, m) + (isLater ? NOON : 0) + 2 * NOON) % (2 * NOON);
      const isAbout = about.test(text.slice(Math.max(0, at - LONGEST_CUE), at));
      const isRounded = minutes % 15 === 0 && minutes % HOUR !== 0;
      found.push({
        at,
        end,
        seconds: minutes * 60,
        tolerance: isAbout ? ABOUT : isRounded ? ROUNDED : EXACT,
      });
    }
  return found;
}

const numberIn = (word: string, list: string[]): number =>
  list.findIndex((one) => new RegExp(`^(?:${one})$`, 'iu').test(word)) + 1;
const hourOf = (word: string | undefined, { hours }: SpokenWords): number =>
  word === undefined ? 0 : /^\d/.test(word) ? Number(word) : numberIn(word.slice(0, LONGEST_NUMBER), hours);
const minuteOf = (word: string | undefined, { hours, minutes }: SpokenWords): number =>
  word === undefined
    ? 0
    : /^\d/.test(word)
      ? Number(word)
      : (minutes[word.toLowerCase()] ?? numberIn(word, hours));
