import { stems } from '#verbatim/source/stems.js';
import { hardTokens } from '#verbatim/source/tokens.js';
import { isGivenName, isOnlyGivenName } from './given-names.js';

/** Capitalised words that do not name a person, place or organisation: titles, and parts of a book. */
const NO_NAME = new Set(
  (
    'Mr Mrs Ms Mme Mlle Dr Prof Sir Sr Sra Don Doña Señor Señora Monsieur Madame Pan Pani Uncle Aunt Captain Inspector Judge Mayor Bishop King Queen ' +
    'President Minister Professor Doctor Lady Lord Chapter Section Part Figure Table Book Page Appendix Note Kapitel Abschnitt Seite Tabelle ' +
    'Abbildung Rozdział Część Tabela Rysunek God Internet Christmas Easter Celsius Fahrenheit Kelvin Earth Bible'
  ).split(' '),
);

/** How a text and its passages use words. */
export interface WordUse {
  /** Words in lower case: with a capital at the start of a sentence, they are no names. */
  lower: ReadonlySet<string>;
  /** Names behind a given name, an initial or a title. */
  surnames: ReadonlySet<string>;
}

export const wordUseIn = (text: string): WordUse => ({
  lower: new Set(text.match(/(?<![\p{L}\p{N}])\p{Ll}\p{L}+/gu) ?? []),
  surnames: new Set(
    germanWords(text).flatMap(({ text: word, isIntroduced }) => (isIntroduced ? [word] : [])),
  ),
});

/**
 * Returns the names of a sentence. A capital at the start of a sentence shows no name, unless the word is a
 * given name, or a name follows and the text has no such word in lower case. In German, where all nouns have capitals, a name is a given name, follows one, an initial or a title, or is
 * such a name elsewhere; then the word before it belongs to it.
 */
export function namesIn(sentence: string, language: string | null, { lower, surnames }: WordUse): string[] {
  const names = language === 'de' ? germanNames(sentence, surnames) : capitalNames(sentence);
  const [, first = '', next = ''] = OPENING.exec(sentence) ?? [];
  const isName =
    isOnlyGivenName(first) ||
    (names.includes(next) && (isGivenName(first) || (language !== 'de' && !isFunctionWord(first))));
  const opening = isName && !lower.has(first.toLowerCase()) ? [first] : [];
  return joined(
    [...new Set([...opening, ...names])].filter((name) => !NO_NAME.has(name)),
    sentence,
  );
}

/** Joins names that follow each other, as in `National Science Centre`. */
function joined(names: string[], sentence: string): string[] {
  const runs: string[] = [];
  for (const name of names) {
    const run = `${runs.at(-1)} ${name}`;
    if (runs.length > 0 && sentence.includes(run)) runs[runs.length - 1] = run;
    else runs.push(name);
  }
  return runs;
}

/** Short words, and words that carry no content. */
const isFunctionWord = (word: string): boolean => word.length < 4 || stems(word).length === 0;

/** The first words of a sentence: `Ana Ferrer`. */
const OPENING = /^[\s*_"'“„«(]{0,9}(\p{Lu}[\p{L}-]{1,30})(?: (\p{Lu}[\p{L}-]{1,30}))?/u;
/** A surname behind an initial, whose full stop could also end a sentence: `J. Okafor`. */
const AFTER_INITIAL = /(?<!\p{L})\p{Lu}\. (\p{Lu}\p{Ll}{1,30})/gu;

const capitalNames = (sentence: string): string[] => [
  ...hardTokens(sentence).flatMap(({ kind, text }) => (kind === 'name' ? [text] : [])),
  ...Array.from(sentence.matchAll(AFTER_INITIAL), ([, name = '']) => name),
];

const GERMAN_TITLE = /^(?:Herrn?|Frau|Dr|Prof|Professorin|Professor)$/u;

interface GermanWord {
  text: string;
  /** Whether it follows a given name, an initial or a title. */
  isIntroduced: boolean;
  /** Whether nothing but a space is between it and the next word. */
  isBeforeWord: boolean;
}

function germanWords(text: string): GermanWord[] {
  const words = Array.from(text.matchAll(/\p{L}+(?:[-’']\p{L}+)*/gu));
  return words.map(({ 0: word, index: at }, i) => {
    const before = words[i - 1];
    const end = at + word.length;
    const isNext = before !== undefined && /^\.? $/.test(text.slice(before.index + before[0].length, at));
    const isIntroduction = (one: string) =>
      GERMAN_TITLE.test(one) || isOnlyGivenName(one) || /^\p{Lu}$/u.test(one);
    const isCapital = /^\p{Lu}\p{Ll}/u.test(word) && !GERMAN_TITLE.test(word);
    return {
      text: word,
      isIntroduced: isCapital && isNext && isIntroduction(before[0]),
      isBeforeWord: text[end] === ' ' && words[i + 1]?.index === end + 1,
    };
  });
}

function germanNames(sentence: string, surnames: ReadonlySet<string>): string[] {
  const words = germanWords(sentence);
  return words.flatMap(({ text, isIntroduced, isBeforeWord }, i) => {
    if (!/^\p{Lu}\p{Ll}/u.test(text) || GERMAN_TITLE.test(text)) return [];
    const isBeforeName = i > 0 && isBeforeWord && surnames.has(words[i + 1]!.text);
    return isIntroduced || isBeforeName || surnames.has(text) || isOnlyGivenName(text) ? [text] : [];
  });
}
