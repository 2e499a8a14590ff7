import { escapeInline } from '#markdown/escape.js';

/** A formula as TeX and on one line, as a person would type it: `1/2`, `√(a+b)`. */
export interface FormulaText {
  /** Null if our documents cannot show the formula as TeX. */
  tex: string | null;
  plain: string;
}

/** Returns a formula as Markdown for the inside of a line. */
export const formulaMarkdown = ({ tex, plain }: FormulaText): string =>
  tex === null ? escapeInline(plain) : `$$${tex}$$`;

/** Puts a part that is more than one number or name in brackets. */
const grouped = (text: string): string => (/^[\p{L}\p{N}.,]*$/u.test(text) ? text : `(${text})`);

export const fraction = (above: string, below: string): string => `${grouped(above)}/${grouped(below)}`;

/** @param degree empty for a square root */
export const root = (radicand: string, degree: string): string => `${degree}√${grouped(radicand)}`;
