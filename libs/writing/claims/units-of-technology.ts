import type { Dimension, Unit } from './dimension.js';

/** Symbols, and beginnings of words with the endings of English, German, Polish, French and Spanish. */
const BASES: [Dimension, number, string, string][] = [
  ['data', 1, 'B', 'bytes?|bajt(?:a|y|ów|ach)?|octets?'],
  ['data', 1 / 8, 'bit|b', 'bits?|bit(?:a|y|ów|ach)'],
  ['frequency', 1, 'Hz', 'hertz|herc(?:a|e|ów|ach)?|hercios?'],
  ['power', 1, 'W|VA', 'watts?|wat(?:a|y|ów|ach)?|vatios?'],
  ['energy', 3_600, 'Wh', 'watt ?-?(?:hours?|stunden?|heures?)|watogodzin(?:a|y|ach)?'],
  ['energy', 1, 'J', 'joules?|dżul(?:a|e|i)?|julios?'],
  ['voltage', 1, 'V', 'volts?|wolt(?:a|y|ów|ach)?|voltios?'],
  ['current', 1, 'A', 'amp(?:ere|ère)?s?|amper(?:a|y|ów|ach)?|amperios?'],
  ['charge', 1, 'Ah', 'amp(?:ere)? ?-?(?:hours?|stunden?)|amperogodzin(?:a|y|ach)?'],
  ['resistance', 1, 'Ω|Ohm|ohm', 'ohms?|om(?:a|y|ów|ach)|ohmios?'],
  ['pressure', 1, 'Pa', 'pascals?|paskal(?:a|e|i)?|pascales'],
  ['pressure', 100_000, 'bar', 'bars?|bar(?:a|y|ów|ach|ze)|bares'],
  ['force', 1, 'N', 'newtons?|niuton(?:a|y|ów|ach)?'],
  ['concentration', 1, 'M', 'molar(?:e[nrs]?)?'],
  ['sound', 1, 'dB', 'decibels?|dezibel|decybel(?:a|e|i)?|décibels?|decibelios?'],
  ['time', 1, 's', 'seconds?|sekunden?|sekund[yaę]?|secondes?|segundos?'],
  ['length', 1, 'm', 'met(?:re|er)s?|metr(?:y|ów|ach|a)?|mètres?|metros?'],
  ['mass', 1, 'g', 'gram(?:me|m|o)?s?|gram(?:a|y|ów|ach)'],
  ['volume', 1, 'l|L', 'lit(?:re|er)s?|litr(?:y|ów|ach|a)?'],
];

const PREFIXES: [number, string, string][] = [
  [1e-9, 'n', 'nano'],
  [1e-6, 'µ|μ', 'micro|mikro'],
  [1e-3, 'm', 'milli|mili'],
  [1e-2, 'c', 'centi|zenti|centy'],
  [1e2, 'h', 'hecto|hekto'],
  [1e3, 'k|K', 'kilo?'],
  [1e6, 'M', 'mega?'],
  [1e9, 'G', 'giga'],
  [1e12, 'T', 'tera'],
];

interface Reader {
  pattern: RegExp;
  unit: Unit;
}

const readers: Reader[] = BASES.flatMap(([dimension, size, symbols, words]) =>
  [[1, '', ''] as const, ...PREFIXES].flatMap(([factor, symbol, word]): Reader[] => [
    // `M` alone stands for millions.
    ...(dimension === 'concentration' && symbol === ''
      ? []
      : [
          {
            pattern: new RegExp(`^(?:${symbol})(?:${symbols})$`, 'u'),
            unit: { dimension, factor: size * factor },
          },
        ]),
    {
      pattern: new RegExp(`^(?:${word})(?:${words})$`, 'iu'),
      unit: { dimension, factor: size * factor },
    },
  ]),
);

const LONGEST = 24;
const found = new Map<string, Unit | null>();
const MOST_REMEMBERED = 2_000;

/** Returns the unit of a symbol or word as written, such as `kHz`, `Megabyte` or `°C`; null if it is none. */
export function technicalUnit(word: string): Unit | null {
  if (word.length > LONGEST) return null;
  let unit = found.get(word);
  if (unit === undefined) {
    unit = readers.find(({ pattern }) => pattern.test(word))?.unit ?? null;
    if (found.size < MOST_REMEMBERED) found.set(word, unit);
  }
  return unit;
}

/** Behind a figure: `°C`, `degrees`, `435 C`. */
export const DEGREES =
  /^[ \u00a0\u202f]?(?:°|C(?![\p{L}\p{N}])|(?:degrees?|grad(?:en)?|stopni\p{L}{0,3}|stopień|degrés?|grados?)(?!\p{L}))(?! ?(?:[NSEWO](?!\p{L})|north|south|east|west|nörd|süd|öst|west|szer|dług|nord|sud|est|ouest|norte|sur|este|oeste|latitude|longitude))/iu;
