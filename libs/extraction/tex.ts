import { singleSpaced } from '#contracts/text.js';
import { escapeShifted } from './raised.js';

/** Thrown for a part of a formula that TeX does not express. */
export class NotInTexError extends Error {}

/** Characters that TeX reads as commands. Others are written as they are, also Greek letters and operators. */
const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['\\', '\\backslash '],
  ['{', '\\{'],
  ['}', '\\}'],
  ['&', '\\&'],
  ['#', '\\#'],
  ['%', '\\%'],
  ['_', '\\_'],
  ['|', '\\vert '],
  ['‖', '\\Vert '],
  ['~', '\\sim '],
  ['∼', '\\sim '],
  ['\u00a0', '\\ '],
  // Signs that show nothing: application of a function, product, separation, plus.
  ['\u2061', ''],
  ['\u2062', ''],
  ['\u2063', ''],
  ['\u2064', ''],
]);
/** Characters of text that TeX cannot show in our documents, and marks of Markdown that end a formula. */
const IMPOSSIBLE = /[$^\0-\u0008\u000b-\u001f]/;

const FUNCTIONS = new Set(
  'sin cos tan cot sec csc arcsin arccos arctan sinh cosh tanh coth exp ln log lg det dim ker hom deg arg gcd inf sup lim limsup liminf max min Pr'.split(
    ' ',
  ),
);
const ACCENTS: ReadonlyMap<string, string> = new Map(
  [
    ['\u0302 ^ ˆ', 'hat'],
    ['\u0303 ~ ˜ ∼', 'tilde'],
    ['\u0304 \u0305 ¯ ‾ ¯ ―', 'bar'],
    ['\u20d7 → ⃗', 'vec'],
    ['\u20d6 ←', 'overleftarrow'],
    ['\u0307 ˙ .', 'dot'],
    ['\u0308 ¨ ..', 'ddot'],
    ['\u20db ⃛ …', 'dddot'],
    ['\u030c ˇ', 'check'],
    ['\u0306 ˘', 'breve'],
    ['\u0301 ´', 'acute'],
    ['\u0300 `', 'grave'],
    ['\u030a ˚', 'mathring'],
  ].flatMap(([signs = '', name = '']) => signs.split(' ').map((sign): [string, string] => [sign, name])),
);
const LARGE_OPERATORS: ReadonlyMap<string, string> = new Map([
  ['∑', 'sum'],
  ['∏', 'prod'],
  ['∐', 'coprod'],
  ['∫', 'int'],
  ['∬', 'iint'],
  ['∭', 'iiint'],
  ['∮', 'oint'],
  ['⋃', 'bigcup'],
  ['⋂', 'bigcap'],
  ['⋁', 'bigvee'],
  ['⋀', 'bigwedge'],
  ['⨁', 'bigoplus'],
  ['⨂', 'bigotimes'],
  ['⨀', 'bigodot'],
  ['⨄', 'biguplus'],
  ['⨆', 'bigsqcup'],
]);
const DELIMITERS: ReadonlyMap<string, string> = new Map([
  ['', '.'],
  ['(', '('],
  [')', ')'],
  ['[', '['],
  [']', ']'],
  ['/', '/'],
  ['{', '\\{'],
  ['}', '\\}'],
  ['|', '\\vert '],
  ['∣', '\\vert '],
  ['‖', '\\Vert '],
  ['∥', '\\Vert '],
  ['⟨', '\\langle '],
  ['⟩', '\\rangle '],
  ['〈', '\\langle '],
  ['〉', '\\rangle '],
  ['⌈', '\\lceil '],
  ['⌉', '\\rceil '],
  ['⌊', '\\lfloor '],
  ['⌋', '\\rfloor '],
]);

/** Returns signs of a formula as TeX. @throws NotInTexError */
export function texSigns(text: string): string {
  if (IMPOSSIBLE.test(text)) throw new NotInTexError();
  return [...text]
    .map((sign) => ESCAPES.get(sign) ?? sign)
    .join('')
    .replace(/[\t\n\r]+/g, ' ');
}

/** Returns words in a formula as TeX. @throws NotInTexError */
export function texWords(text: string): string {
  if (IMPOSSIBLE.test(text) || /[\\{}~|]/.test(text)) throw new NotInTexError();
  return text === '' ? '' : `\\text{${singleSpaced(text).replace(/[&#%_]/g, '\\$&')}}`;
}

/** Returns a name of several letters, such as a function's. @throws NotInTexError */
export function texName(name: string): string {
  if (FUNCTIONS.has(name)) return `\\${name} `;
  return /^\p{L}[\p{L}\p{N}]+$/u.test(name) ? `\\mathrm{${name}}` : texSigns(name);
}

/** Returns a function that is applied to an argument. @throws NotInTexError */
export const texFunction = (name: string, argument: string): string =>
  FUNCTIONS.has(name) ? `\\${name}{${argument}}` : `\\operatorname{${texSigns(name)}}{${argument}}`;

/** Returns the command of a large operator such as `∑`; null for any other sign. */
export const texOperator = (sign: string): string | null => {
  const name = LARGE_OPERATORS.get(sign);
  return name === undefined ? null : `\\${name}`;
};

/** Returns a base with the sign of an accent above it; null for any other sign. */
export const texAccent = (sign: string, base: string): string | null => {
  const name = ACCENTS.get(sign);
  return name === undefined ? null : `\\${name}{${base}}`;
};

/** Returns a base with subscripts and superscripts; empty ones are left out. */
export const texScripts = (base: string, below: string, above: string): string =>
  (base === '' ? '{}' : base) + (below === '' ? '' : `_{${below}}`) + (above === '' ? '' : `^{${above}}`);

/** Returns a base in braces, unless it is one sign. */
export const texGroup = (base: string): string => (/^(?:[\p{L}\p{N}]|\d+)$/u.test(base) ? base : `{${base}}`);

export const texFraction = (above: string, below: string): string => `\\frac{${above}}{${below}}`;

/** @param degree empty for a square root */
export const texRoot = (radicand: string, degree: string): string =>
  `\\sqrt${degree === '' ? '' : `[${degree}]`}{${radicand}}`;

/** Returns parts between delimiters that grow with them. @throws NotInTexError for a sign that TeX cannot show */
export function texDelimited(
  open: string,
  close: string,
  parts: readonly string[],
  separator: string,
): string {
  const [before, after] = [DELIMITERS.get(open), DELIMITERS.get(close)];
  if (before === undefined || after === undefined)
    return `${texSigns(open)}${parts.join(texSigns(separator))}${texSigns(close)}`;
  return `\\left${before}${parts.join(texSigns(separator))}\\right${after}`;
}

export const texMatrix = (rows: readonly (readonly string[])[]): string =>
  `\\begin{matrix}${rows.map((row) => row.join(' & ')).join(' \\\\ ')}\\end{matrix}`;

export const texLines = (lines: readonly string[]): string =>
  `\\begin{aligned}${lines.join(' \\\\ ')}\\end{aligned}`;

/** Returns the TeX that `make` writes on one line; null if TeX does not express the formula. */
export function texOrNull(make: () => string): string | null {
  try {
    const tex = make().replace(/ {2,}/g, ' ').trim();
    return tex === '' || /\\$/.test(tex) ? null : tex;
  } catch (error) {
    if (error instanceof NotInTexError) return null;
    throw error;
  }
}

/** A formula as TeX and on one line, as a person would type it: `1/2`, `√(a+b)`. */
export interface FormulaText {
  /** Null if our documents cannot show the formula as TeX. */
  tex: string | null;
  plain: string;
}

/** Returns a formula as Markdown for the inside of a line. */
export const formulaMarkdown = ({ tex, plain }: FormulaText): string =>
  tex === null ? escapeShifted(plain) : `$$${tex}$$`;

/** Puts a part that is more than one number or name in brackets. */
const grouped = (text: string): string => (/^[\p{L}\p{N}.,]*$/u.test(text) ? text : `(${text})`);

export const fraction = (above: string, below: string): string => `${grouped(above)}/${grouped(below)}`;

/** @param degree empty for a square root */
export const root = (radicand: string, degree: string): string => `${degree}√${grouped(radicand)}`;
