const CODES =
  'en de pl fr es it pt nl sv da no fi cs sk hu ro bg hr sl sr el tr uk ru lt lv et ar he hi ja ko zh'.split(
    ' ',
  );

/** ISO 639 codes by the names of the languages in English, German, Polish and themselves, in lower case. */
const LANGUAGES = new Map(CODES.flatMap((code) => namesOf(code).map((name) => [name, code] as const)));
LANGUAGES.set('holländisch', 'nl').set('holenderski', 'nl').set('holendersku', 'nl');

/** Also in the forms of `in deutscher Sprache`, `po polsku` and `w języku polskim`. */
function namesOf(code: string): string[] {
  const [own, english, german, polish] = [code, 'en', 'de', 'pl'].map((language) =>
    new Intl.DisplayNames([language], { type: 'language' }).of(code)!.toLowerCase(),
  ) as [string, string, string, string];
  const inPolish = polish.endsWith('i') ? [`${polish.slice(0, -1)}u`, `${polish}m`] : [];
  return [own, english, german, `${german}e`, `${german}er`, polish, ...inPolish];
}

const BEFORE = /^(?:in (?:the )?|auf |po |w języku |na język |język |die )/;
const AFTER = / (?:language|sprache)$/;

/** Returns the code of a language by its name, such as `German`, `auf Deutsch` or `po niemiecku`. */
export const languageNamed = (words: string): string | undefined =>
  LANGUAGES.get(words.toLowerCase().replace(BEFORE, '').replace(AFTER, ''));

const NAMES = [...LANGUAGES.keys()].sort((a, b) => b.length - a.length).join('|');
/** What may follow the name, so that `in Polish gardens` names no language. */
const END = '(?: language| sprache)?(?= ?(?:$|[.,;:!?()\\n])| (?:and|with|for|und|mit|für|i|z|dla) )';
const STATED = new RegExp(`\\b(?:in|auf|po|w języku|language:?) (${NAMES})${END}`, 'iu');

/** Returns the language that a sentence names, such as `in Polish` or `auf Deutsch`; undefined if it names none. */
export function statedLanguage(text: string): string | undefined {
  const [, name] = STATED.exec(text) ?? [];
  return name === undefined ? undefined : LANGUAGES.get(name.toLowerCase());
}
