import { wordsIn } from '#contracts/text.js';
import { phrase, type Phrase } from '#contracts/phrases/phrase.js';

const PLACEHOLDER =
  /^(?:untitled(?: book| document)?|un ?named|title|the title|no title|my (?:new )?book|(?:a |the |new )?book|hi|hello|hey|test(?:ing)?|ok(?:ay)?|yes|no|none|n\/?a|tbd|todo|to be (?:decided|determined|done)|unknown|something|whatever|anything|asdf\w*|qwerty\w*|foo|bar|x+|\?+|-+|\.+|finali[sz]e|no idea|(?:i )?don['’]?t know|not sure|bez tytułu|brak|(?:moja |nowa )?książka|tytuł|nie wiem|tak|nie|ohne titel|titel|(?:mein |das |ein |neues )?buch|keine ahnung|(?:ich )?weiß (?:es )?(?:noch )?nicht|ja|nein|sans titre)$/iu;
const SMALL = new Set(
  'a an the of and or in on for to with at by from is der die das und le la les de i w z na'.split(' '),
);

/** Removes full stops and exclamation marks at the end of a sentence. */
export function withoutFinalMarks(text: string): string {
  let end = text.length;
  while (end > 0 && '.!'.includes(text[end - 1]!)) end -= 1;
  return text.slice(0, end);
}

/** Returns whether a text is a placeholder instead of a value. */
export const isPlaceholder = (text: string): boolean => PLACEHOLDER.test(withoutFinalMarks(text.trim()));

/** Explains to the author why a text is not a title of a book; null if it is one (B17). */
export function titleProblem(title: string): Phrase | null {
  const text = withoutFinalMarks(title.trim());
  if (isPlaceholder(text)) return phrase('book_title.placeholder', { title: text });
  if ((text.match(/\p{L}/gu) ?? []).length < 2) return phrase('book_title.no_word');
  return null;
}

/**
 * Returns whether a title is based on the author's words: each of its significant words must occur there in
 * some form (B17).
 */
export function isGrounded(title: string, authorWords: string): boolean {
  const authorWordList = wordsOf(authorWords);
  const words = wordsOf(title).filter((word) => !SMALL.has(word));
  return (
    words.length > 0 && words.every((word) => authorWordList.some((other) => other.startsWith(stemOf(word))))
  );
}

const wordsOf = (text: string): string[] => wordsIn(text.toLowerCase());
const stemOf = (word: string): string => word.slice(0, Math.max(4, word.length - 2));
