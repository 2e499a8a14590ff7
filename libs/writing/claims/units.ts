import { canonicalUnit } from '#verbatim/source/units-of-measure.js';

/** A unit of measure. Figures of one dimension are compared in its base unit. */
export interface Unit {
  dimension: string;
  factor: number;
}

const HOUR = 3_600;
const DAY = 24 * HOUR;
const YEAR = 365.25 * DAY;

/** Dimension, factor and words of each unit. Currencies are dimensions of their own. */
const UNITS: [string, number, string][] = [
  ['time', 1, 's sec second seconds sekunde sekunden sekunda sekundy sekund seconde secondes segundo segundos'],
  ['time', 60, 'min minute minutes minuten minuta minuty minut minutę minutach minuto minutos'],
  ['time', 15 * 60, 'viertelstunde viertelstunden kwadrans kwadranse kwadransów kwadransy'],
  ['time', HOUR, 'stündig stündige stündigen stündiger stündiges h hr hrs hour hours stunde stunden godzina godziny godzin godzinę godzinie godzinach heure heures hora horas'],
  ['time', DAY, 'tägig tägige tägigen tägiger tägiges day days night nights nacht nächte nächten noc noce nocy nuit nuits noche noches tag tage tagen dzień dni dnia dniach dniami jour jours día días'],
  ['time', 7 * DAY, 'wöchig wöchige wöchigen wöchiger wöchiges week weeks woche wochen tydzień tygodnie tygodni tygodnia tygodniach tygodniu semaine semaines semana semanas'],
  ['time', 14 * DAY, 'fortnight fortnights'],
  ['time', YEAR / 12, 'monatig monatige monatigen monatiger monatiges month months monat monats monate monaten miesiąc miesiące miesięcy miesiąca miesiącach miesiącu mois mes meses'],
  ['time', YEAR, 'year years jahr jahre jahren rok lata lat roku latach latami an ans année années año años aged jährig jährige jährigen jähriger jähriges anniversary'],
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
  ['euro', 1, '€ eur euro euros'],
  ['pound', 1, '£ gbp pound pounds pfund funt funty funtów'],
  ['dollar', 1, '$ usd dollar dollars dolar dolary dolarów'],
  ['złoty', 1, 'zł pln złoty złote złotych złotówek'],
  ['franc', 1, 'chf franc francs franken frank franki franków'],
  ['mark', 1, 'mark marks marek'],
  ['shilling', 1, 'shilling shillings'],
  ['krone', 1, 'crowns kronen koron korony'],
  ['cent', 1, 'ct cent cents centów centime centimes céntimo céntimos'],
  ['penny', 1, 'pence penny'],
  ['grosz', 1, 'grosz grosze groszy'],
  ['percent', 1, '% percent prozent proc procent procenta procentach procentu prozentpunkte prozentpunkten'],
  ]; // prettier-ignore

const BY_WORD = new Map(
  UNITS.flatMap(([dimension, factor, words]) =>
    words.split(' ').map((word) => [word, { dimension, factor }] as const),
  ),
);

/** Words between a figure and its unit that change the unit. */
const SQUARE = /^(?:square|kwadratow\p{L}{1,3}|carrés?|cuadrados?)$/u;
const CUBIC = /^(?:cubic|sześcienn\p{L}{1,3}|cubes?|cúbicos?)$/u;
const PER_CENT = /^(?:per cent|pour cent|por ciento|percentage points?)(?!\p{L})/iu;

/** Returns the unit of the words behind a figure, as in `30 km`; null if none is known. */
export function unitAfter(behind: string): Unit | null {
  const text = behind.replace(/^[ \u00a0\u202f-]/u, '');
  if (PER_CENT.test(text)) return BY_WORD.get('%')!;
  const [first = '', second = ''] = text.match(/^[%€£$]|^°[CF]|[\p{L}²³µ]+/gu) ?? [];
  if (!text.startsWith(first)) return null;
  const power =
    SQUARE.test(first) || SQUARE.test(second) ? 2 : CUBIC.test(first) || CUBIC.test(second) ? 3 : 1;
  const unit = unitOf(first) ?? (power > 1 ? unitOf(second) : null);
  if (unit === null || power === 1) return unit;
  if (unit.dimension !== 'length') return null;
  return power === 2
    ? { dimension: 'area', factor: unit.factor ** 2 }
    : { dimension: 'volume', factor: unit.factor ** 3 * 1_000 };
}

function unitOf(word: string): Unit | null {
  const known = BY_WORD.get(word) ?? BY_WORD.get(word.toLowerCase());
  if (known) return known;
  const technical = canonicalUnit(word);
  return technical === null ? null : { dimension: technical, factor: 1 };
}

/** Returns the currency before a figure, as in `£30` or `EUR 30`; null if there is none. */
export function unitBefore(before: string): Unit | null {
  const [, sign = ''] = /(?:^|[^\p{L}])([€£$]|EUR|GBP|USD|PLN|CHF)[ \u00a0]?$/u.exec(before) ?? [];
  return sign === '' ? null : unitOf(sign);
}
