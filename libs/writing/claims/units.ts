import type { Dimension, Unit } from './dimension.js';
import { DEGREES, technicalUnit } from './units-of-technology.js';

/** The dimensions that are measured in units of their own. */
export const MEASURED: readonly Dimension[] = [
  'time',
  'length',
  'area',
  'volume',
  'mass',
  'money',
  'data',
  'frequency',
  'power',
  'energy',
  'voltage',
  'current',
  'charge',
  'resistance',
  'pressure',
  'force',
  'concentration',
  'sound',
  'temperature',
];

const HOUR = 3_600;
export const DAY = 24 * HOUR;
export const YEAR = 365.25 * DAY;

/** Words of each unit in English, German, Polish, French and Spanish, in lower case. */
const UNITS: [Dimension, number, string][] = [
  ['time', 1, 's sec second seconds sekunde sekunden sekunda sekundy sekund seconde secondes segundo segundos'],
  ['time', 60, 'min minute minutes minuten minuta minuty minut minutę minutach minuto minutos'],
  ['time', 15 * 60, 'viertelstunde viertelstunden kwadrans kwadranse kwadransów kwadransy'],
  ['time', HOUR, 'stündig stündige stündigen stündiger stündiges h hr hrs hour hours stunde stunden godzina godziny godzin godzinę godzinie godzinach heure heures hora horas'],
  ['time', DAY, 'tägig tägige tägigen tägiger tägiges day days night nights nacht nächte nächten noc noce nocy nuit nuits noche noches tag tage tagen dzień dni dnia dniach dniami jour jours día días'],
  ['time', 7 * DAY, 'wöchig wöchige wöchigen wöchiger wöchiges week weeks woche wochen tydzień tygodnie tygodni tygodnia tygodniach tygodniu semaine semaines semana semanas'],
  ['time', 14 * DAY, 'fortnight fortnights'],
  ['time', YEAR / 12, 'monatig monatige monatigen monatiger monatiges month months monat monats monate monaten miesiąc miesiące miesięcy miesiąca miesiącach miesiącu mois mes meses'],
  [
    'time',
    YEAR,
    'year years jahr jahre jahren rok lata lat roku latach latami an ans année années año años aged jährig jährige jährigen jähriger jähriges anniversary',
  ],
  ['time', 10 * YEAR, 'decade decades jahrzehnt jahrzehnts jahrzehnte jahrzehnten dekada dekady dekad dekadach dekadę décennie décennies década décadas'],
  ['time', 100 * YEAR, 'century centuries jahrhundert jahrhunderts jahrhunderte jahrhunderten stulecia stuleci siècle siècles siglo siglos'],
  ['length', 0.001, 'mm millimetre millimetres millimeter millimeters millimetern milimetr milimetry milimetrów millimètre millimètres milímetro milímetros'],
  ['length', 0.01, 'cm centimetre centimetres centimeter centimeters zentimeter zentimetern centymetr centymetry centymetrów centimètre centimètres centímetro centímetros'],
  ['length', 1, 'm metre metres meter meters metern metr metry metrów metrach metra metrze mètre mètres metro metros'],
  ['length', 1_000, 'km kilometre kilometres kilometer kilometers kilometern kilometr kilometry kilometrów kilometra kilometrach kilomètre kilomètres kilómetro kilómetros stundenkilometer stundenkilometern kmh'],
  ['length', 0.0254, 'inch inches zoll'],
  ['length', 0.3048, 'ft foot feet fuß'],
  ['length', 0.9144, 'yard yards'],
  ['length', 1_609.34, 'mile miles meile meilen'],
  ['length', 1_852, 'seemeile seemeilen'],
  ['area', 10_000, 'ha hectare hectares hektar hektare hektarów hektary hectárea hectáreas'],
  ['area', 4_046.86, 'acre acres'],
  ['area', 1, 'm² quadratmeter quadratmetern'],
  ['area', 1_000_000, 'km² quadratkilometer quadratkilometern'],
  ['volume', 0.001, 'ml millilitre millilitres milliliter millilitern mililitr mililitrów'],
  ['volume', 1, 'l litre litres liter liters litern litr litry litrów litrach litra litro litros'],
  ['volume', 100, 'hl hectolitre hectolitres hektoliter hektolitern hektolitrów hectolitro hectolitros'],
  ['volume', 1_000, 'm³ kubikmeter kubikmetern kubikmeters'],
  ['mass', 0.001, 'mg milligram milligrams milligramm miligram miligramy miligramów milligrammes'],
  ['mass', 1, 'g gram grams gramme grammes gramm gramy gramów grama gramo gramos'],
  ['mass', 1_000, 'kg kilo kilos kilogram kilograms kilogramm kilogramów kilogramy kilograma kilogramme kilogrammes kilogramo kilogramos'],
  ['mass', 1_000_000, 't ton tons tonne tonnes tonnen tony tona tonę tonach tonelada toneladas'],
  [
    'money',
    1,
    '€ £ $ eur usd gbp pln euro euros pound pounds dollar dollars mark zł złoty złote złotych złotówek franc francs franken pfund funt funty funtów shilling shillings peseta pesetas peso pesos crowns kronen koron',
  ],
  ['money', 0.01, 'ct cent cents pence penny grosz grosze groszy centime centimes céntimo céntimos rappen'],
  ['percent', 1, '% percent prozent proc procent procenta procentach procentu prozentpunkte prozentpunkten'],
  ['times', 1, 'times mal fois veces fold razy'],
]; // prettier-ignore

const BY_WORD = new Map<string, Unit>(
  UNITS.flatMap(([dimension, factor, words]) =>
    words.split(' ').map((word) => [word, { dimension, factor }] as const),
  ),
);

const SQUARE = /^(?:square|kwadratow\p{L}{1,3}|carrés?|cuadrados?)$/u;
const CUBIC = /^(?:cubic|sześcienn\p{L}{1,3}|cubes?|cúbicos?)$/u;
const NAUTICAL = /^(?:nautical|morsk\p{L}{1,4}|marins?|náuticas?)$/u;
const MILE = /^(?:miles?|mila?|milles?|millas?)$/u;
const LINK = /^(?:of|de|d|des|more|mehr|więcej|lang|long)$/u;
const SIGN = /^[ \u00a0\u202f-]?(%|€|£|\$)/u;

/** Returns the unit that follows a figure, as in `30 square kilometres`; null if none is known. */
export function unitAfter(behind: string): Unit | null {
  // `Ninety (90) days`.
  if (behind.startsWith(')')) return unitAfter(behind.slice(1));
  const sign = SIGN.exec(behind);
  if (sign) return BY_WORD.get(sign[1] as string) ?? null;
  if (FOLD.test(behind)) return { dimension: 'times', factor: 1 };
  if (DEGREES.test(behind)) return { dimension: 'temperature', factor: 1 };
  if (DAYS.test(behind)) return { dimension: 'time', factor: DAY };
  const words = Array.from(behind.slice(0, 40).matchAll(/[\p{L}²³]+|[.,;:!?()]/gu), ({ 0: word }) =>
    word.toLowerCase(),
  );
  if (!/^[ \u00a0\u202f’'-]?[\p{L}µ]/u.test(behind)) return null;
  if (
    /^(?:per cent|pour cent|por ciento|percentage points|points?|puntos?|punkt\p{L}{1,3} procent\p{L}{0,5})(?!\p{L})/iu.test(
      words.join(' '),
    )
  )
    return { dimension: 'percent', factor: 1 };
  // In `312 l'ont obtenu` the letter is an article.
  if (/^ ?\p{L}['’]/u.test(behind) && !/^ ?d['’]/iu.test(behind)) return null;
  while (LINK.test(words[0] ?? '')) words.shift();
  const [first = '', second = ''] = words;
  const pair = [first, second];
  if (pair.some((word) => NAUTICAL.test(word)) && pair.some((word) => MILE.test(word)))
    return { dimension: 'length', factor: 1_852 };
  const of = (power: 2 | 3, dimension: Dimension, base: number) => {
    const length = pair.map((word) => BY_WORD.get(word)).find((unit) => unit?.dimension === 'length');
    return length ? { dimension, factor: length.factor ** power * base } : hundredCubed(pair);
  };
  if (pair.some((word) => SQUARE.test(word))) return of(2, 'area', 1);
  if (pair.some((word) => CUBIC.test(word))) return of(3, 'volume', 1_000);
  const [, word = ''] = SYMBOL.exec(behind) ?? [];
  // `mM` are no millimetres.
  const unit = technicalUnit(word);
  return (
    (word === first ? (BY_WORD.get(first) ?? unit) : (unit ?? BY_WORD.get(first))) ?? unitOfCompound(first)
  );
}

/** `Das 1,25-Fache`, `2-fold`. */
const FOLD = /^-?(?:fach\p{L}{0,2}|fold|krotn\p{L}{1,3})(?!\p{L})/iu;
/** `28 d`; in French, `d` is an article. */
const DAYS = /^[ \u00a0\u202f]?d(?![\p{L}’'])/u;
const SYMBOL = /^[ \u00a0\u202f-]?([\p{L}µ²³]{1,24}(?:[- ](?:hours?|stunden?)(?!\p{L}))?)/u;

/** German joins what is measured to the unit: `Arbeitsstunden`. */
function unitOfCompound(word: string): Unit | null {
  const unit = /^\p{L}{3,20}?(stunden?|tagen?|wochen?|monaten?|jahren?|minuten?)$/u.exec(word)?.[1];
  return unit === undefined ? null : (BY_WORD.get(unit) ?? null);
}

/** Reservoirs of Spain are measured in cubic hectometres. */
const hundredCubed = (words: string[]): Unit | null =>
  words.some((word) => word.startsWith('hectómetro')) ? { dimension: 'volume', factor: 1e9 } : null;

/** Returns the unit before a figure, as in `£30`; null if none is known. */
export function unitBefore(before: string): Unit | null {
  const sign = /(€|£|\$)[ \u00a0]?$/u.exec(before.slice(-2));
  return sign ? { dimension: 'money', factor: 1 } : null;
}

/** Returns the units that a text names, with or without a figure. */
export function unitsNamed(text: string): Unit[] {
  const words = Array.from(text.matchAll(/[\p{L}²³]{2,}/gu), ({ 0: word }) => word.toLowerCase());
  const named = words.flatMap((word) => BY_WORD.get(word) ?? []);
  const length = named.find(({ dimension }) => dimension === 'length');
  const isArea = length !== undefined && words.some((word) => SQUARE.test(word));
  return isArea ? [...named, { dimension: 'area', factor: length.factor ** 2 }] : named;
}
