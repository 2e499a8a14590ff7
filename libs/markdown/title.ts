/** A text without letters, or a number with its unit, such as "87 %" or "12,5 kg". */
const QUANTITY = /^[^\p{L}\p{N}]*(?:\p{N}[^\p{L}]*(?:[\p{Script=Latin}\p{Script=Greek}µ]{1,3}[^\p{L}]*)?)?$/u;

/** Returns whether a heading can be the title of a text: it has words, and is no number with its unit. */
export const canBeTitle = (heading: string): boolean => !QUANTITY.test(heading);
