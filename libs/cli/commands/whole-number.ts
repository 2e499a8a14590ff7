import { phrase } from '#contracts/phrases/phrase.js';
import { InvalidArgumentError } from 'commander';
import { translate } from '../language.js';

/** Returns a parser of options for whole numbers. @param digits maximum number of digits */
export const wholeNumber =
  (digits: number) =>
  (text: string): number => {
    if (text.length <= digits && /^\d+$/.test(text)) return Number(text);
    throw new InvalidArgumentError(translate(phrase('usage.whole_number')));
  };
