import { franc } from 'franc';

/** Languages with a Snowball stemmer, by the ISO 639-3 code that the detection knows them by. */
const STEMMED = {
  arb: 'ar', hye: 'hy', eus: 'eu', cat: 'ca', ces: 'cs', dan: 'da', nld: 'nl', eng: 'en', epo: 'eo', ekk: 'et', fin: 'fi',
  fra: 'fr', deu: 'de', ell: 'el', hin: 'hi', hun: 'hu', ind: 'id', gle: 'ga', ita: 'it', lit: 'lt', npi: 'ne', nob: 'no',
  pes: 'fa', pol: 'pl', por: 'pt', ron: 'ro', rus: 'ru', srp: 'sr', sot: 'st', spa: 'es', swe: 'sv', tam: 'ta', tur: 'tr',
  ydd: 'yi',
} as const; // prettier-ignore

/** ISO 639-1 codes of the languages whose words are stemmed. */
export const stemmedLanguages = Object.values(STEMMED);
export type StemmedLanguage = (typeof stemmedLanguages)[number];

export const isStemmedLanguage = (code: string): code is StemmedLanguage =>
  (stemmedLanguages as string[]).includes(code);

/** Detected beside them, lest a text in one be taken for its neighbour: their words are found as they stand. */
const UNSTEMMED = [
  'slk',
  'ukr',
  'bel',
  'bul',
  'hrv',
  'slv',
  'lvs',
  'heb',
  'jpn',
  'kor',
  'cmn',
  'tha',
  'vie',
  'urd',
];
const CANDIDATES = [...Object.keys(STEMMED), ...UNSTEMMED];
/** Characters of a sample; more make the detection slower and hardly surer. */
const SAMPLE = 800;
/** Characters below which a guess is worse than none. */
const SHORTEST = 20;

/**
 * The language of a text by its beginning.
 *
 * @returns its ISO 639-1 code if words of it can be stemmed, else null
 */
export function detectLanguage(text: string): StemmedLanguage | null {
  const sample = text.slice(0, SAMPLE);
  const code = franc(sample, { only: CANDIDATES, minLength: SHORTEST });
  return (STEMMED as Record<string, StemmedLanguage>)[code] ?? null;
}

/**
 * The language of a whole source by samples from its beginning, middle and end.
 *
 * @returns `mixed` when they differ, so that each passage has to be asked for itself
 */
export function detectSourceLanguage(text: string): StemmedLanguage | null | 'mixed' {
  if (text.length <= 2 * SAMPLE) return detectLanguage(text);
  const places = [0.02, 0.5, 0.9].map((share) => Math.floor((text.length - SAMPLE) * share));
  const found = new Set(places.map((at) => detectLanguage(text.slice(at, at + SAMPLE))));
  return found.size === 1 ? [...found][0]! : 'mixed';
}
