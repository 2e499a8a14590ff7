/** Words of a text, found again in inflected forms (`Jana Kowalskiego`). */
export interface KnownWords {
  has(word: string): boolean;
  /** As `has` for a name: also the people and adjectives of a place, and no other word with the same beginning. */
  hasName(name: string): boolean;
}

const LONGEST_ENDING = 5;

/** Indexes the words of a text. */
export function knownWords(text: string): KnownWords {
  const byStart = new Map<string, Set<string>>();
  for (const word of text.match(/\p{L}{2,}/gu) ?? []) {
    const plain = folded(word);
    const start = plain.slice(0, 2);
    const words = byStart.get(start) ?? new Set();
    byStart.set(start, words.add(plain));
  }
  const hasPart = (part: string) => {
    const plain = folded(part);
    const stem = stemOf(plain);
    const words = byStart.get(plain.slice(0, 2)) ?? new Set<string>();
    if (words.has(plain)) return true;
    return [...words].some(
      (word) =>
        (word.startsWith(stem) &&
          word.length - stem.length <= LONGEST_ENDING &&
          endsAlike(word, plain, stem)) ||
        (word.startsWith(plain) && INFLECTION.test(word.slice(plain.length))),
    );
  };
  const hasNamePart = (part: string) => {
    const plain = folded(part);
    const words = byStart.get(plain.slice(0, 2)) ?? new Set<string>();
    if (words.has(plain)) return true;
    const forms = [plain, ...withoutVowel(plain)];
    return [...words].some((word) =>
      [word, ...withoutVowel(word)].some((one) => forms.some((form) => isFormOfName(one, form))),
    );
  };
  const partsOf = (name: string) => name.split(/[-’'\s]/).filter((part) => part.length > 1);
  return {
    hasName: (name) => partsOf(name).every(hasNamePart),
    has: (name) => partsOf(name).every(hasPart),
  };
}

/** The beginning of a word without its possible ending. */
const stemOf = (word: string): string =>
  word.length > 5 ? word.slice(0, Math.max(4, word.length - 3)) : word.slice(0, Math.max(3, word.length - 1));

/** Short words are alike only if what follows their common beginning is an ending. */
const endsAlike = (word: string, other: string, stem: string): boolean =>
  other.length > 5 || [word, other].every((form) => INFLECTION.test(form.slice(stem.length)));
const INFLECTION = /^(?:|s|es|a|u|e|y|i|o|k|owi|ie|iem|em|om|ami|ach|n|en|er|ego|emu|z|zi|zia|zie)$/u;

/** Returns the word in lower case without diacritics. */
const folded = (word: string): string =>
  word.toLowerCase().replaceAll('ł', 'l').normalize('NFD').replace(/\p{M}/gu, '');

/** Endings of a name in other cases, of the people of a place and of its adjectives, without diacritics. */
const FORM =
  /^(?:|iu|ii|ze|owie|ow|anie|in|innen|ern?s?|erin(?:nen)?|isch\p{L}{0,2}|ish|i?an(?:s|o|a|os|as)?|i?en(?:ne|s|nes)?|ois(?:es?)?|ais(?:es?)?|ese|ites?|en[oa]s?|es[ae]s?|ine|(?:s|c)k(?:i|ie|iej|iego|iemu|a|ich|im|imi|u)|czy(?:k|ka|ni)\p{L}{0,3}|ian(?:in|ka|ie)\p{L}{0,2}|ie[jm]|iego|iemu|ich|imi?|ej|ych|ymi?)$/u;
/** Polish consonants before the ending of the dative: `Danuta`, `Danucie`. */
const SOFTENED: [RegExp, string][] = [
  [/scie$/u, 'st'],
  [/cie$/u, 't'],
  [/dzie$/u, 'd'],
  [/rze$/u, 'r'],
  [/dze$/u, 'g'],
  [/ce$/u, 'k'],
  [/sze$/u, 'ch'],
];
/** Polish names lose the vowel of their last syllable in other cases: `Menzel`, `Menzla`. */
const withoutVowel = (word: string): string[] => {
  const short = word.replace(/i?e(?=[lkcnr]$)/u, '');
  const soft = SOFTENED.find(([ending]) => ending.test(word));
  const stem = soft ? word.replace(soft[0], soft[1]) : word;
  return [short, stem].filter((form) => form !== word && form.length >= LONG_BEGINNING);
};
const isEnding = (text: string): boolean => INFLECTION.test(text) || FORM.test(text);
const LONG_BEGINNING = 4;

/** Returns whether two words without diacritics are forms of one name. */
function isFormOfName(word: string, name: string): boolean {
  let common = 0;
  while (common < word.length && word[common] === name[common]) common++;
  // Polish adjectives of four letters share three: `Nowy Targ`, `w Nowym Targu`.
  const least = Math.min(LONG_BEGINNING, name.length - 2, word.length - 1);
  // The vowel before both endings may belong to them: `Zakopane-go`, `Zakopan-em`.
  for (let stem = common; stem >= Math.max(least, common - 2); stem--)
    if (isEnding(word.slice(stem)) && isEnding(name.slice(stem))) return true;
  return false;
}
