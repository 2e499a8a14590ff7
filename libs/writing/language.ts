import { franc } from 'franc';
import { withoutNotes } from './sentences.js';

/** ISO 639-3 codes that the detection returns, with the ISO 639-1 codes of a book's profile. */
const CODES = {
  eng: 'en', deu: 'de', pol: 'pl', fra: 'fr', spa: 'es', ita: 'it', por: 'pt', nld: 'nl', swe: 'sv', dan: 'da', nob: 'no',
  fin: 'fi', ces: 'cs', slk: 'sk', ukr: 'uk', rus: 'ru', bul: 'bg', hrv: 'hr', slv: 'sl', ron: 'ro', hun: 'hu', ell: 'el',
  tur: 'tr', lit: 'lt', lvs: 'lv', ekk: 'et', cat: 'ca', arb: 'ar', heb: 'he', hin: 'hi', jpn: 'ja', kor: 'ko', cmn: 'zh',
  vie: 'vi', tha: 'th', ind: 'id',
} as const; // prettier-ignore
/** Characters that are read; more are slower and hardly more reliable. */
const SAMPLE = 3_000;
/** Shorter texts give unreliable results. */
const MIN_DETECTED_LENGTH = 80;

/** Detects the language of a text. @returns its ISO 639-1 code; null if the text is too short or the language unknown */
export function languageOf(text: string): string | null {
  const prose = withoutNotes(proseLines(text.slice(0, 2 * SAMPLE)));
  const code = franc(prose.slice(0, SAMPLE), { only: Object.keys(CODES), minLength: MIN_DETECTED_LENGTH });
  return (CODES as Record<string, string>)[code] ?? null;
}

/** Leaves out the lines of code blocks. */
function proseLines(text: string): string {
  let isCode = false;
  const lines = text.split('\n').filter((line) => {
    const isFence = line.startsWith('```') || line.startsWith('~~~');
    if (isFence) isCode = !isCode;
    return !isCode && !isFence;
  });
  return lines.join('\n');
}

/** Returns whether the detection knows a language, given by its ISO 639-1 code. */
export const isKnownLanguage = (code: string): boolean => (Object.values(CODES) as string[]).includes(code);
