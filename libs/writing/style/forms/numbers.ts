import type { Lexicon } from '../lexicon/lexicon.js';
import { inOrder, matches, type Form } from './form.js';

/** Number of characters before a number that are searched for a word that makes it a code. */
const BEFORE = 24;

/**
 * Returns whether a preceding name makes a number a version or code: `Python 3.11`, `RFC 9457`, `port 5432`.
 */
function isCode(own: string, at: number, lexicon: Lexicon): boolean {
  const before = own.slice(Math.max(0, at - BEFORE), at);
  if (lexicon.label.test(before)) return true;
  const word = /(^|[.!?:\n]\s{0,3}|\s|\()([\p{L}\d.+-]{1,20})[  ]$/u.exec(before);
  if (!word) return /[\p{L}#§_/-]$/u.test(before);
  const isFirst = /[.!?:\n]/.test(word[1]!) || at - before.length + word.index === 0;
  return /\p{L}\p{Lu}/u.test(word[2]!) || (!isFirst && /^\p{Lu}\p{Ll}/u.test(word[2]!));
}

/** Finds decimal marks: `3.5`, `3,5`. */
export function decimals(own: string, lexicon: Lexicon): Form[] {
  const isMeasure = ({ index, 0: { length } }: RegExpExecArray) =>
    !isCode(own, index, lexicon) && !/^[\p{L}_/-]/u.test(own.slice(index + length));
  return inOrder([
    ...matches(own, /(?<![\p{L}\d.,:/_-])(?:0\.\d{1,9}|\d{1,9}\.\d{1,2})(?![.,:/]?\d)/gu, '3.5', isMeasure),
    ...matches(own, /(?<![\p{L}\d.,:/_-])(?:0,\d{1,9}|\d{1,9},\d{1,2})(?![.,:/]?\d)/gu, '3,5', isMeasure),
  ]);
}

/** Finds thousands separators: `1,000`, `1 000`, `1.000`, or none: `1000`. Years and codes are excluded. */
export function thousands(own: string, lexicon: Lexicon): Form[] {
  const isQuantity = ({ index }: RegExpExecArray) => !isCode(own, index, lexicon);
  return inOrder([
    ...matches(own, /(?<![\p{L}\d.,_-])[1-9]\d{0,2}(?:,\d{3}){1,5}(?![\d,])/gu, '1,000', isQuantity),
    ...matches(own, /(?<![\p{L}\d.,_-])[1-9]\d{0,2}(?:[   ]\d{3}){1,5}(?!\d)/gu, '1 000', isQuantity),
    ...matches(own, /(?<![\p{L}\d.,_-])[1-9]\d{0,2}(?:\.\d{3}){1,5}(?![\d.])/gu, '1.000', isQuantity),
    ...matches(own, /(?<![\p{L}\d.,_-])[1-9]\d{0,2}(?:['’]\d{3}){1,5}(?!\d)/gu, "1'000", isQuantity),
    ...matches(
      own,
      /(?<![\p{L}\d.,:/#_-])(?!(?:1[5-9]|20)\d\d(?!\d))[1-9]\d{3,8}(?![\p{L}\d_/-]|[.,:]\d)/gu,
      '1000',
      isQuantity,
    ),
  ]);
}

/** Finds percentages: `5%`, `5 %`, `5 percent`. */
export function percents(own: string): Form[] {
  return inOrder([
    ...matches(own, /\d%/g, '5%'),
    ...matches(own, /\d[   ]%/g, '5 %'),
    ...matches(own, /\d percent(?!\p{L})/giu, '5 percent'),
    ...matches(own, /\d per cent(?!\p{L})/giu, '5 per cent'),
    ...matches(own, /\d proc\.|\d procent(?:a|y|ów)?(?!\p{L})/giu, '5 procent'),
  ]);
}
