import { englishText, type Phrase } from './phrase.js';

/** A text for people: a phrase, or an English text that has none because it comes from elsewhere. */
export type Detail = Phrase | string;

/** A text as it is stored and sent; without a phrase it comes from elsewhere or from an older release. */
export type Message = { message: string; phrase?: Phrase | undefined };

/** Returns the English text. */
export const textOf = (detail: Detail): string => (typeof detail === 'string' ? detail : englishText(detail));

/** Returns the phrase; undefined if the text has none. */
export const phraseOf = (detail: Detail): Phrase | undefined =>
  typeof detail === 'string' ? undefined : detail;

/** Returns the fields of a text. */
export const messageOf = (detail: Detail): Message =>
  typeof detail === 'string' ? { message: detail } : { message: englishText(detail), phrase: detail };

/** Returns the text of the fields, as a part of another one. */
export const detailOf = ({ message, phrase }: Message): Detail => phrase ?? message;
