import { numberOfWord } from '#verbatim/source/units-of-measure.js';
import type { ClaimLexicon } from './lexicon-form.js';

/** A share of a whole, such as `two thirds` or `one in four`, or a multiple, such as `doubled`. */
export interface Share {
  text: string;
  at: number;
  /** Null if the share has no figure, as `most of the`. */
  value: number | null;
  kind: 'share' | 'times';
}

interface ShareWords {
  /** Numerators that are no number words, such as `a`. */
  one: string;
  /** Words of each denominator. */
  parts: Record<number, string>;
  /** `{n} in {m}`, `every {m}`. The groups are the numerator and the denominator. */
  ratio: RegExp[];
  /** Words for a half and what must follow it. */
  half: RegExp;
  /** Ordinal number words of `every third`. */
  every?: RegExp;
  times: [RegExp, number][];
}

const WORDS: Record<string, ShareWords> = {
  en: {
    one: 'a one',
    parts: { 2: 'halves', 3: 'third thirds', 4: 'quarter quarters', 5: 'fifth fifths', 6: 'sixth sixths', 7: 'sevenths', 8: 'eighth eighths', 10: 'tenth tenths' },
    ratio: [/(?<![\p{L}\p{N}])([\p{L}\d]{1,12}) (?:\p{L}{2,14} (?=out of))?(?:in|out of|of|in every|out of every|of every) ([\p{L}\d]{1,12})(?![\p{L}\p{N}])/giu,
      /(?<![\p{L}\p{N}])(one) (?:\p{L}{2,14} ){1,3}in ([\p{L}\d]{1,12})(?![\p{L}\p{N}])/giu],
    half: /(?<!\p{L}|and a )(?:half of (?:it|them|these|those|that|this)|(?<=(?:about|around|roughly|nearly|almost) )half(?= (?!past|way|time)\p{Ll}{3})|half (?:of )?(?:the|its|their|all|his|her)(?= (?!time|day|morning|way|story|year|hour))|by half|half as|half(?= (?:pay|wages|price|fare|board|rations))|in equal (?:parts|shares)|equally between)(?!\p{L})/giu,
    times: [
      [/(?<!\p{L})(?:doubl(?:es?|ed|ing)|twice (?:as|the)|double the|twofold)(?!\p{L})/giu, 2],
      [/(?<!\p{L})(?:tripl(?:es?|ed|ing)|trebl(?:es?|ed)|threefold)(?!\p{L})/giu, 3],
      [/(?<!\p{L})(?:quadrupl(?:es?|ed)|fourfold)(?!\p{L})/giu, 4],
      [/(?<!\p{L})(?:halv(?:es?|ed|ing))(?!\p{L})/giu, 0.5],
    ],
  },
  de: {
    one: 'ein einem einen eines einer',
    parts: { 3: 'drittel dritteln', 4: 'viertel vierteln', 5: 'fünftel fünfteln', 6: 'sechstel', 7: 'siebtel', 8: 'achtel', 10: 'zehntel' },
    ratio: [/(?<![\p{L}\p{N}])([\p{L}\d]{1,12}) von ([\p{L}\d]{1,12})(?![\p{L}\p{N}])/giu],
    half: /(?<!\p{L})(?:(?:die|der|zur) Hälfte|zu gleichen Teilen|(?:die|das|der|den|dem) halbe[nrms]?(?= (?!Stunde|Jahr|Nacht|Meter|Million)))(?!\p{L})/giu,
    every: /(?<!\p{L})jede[rsnm]? (zweite|dritte|vierte|fünfte|zehnte)[nrs]?(?!\p{L})/giu,
    times: [
      [/(?<!\p{L})(?:verdoppel\p{L}{1,3}|doppelt so|das Doppelte)(?!\p{L})/giu, 2],
      [/(?<!\p{L})(?:verdreifach\p{L}{1,3}|das Dreifache)(?!\p{L})/giu, 3],
      [/(?<!\p{L})(?:vervierfach\p{L}{1,3}|das Vierfache)(?!\p{L})/giu, 4],
      [/(?<!\p{L})(?:halbier\p{L}{1,3}|halb so)(?!\p{L})/giu, 0.5],
    ],
  },
  pl: {
    one: 'jedna jedną jednej',
    parts: { 3: 'trzecia trzecią trzeciej trzecie trzecich', 4: 'czwarta czwartą czwartej czwarte czwartych', 5: 'piąta piątą piątej piąte piątych', 6: 'szósta szóstą', 8: 'ósma ósmą', 10: 'dziesiąta dziesiątą dziesiąte' },
    ratio: [/(?<![\p{L}\p{N}])([\p{L}\d]{1,16}) (?:z|ze|na) ([\p{L}\d]{1,16})(?![\p{L}\p{N}])/giu],
    half: /(?<!\p{L})(?:połow[aęyą] (?!(?:stycznia|lutego|marca|kwietnia|maja|czerwca|lipca|sierpnia|września|października|listopada|grudnia)(?!\p{L}))(?=\p{L}{3})|o połowę(?!\p{L})|(?<!(?:dwa|dwie|trzy|cztery|pięć|sześć|siedem|osiem|dziewięć|dziesięć|\d) i )pół(?= (?!tysi|mili)\p{L}{4})|połowie (?!(?:[IVX]{1,5}|\d{1,4}|lat|drogi|roku|wieku|\p{L}{4,12}a)(?!\p{L}))(?=\p{L}{3}))/giu,
    every: /(?<!\p{L})co (drug|trzec|czwart|piąt|dziesiąt)\p{L}{1,4}(?!\p{L})/giu,
    times: [
      [/(?<!\p{L})(?:podwoi\p{L}{1,4}|podwójn\p{L}{1,3}|podwojeni\p{L}{1,2}|(?:dwa razy|dwukrotnie)(?= więcej| wyż| więk| droż| tyle))(?!\p{L})/giu, 2],
      [/(?<!\p{L})(?:potroi\p{L}{1,4})(?!\p{L})/giu, 3],
      [/(?<!\p{L})(?:czterokrotnie)(?!\p{L})/giu, 4],
    ],
  },
  fr: {
    one: 'un une',
    parts: { 3: 'tiers', 4: 'quart quarts', 5: 'cinquième cinquièmes', 6: 'sixième', 8: 'huitième', 10: 'dixième dixièmes' },
    ratio: [/(?<![\p{L}\p{N}])([\p{L}\d]{1,12}) (?:[\p{L}]{3,20} )?sur ([\p{L}\d]{1,12})(?![\p{L}\p{N}])/giu],
    half: /(?<!\p{L})(?:la moitié|de moitié|par deux|à parts égales)(?!\p{L})/giu,
    times: [
      [/(?<!\p{L})(?:doubl(?:é|a|er|ait|ent|èrent)|le double)(?!\p{L})/giu, 2],
      [/(?<!\p{L})(?:tripl(?:é|a|er|ait|ent|èrent)|le triple)(?!\p{L})/giu, 3],
      [/(?<!\p{L})(?:quadrupl(?:é|a|er|ait|ent|èrent))(?!\p{L})/giu, 4],
    ],
  },
  es: {
    one: 'un una la',
    parts: { 3: 'tercio tercios', 4: 'cuartos', 5: 'quinto quintos', 8: 'octavos', 10: 'décimo décimos' },
    ratio: [/(?<![\p{L}\p{N}])(?:(uno|una|un) [\p{L}]{3,20}|([\p{L}\d]{1,12})) de cada ([\p{L}\d]{1,12})(?![\p{L}\p{N}])/giu],
    half: /(?<!\p{L})(?:la mitad|a partes iguales)(?!\p{L})/giu,
    times: [
      [/(?<!\p{L})(?:duplic(?:ó|aron|ado|ada|arse)|dobl(?:ó|aron|ado)|el doble)(?!\p{L})/giu, 2],
      [/(?<!\p{L})(?:triplic(?:ó|aron|ado|ada|arse)|el triple)(?!\p{L})/giu, 3],
      [/(?<!\p{L})(?:cuadruplic(?:ó|aron|ado|ada|arse))(?!\p{L})/giu, 4],
    ],
  },
}; // prettier-ignore
const PARTES =
  /(?<!\p{L})([\p{L}]{2,12}) (terceras?|cuartas?|quintas?|sextas?|octavas?|décimas?) partes?(?!\p{L})/giu;
const PARTE: Record<string, number> = { terc: 3, cuar: 4, quin: 5, sext: 6, octa: 8, déci: 10 };
const EVERY: Record<string, number> = {
  zweite: 2, dritte: 3, vierte: 4, fünfte: 5, zehnte: 10, drug: 2, trzec: 3, czwart: 4, piąt: 5, dziesiąt: 10,
}; // prettier-ignore
const MAJORITY =
  /(?<!\p{L})(?:the majority|most) (?:of )?(?:the|its|their|all|his|her)(?= (?!time|day|way|story|part))(?!\p{L})|(?<!\p{L})(?:la plupart|la majorité|la mayoría|la mayor parte) de(?:s|l|)(?!\p{L})/giu;

/** Returns the shares and multiples that a text states, in the languages with a lexicon. Linear. */
export function sharesIn(
  text: string,
  language: string | null,
  lexicon: Pick<ClaimLexicon, 'numbers'>,
): Share[] {
  const words = WORDS[language ?? ''];
  if (!words) return [];
  const number = (word: string | undefined): number | null => valueOf(word, words, lexicon);
  const found: Share[] = [...inParts(text, words, number)];
  const add = (
    pattern: RegExp,
    read: (groups: string[]) => number | null | undefined,
    kind: Share['kind'] = 'share',
  ) => {
    for (const match of text.matchAll(pattern)) {
      const value = read(match.slice(1).filter((group) => group !== undefined));
      if (value !== undefined) found.push({ text: match[0], at: match.index, value, kind });
    }
  };
  for (const pattern of words.ratio)
    add(pattern, ([from, to]) => {
      const [part, whole] = [number(from), number(to)];
      return part !== null && whole !== null && part < whole && whole <= 100 ? part / whole : undefined;
    });
  add(words.half, () => 0.5);
  if (words.every) add(words.every, ([ordinal = '']) => 1 / (EVERY[ordinal.toLowerCase()] ?? 1));
  if (language === 'es')
    add(PARTES, ([count, part = '']) => {
      const value = number(count);
      return value === null ? undefined : value / (PARTE[part.slice(0, 4).toLowerCase()] ?? 1);
    });
  for (const [pattern, value] of words.times) add(pattern, () => value, 'times');
  add(MAJORITY, () => null);
  return found
    .sort((a, b) => a.at - b.at)
    .filter(({ at }, i, all) => all.findIndex((one) => one.at === at) === i);
}

/** Finds a numerator and a denominator: `two thirds`, `a quarter of`. */
function* inParts(
  text: string,
  { parts, one }: ShareWords,
  number: (word: string) => number | null,
): Generator<Share> {
  const denominators = new Map(
    Object.entries(parts).flatMap(([value, words]) =>
      words.split(' ').map((word) => [word, Number(value)] as const),
    ),
  );
  const words = Array.from(text.matchAll(/[\p{L}\p{N}]+/gu));
  for (const [i, match] of words.entries()) {
    const before = words[i - 1];
    const denominator = denominators.get(match[0].toLowerCase());
    const end = match.index + match[0].length;
    if (!before || denominator === undefined) continue;
    const numerator = number(before[0]);
    const isPair = /^[ -]$/.test(text.slice(before.index + before[0].length, match.index));
    if (!isPair || numerator === null || numerator >= denominator) continue;
    // `Two and three quarters` is one figure.
    const beforeAnd = words[i - 3];
    if (AND.test(words[i - 2]?.[0] ?? '') && beforeAnd && number(beforeAnd[0]) !== null) continue;
    if (ROOMS.test(match[0]) && !/^ (?:de|partes)/u.test(text.slice(end, end + 7))) continue;
    const isArticle = one.split(' ').includes(before[0].toLowerCase());
    const isOrdinal = isArticle && ORDINAL_TOO.test(match[0]);
    if (isOrdinal && !AS_SHARE.test(text.slice(end, end + 10))) continue;
    yield {
      text: text.slice(before.index, end),
      at: before.index,
      value: numerator / denominator,
      kind: 'share',
    };
  }
}

const AND = /^(?:and|und|i|et|y)$/iu;
/** Spanish quarters that are rooms without `of`. */
const ROOMS = /^cuartos$/iu;
/** Behind a share that could also be an ordinal: `by a third because`. */
const AS_SHARE =
  /^(?: (?:of|the|as|because|since|in|to|from|on|and|or|who|which|are|were|is|was|had|have|between|within|over|than)(?!\p{L})|[.,;:)]|$)/u;
/** English denominators that are also ordinal numbers. */
const ORDINAL_TOO = /^(?:third|quarter|fifth|sixth|eighth|tenth)$/i;

function valueOf(
  word: string | undefined,
  { one }: ShareWords,
  { numbers }: Pick<ClaimLexicon, 'numbers'>,
): number | null {
  if (word === undefined) return null;
  const lower = word.toLowerCase();
  if (/^\d+$/.test(word)) return Number(word);
  if (lower === 'one' || lower === 'uno' || lower === 'eine' || one.split(' ').includes(lower)) return 1;
  const value = numbers.get(lower) ?? (numbers.size === 0 ? numberOfWord(lower) : null);
  return value === null ? null : Number(value);
}
