import { pairsOf } from '#contracts/text.js';
import { numberOfWord, canonicalUnit } from '#verbatim/source/units-of-measure.js';

/** A figure of a text, in digits or words, with the unit next to it. */
export interface Figure {
  text: string;
  /** Offsets of the figure and the scale behind it, such as ` million`. */
  at: number;
  end: number;
  /** The values that it may have: `1.200` is 1200 or 1.2. */
  values: number[];
  /** 1e6 of `2.6 million`, 1 without a scale. */
  scale: number;
  /** Of each value what its last digit counts, apart from zeros: 1 of `12`, 0.1 of `2.5`, 100 of `1,200`. */
  steps: number[];
  isSpelled: boolean;
  unit: Unit | null;
}

const DIGITS = /(?<![\p{L}\p{N}_])(?:\d{1,3}(?:[ \u00a0\u202f]\d{3})+(?!\d)|\d+(?:[.,'’]\d+)*)/gu;
const SCALES: [RegExp, number][] = [
  [/^[ \u00a0-](?:thousand|tausend|tsd\.?|tys\.?|tysi\p{L}{1,4}|mille|mil)(?!\p{L})/iu, 1e3],
  [/^ ?k(?![\p{L}Ω])/u, 1e3],
  [/^[ \u00a0-]?(?:million\p{L}{0,2}|mio\.?|mln|milion\p{L}{0,2}|millón|millones|mn)(?!\p{L})/iu, 1e6],
  [/^ ?M(?=[ .,;)]|$)/u, 1e6],
  [/^[ \u00a0-]?(?:billion|milliard\p{L}{0,2}|mrd\.?|mld|miliard\p{L}{0,2}|bn)(?!\p{L})/iu, 1e9],
]; // prettier-ignore

/** Returns the figures of a text in order. @param language in which number words are read; English if unknown */
export function figuresIn(text: string, language: string | null): Figure[] {
  const figures = [...inDigits(text), ...inWords(text, language)].sort((a, b) => a.at - b.at);
  // `From 4 to 19 minutes`.
  for (let i = figures.length - 2; i >= 0; i--) {
    const [figure, next] = [figures[i]!, figures[i + 1]!];
    if (figure.unit === null && JOINED.test(text.slice(figure.end, next.at))) figure.unit = next.unit;
  }
  return figures;
}

/** Between two figures that share a unit. */
const JOINED = /^(?: ?[-–—/,] ?| (?:to|and|or|bis|und|oder|do|i|lub|à|et|ou|y|o|a) )$/u;

function inDigits(text: string): Figure[] {
  return Array.from(text.matchAll(DIGITS), ({ 0: digits, index: at }) =>
    figureAt(text, at, at + digits.length, {
      values: valuesOf(digits),
      steps: valuesOf(digits).map((value) => stepOf(value, digits)),
      isSpelled: false,
    }),
  );
}

/** Adds the scale behind a figure, and its unit. */
function figureAt(
  text: string,
  at: number,
  until: number,
  { values, steps, isSpelled }: Pick<Figure, 'values' | 'steps' | 'isSpelled'>,
): Figure {
  const behind = text.slice(until, until + 24);
  const [words, scale] = SCALES.find(([pattern]) => pattern.test(behind)) ?? [];
  const end = until + (words?.exec(behind)?.[0].length ?? 0);
  const factor = scale ?? 1;
  return {
    text: text.slice(at, until),
    at,
    end,
    values: values.map((value) => value * factor),
    scale: factor,
    steps: steps.map((step) => step * factor),
    isSpelled,
    unit: unitBefore(text.slice(Math.max(0, at - 4), at)) ?? unitAfter(text.slice(end, end + 40)),
  };
}

/** Returns the numbers that digits with separators may mean. */
function valuesOf(digits: string): number[] {
  const bare = digits.replace(/[ \u00a0\u202f'’]/g, '');
  const separators = bare.match(/[.,]/g) ?? [];
  if (separators.length === 0) return [Number(bare)];
  const values = new Set<number>();
  if (separators.length === 1) values.add(Number(bare.replace(',', '.')));
  if (/^\d{1,3}([.,])\d{3}(?:\1\d{3})*(?:[.,]\d{1,2})?$/.test(bare))
    values.add(Number(bare.replace(/[.,](?=\d{3})/g, '').replace(',', '.')));
  // A version or a numbered section: `1.2.3`.
  if (values.size === 0) for (const part of bare.split(/[.,]/)) values.add(Number(part));
  return [...values];
}

function stepOf(value: number, digits: string): number {
  const decimals = /[.,](\d+)$/.exec(digits)?.[1]?.length;
  if (decimals !== undefined && value !== Math.trunc(value)) return 10 ** -decimals;
  if (decimals !== undefined && decimals < 3) return 10 ** -decimals;
  let step = 1;
  while (value >= 10 * step && value % (10 * step) === 0) step *= 10;
  return step;
}

interface SpelledWord {
  text: string;
  at: number;
  value: number | null;
}

const AND = /^(?:and|und|i|et|y)$/i;
const PARTS: [RegExp, number][] = [
  [/^[ -](?:thirds|Drittel|trzecie|tiers|tercios)(?!\p{L})/iu, 3],
  [/^[ -](?:quarters|Viertel|czwarte|quarts|cuartos)(?!\p{L})/iu, 4],
  [/^[ -](?:fifths|Fünftel|piąte)(?!\p{L})/iu, 5],
  [/^[ -](?:eighths|Achtel|ósme)(?!\p{L})/iu, 8],
  [/^[ -](?:tenths|Zehntel|dziesiąte)(?!\p{L})/iu, 10],
];
const HALF = /^ (?:and a half|i pół|et demie?|y medi[oa])(?!\p{L})/iu;

/** Combines neighbouring number words: `a hundred and twenty`, `czterdzieści dwa`, `three and a half`. */
function inWords(text: string, language: string | null): Figure[] {
  const words = Array.from(text.matchAll(/\p{L}+/gu), ({ 0: word, index: at }): SpelledWord => ({
    text: word,
    at,
    value: valueOfWord(word, language),
  }));
  const found: Figure[] = [];
  for (let i = 0; i < words.length; i++) {
    const first = words[i] as SpelledWord;
    // A scale after digits, such as `14 million`, belongs to them.
    if (first.value === null || /\d[ \u00a0-]$/.test(text.slice(Math.max(0, first.at - 2), first.at)))
      continue;
    const last = endOfNumber(text, words, i);
    const run = words.slice(i, last + 1).flatMap(({ value }) => value ?? []);
    const end = (words[last] as SpelledWord).at + (words[last] as SpelledWord).text.length;
    const behind = text.slice(end, end + 16);
    const [fraction, parts] = PARTS.find(([pattern]) => pattern.test(behind)) ?? [];
    const tail = (fraction ?? HALF).exec(behind)?.[0].length ?? 0;
    const value = parts ? combined(run) / parts : combined(run) + (tail > 0 ? 0.5 : 0);
    const step = parts ? value / 10 : tail > 0 ? 0.5 : stepOf(value, '');
    const figure = figureAt(text, first.at, end + tail, { values: [value], steps: [step], isSpelled: true });
    const lastValue = run.at(-1) ?? 0;
    // The scale of `two million` is one of its words.
    found.push(run.length > 1 && lastValue >= 1_000 ? { ...figure, scale: lastValue } : figure);
    i = last;
  }
  return found;
}

/** Returns the index of the last word of the number that begins at a word. */
function endOfNumber(text: string, words: SpelledWord[], from: number): number {
  let last = from;
  for (let next = from + 1; next < words.length; next++) {
    const [before, word] = [words[next - 1] as SpelledWord, words[next] as SpelledWord];
    if (!/^[ -]$/.test(text.slice(before.at + before.text.length, word.at))) break;
    const isOne = ONES.test(word.text) && (words[last]?.value ?? 0) >= 20;
    if (isOne) word.value = 1;
    if (word.value !== null) last = next;
    // `A hundred and twenty`, `vingt et un`, but not `between twenty and thirty`.
    else if (
      !AND.test(word.text) ||
      ((words[last]?.value ?? 0) < 100 && !ONES.test(words[next + 1]?.text ?? ''))
    )
      break;
  }
  return last;
}

/** Alone, these words are articles; in `twenty-one` they are a part of the number. */
const ONES = /^(?:one|jeden|un|uno)$/i;
/** German joins the parts of a number: `einundzwanzig`, `zweieinhalb`, `vierjährig`, `dreimal`. */
const GERMAN_TENS = /^(ein|zwei|drei|vier|fünf|sechs|sieben|acht|neun)und(\p{L}+(?:zig|ßig))$/u;
const GERMAN_PART = /^(\p{L}*)(einhalb|einviertel)$/u;
const GERMAN_UNIT = /^(\p{L}{3,16}?)(?:jährig|monatig|wöchig|tägig|stündig|mal)(?:e[mnrs]?)?$/u;

function valueOfWord(word: string, language: string | null): number | null {
  const lower = word.toLowerCase();
  const value = numberWord(lower, language);
  if (value !== null || language !== 'de') return value;
  const [, ones = '', tens = ''] = GERMAN_TENS.exec(lower) ?? [];
  const ten = tens === '' ? null : numberWord(tens, language);
  if (ten !== null) return ten + (ones === 'ein' ? 1 : (numberWord(ones, language) ?? 0));
  const [, whole, part] = GERMAN_PART.exec(lower) ?? [];
  const before = whole === undefined ? null : numberWord(whole, language);
  if (before !== null) return before + (part === 'einhalb' ? 0.5 : 0.25);
  const joined = GERMAN_UNIT.exec(lower)?.[1];
  return joined === undefined ? null : numberWord(joined, language);
}

function combined(run: number[]): number {
  let total = 0;
  let current = 0;
  for (const value of run) {
    if (value >= 1_000) {
      total += Math.max(1, current) * value;
      current = 0;
    } else if (value === 100 && current > 0 && current < 10) current *= 100;
    else current += value;
  }
  return total + current;
}

/** Number words of each language with their values, by ISO 639-1 code. "One" is an article in most languages, so it is absent. */
const NUMBER_WORDS: Record<string, string> = {
  de: 'null:0 zwei:2 drei:3 vier:4 fünf:5 sechs:6 sieben:7 acht:8 neun:9 zehn:10 elf:11 zwölf:12 dreizehn:13 vierzehn:14 fünfzehn:15 sechzehn:16 siebzehn:17 achtzehn:18 neunzehn:19 zwanzig:20 dreißig:30 vierzig:40 fünfzig:50 sechzig:60 siebzig:70 achtzig:80 neunzig:90 hundert:100 tausend:1000 zweimal:2 dreimal:3 zweit:2 dritt:3 viert:4 fünft:5 sechst:6 siebt:7 dutzend:12 zweihundert:200 dreihundert:300 vierhundert:400 fünfhundert:500 sechshundert:600 siebenhundert:700 achthundert:800 neunhundert:900 zweitausend:2000 dreitausend:3000 million:1000000 millionen:1000000 milliarde:1000000000 milliarden:1000000000',
  pl: 'zero:0 dwa:2 dwie:2 dwóch:2 dwoma:2 dwaj:2 dwu:2 trzy:3 trzech:3 trzema:3 trzej:3 cztery:4 czterech:4 czterema:4 pięć:5 pięciu:5 sześć:6 sześciu:6 siedem:7 siedmiu:7 osiem:8 ośmiu:8 dziewięć:9 dziewięciu:9 dziesięć:10 dziesięciu:10 jedenaście:11 jedenastu:11 dwanaście:12 dwunastu:12 trzynaście:13 trzynastu:13 czternaście:14 czternastu:14 piętnaście:15 piętnastu:15 szesnaście:16 szesnastu:16 siedemnaście:17 siedemnastu:17 osiemnaście:18 osiemnastu:18 dziewiętnaście:19 dziewiętnastu:19 dwadzieścia:20 dwudziestu:20 trzydzieści:30 trzydziestu:30 czterdzieści:40 czterdziestu:40 pięćdziesiąt:50 pięćdziesięciu:50 sześćdziesiąt:60 sześćdziesięciu:60 siedemdziesiąt:70 siedemdziesięciu:70 osiemdziesiąt:80 osiemdziesięciu:80 dziewięćdziesiąt:90 dziewięćdziesięciu:90 sto:100 stu:100 dwieście:200 dwustu:200 trzysta:300 trzystu:300 czterysta:400 czterystu:400 pięćset:500 pięciuset:500 sześćset:600 siedemset:700 osiemset:800 dziewięćset:900 tysiąc:1000 tysiące:1000 tysięcy:1000 milion:1000000 miliony:1000000 milionów:1000000 dwukrotnie:2 trzykrotnie:3 pięcioma:5 sześcioma:6 siedmioma:7 ośmioma:8 dziewięcioma:9 dziesięcioma:10 jedenastoma:11 dwunastoma:12',
  fr: 'deux:2 trois:3 quatre:4 cinq:5 six:6 sept:7 huit:8 neuf:9 dix:10 onze:11 douze:12 treize:13 quatorze:14 quinze:15 seize:16 dix-sept:17 dix-huit:18 dix-neuf:19 vingt:20 trente:30 quarante:40 cinquante:50 soixante:60 soixante-dix:70 quatre-vingt:80 quatre-vingts:80 cent:100 cents:100 mille:1000 million:1000000 millions:1000000 douzaine:12 vingtaine:20 trentaine:30 centaine:100',
  es: 'dos:2 tres:3 cuatro:4 cinco:5 seis:6 siete:7 ocho:8 nueve:9 diez:10 once:11 doce:12 trece:13 catorce:14 quince:15 dieciséis:16 diecisiete:17 dieciocho:18 diecinueve:19 veinte:20 veintiuno:21 veintidós:22 veintitrés:23 veinticuatro:24 veinticinco:25 veintiséis:26 veintisiete:27 veintiocho:28 veintinueve:29 treinta:30 cuarenta:40 cincuenta:50 sesenta:60 setenta:70 ochenta:80 noventa:90 cien:100 ciento:100 doscientos:200 doscientas:200 trescientos:300 trescientas:300 cuatrocientos:400 quinientos:500 quinientas:500 seiscientos:600 setecientos:700 ochocientos:800 novecientos:900 mil:1000 millón:1000000 millones:1000000 docena:12 centenar:100',
}; // prettier-ignore

const BY_LANGUAGE = new Map(
  Object.entries(NUMBER_WORDS).map(([language, words]) => [language, new Map(pairsOf(words))]),
);

/** Returns the value of a number word in lower case; null for other words. Unknown languages are read as English. */
function numberWord(word: string, language: string | null): number | null {
  const words = BY_LANGUAGE.get(language ?? '');
  const value = words ? words.get(word) : numberOfWord(word);
  return value === undefined || value === null ? null : Number(value);
}

/** A unit of measure. Figures of one dimension are compared in its base unit. */
interface Unit {
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
function unitAfter(behind: string): Unit | null {
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
function unitBefore(before: string): Unit | null {
  const [, sign = ''] = /(?:^|[^\p{L}])([€£$]|EUR|GBP|USD|PLN|CHF)[ \u00a0]?$/u.exec(before) ?? [];
  return sign === '' ? null : unitOf(sign);
}
