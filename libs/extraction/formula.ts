/** Writes formulas on one line, as a person would type them: `1/2`, `√(a+b)`. */

/** Puts a part that is more than one number or name in brackets. */
export const grouped = (text: string): string => (/^[\p{L}\p{N}.,]*$/u.test(text) ? text : `(${text})`);

export const fraction = (above: string, below: string): string => `${grouped(above)}/${grouped(below)}`;

/** @param degree empty for a square root */
export const root = (radicand: string, degree: string): string => `${degree}√${grouped(radicand)}`;
