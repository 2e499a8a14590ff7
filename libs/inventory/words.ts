import { withoutRadicals } from '#contracts/radicals.js';
import { hasDigit } from '#contracts/text.js';

/** Invisible characters: soft hyphen, zero-width characters, marks of direction, byte order marks. */
const INVISIBLE = /[\u00ad\u034f\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufe00-\ufe0f\ufeff]/g;
const SHIFTED: Record<'^' | '_', string> = {
  '^': '⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁿⁱ',
  _: '₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎',
};
const RAISED = /[⁰¹²³⁴-⁹⁺⁻⁼⁽⁾ⁿⁱ]+/g;
const LOWERED = /[₀-₉₊₋₌₍₎]+/g;
/** Accents as separate characters. */
const SPACING_ACCENTS = /[\u00a8\u00af\u00b4\u00b8\u02c6\u02c7\u02d8-\u02dd] ?/g;
/** Letters without a dot, which some PDFs draw below an accent, and the letters that they are. */
const DOTTED: Record<string, string> = { ı: 'i', ȷ: 'j' };
/** Checked boxes and ticks, which are compared as equal. */
const CHECKED = /[☑☒🗹🗷🗵✓✔]/gu;
/** TeX commands of single characters. The names of functions, such as `\sin`, are words already. */
const COMMANDS: Record<string, string> = {
  ...Object.fromEntries(
    [
      'alpha α beta β gamma γ delta δ epsilon ε varepsilon ε zeta ζ eta η theta θ vartheta θ iota ι kappa κ',
      'lambda λ mu μ nu ν xi ξ pi π varpi π rho ρ varrho ρ sigma σ varsigma ς tau τ upsilon υ phi φ varphi φ chi χ',
      'psi ψ omega ω Gamma Γ Delta Δ Theta Θ Lambda Λ Xi Ξ Pi Π Sigma Σ Upsilon Υ Phi Φ Psi Ψ Omega Ω',
      'sum ∑ prod ∏ int ∫ oint ∮ partial ∂ nabla ∇ infty ∞ pm ± mp ∓ times × div ÷ le ≤ leq ≤ ge ≥ geq ≥ ne ≠ neq ≠',
      'approx ≈ equiv ≡ sim ∼ propto ∝ to → rightarrow → leftarrow ← Rightarrow ⇒ Leftarrow ⇐ leftrightarrow ↔',
      'in ∈ notin ∉ subset ⊂ supset ⊃ subseteq ⊆ cup ∪ cap ∩ emptyset ∅ forall ∀ exists ∃ neg ¬ wedge ∧ vee ∨',
      'ell ℓ hbar ℏ Re ℜ Im ℑ oplus ⊕ otimes ⊗ perp ⊥ angle ∠ sqrt √ degree ° circ ° euro €',
    ]
      .join(' ')
      .split(' ')
      .reduce<[string, string][]>((pairs, each, index, all) => {
        if (index % 2 === 0) pairs.push([each, all[index + 1]!]);
        return pairs;
      }, []),
  ),
};
const COMMAND = /\\([A-Za-z]{1,20})/g;

/** Mark between a word and its superscript or subscript. */
const SHIFT_MARK = /(?<=[\p{L}\p{M}\p{N}])[\^_]\(?(?=[\p{L}\p{N}])/gu;

/** Letters of scripts that run from right to left. */
const TO_LEFT = /[\u0590-\u08ff]/;
const LAM_AND_ALEF = /[\u0622\u0623\u0625\u0627\u0644]{2,}/g;
/** Their vowel marks, which a PDF draws apart from the letters and in any order. */
const MARKS_TO_LEFT = /[\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06ed]/g;

/** Scripts that are written without blanks between words; each character counts as a word. */
const UNSPACED =
  '\\p{sc=Han}\\p{sc=Hira}\\p{sc=Kana}\\p{sc=Thai}\\p{sc=Laoo}\\p{sc=Khmr}\\p{sc=Mymr}\\p{sc=Tibt}';
/** Characters for layout only (bullets, also by their codes in symbol fonts; rulers; shapes), and characters that notations write differently (dots, strokes). */
const LAYOUT =
  '\\u00b7\\u00b4\\u00a8\\u2022\\u2044\\u2212\\u2215\\u2219\\u221a\\u22c5\\u2500-\\u257f\\u25a0-\\u25ff\\u2b1b-\\u2b24\\uf0b7\\uf0a7\\uf0d8\\uf0fc\\uf076';
const LETTERS = `(?:(?![${UNSPACED}])[\\p{L}\\p{M}\\p{N}])+`;
/** Sign and decimal point at the beginning of a number. A hyphen after a letter, a digit or a part of a formula is no sign. */
const SIGN = '(?:(?<![\\p{L}\\p{M}\\p{N}.,}])[-+]?\\.?(?=\\d))?';
/** Returns the pattern of words. A number is a word with its sign and its separators, if there are any. */
const wordPattern = (separators: string, ...more: string[]): RegExp =>
  new RegExp(
    [
      ...more,
      `[${UNSPACED}]\\p{M}*`,
      separators === ''
        ? LETTERS.replace('\\p{N}', '')
        : `${SIGN}${LETTERS}(?:(?<=\\d)[${separators}](?=\\d)${LETTERS})*`,
      `%|(?<!\\$)\\$(?=[ (]?[-+]?\\d)|(?![${LAYOUT}\\x00-\\x7f])[\\p{S}\\p{Co}]`,
    ].join('|'),
    'gu',
  );
// A shifted number, as `^6`, `^{-12}`, `_(2` or `^([1`.
const WORD = wordPattern('.,', '[\\^_][{([]{0,2}[-+]?\\d+');
/** In a PDF, programs see different gaps around signs and commas: the sign is a word, and commas do not count. */
const PDF_WORD = wordPattern('.', '\\u2212', '\\+');
/** In a PDF whose letters run to the left, programs see signs, points and other words on either side of a number. */
const PDF_WORD_TO_LEFT = wordPattern('', '\\p{N}+');
/** Hyphens that are the minus of a number; a file may have a line end before that of an exponent. */
const HYPHEN_MINUS = /(?<![\p{L}\p{M}\p{N}.,])-(?=\.?\d)/gu;
/** Dashes that stand for the minus of a number. */
const MINUS = /[\u2010-\u2014\u2212\ufe63\uff0d](?=\.?\d)/g;
/** Place between an integer and its fraction, which NFKC would join to one number. */
const BEFORE_FRACTION = /(?<=\d)(?=[\u00bc-\u00be\u2150-\u215f\u2189])/g;
/** A raised number next to a lowered one is another number. */
const SHIFTED_DIGITS = /[⁰¹²³⁴-⁹]+|[₀-₉]+/g;

/** Rules for comparing the words of a file with its text. */
export interface WordRules {
  /** False if the file does not mark raised digits, as in a PDF. */
  knowsRaised: boolean;
  /** True where the file draws accents apart from their letters, as some PDFs do; accents do not count then. */
  ignoresAccents?: boolean;
  /** True where letters of a PDF run to the left; signs, points and commas of numbers do not count then. */
  runsToLeft?: boolean;
}

/** Returns whether letters of a text run to the left. */
export const hasLettersToLeft = (text: string): boolean => TO_LEFT.test(text);

/** Returns whether a text has accents apart from their letters. */
export const hasSpacingAccents = (text: string): boolean => text.search(SPACING_ACCENTS) >= 0;

/**
 * Returns the words of plain text as they are compared. White space, ASCII punctuation, bullets and invisible characters do not count.
 * Compatibility forms of characters (NFKC) and TeX commands count as the characters they show. Raised and lowered numbers differ from
 * numbers on the line: `10⁶`, `10^6` and `10^{6}` are `10` and `^6`.
 */
export function wordsOf(text: string, { knowsRaised, ignoresAccents, runsToLeft }: WordRules): string[] {
  const visible = (ignoresAccents ? withoutAccents(text) : text).replace(INVISIBLE, '');
  const marked = (
    knowsRaised
      ? visible.replace(RAISED, (run) => unshifted(run, '^')).replace(LOWERED, (run) => unshifted(run, '_'))
      : visible.replace(SHIFT_MARK, ' ')
  )
    .replace(CHECKED, '☒')
    .replace(COMMAND, (command, name: string) =>
      Object.hasOwn(COMMANDS, name) ? ` ${COMMANDS[name]} ` : command,
    )
    .replace(BEFORE_FRACTION, ' ');
  if (!knowsRaised) return pdfWords(marked, runsToLeft ? PDF_WORD_TO_LEFT : PDF_WORD);
  const words = marked.normalize('NFKC').replace(MINUS, '-').match(WORD) ?? [];
  return words.map((word) => (/^[\^_]./u.test(word) ? word.replace(/^(.)[{([]+/u, '$1') : word));
}

/** Returns the words of a PDF. Raised and lowered characters are words of their own. */
function pdfWords(text: string, pattern: RegExp): string[] {
  const plain = withoutRadicals(text)
    .replaceAll('~~', ' ')
    .replace(SHIFTED_DIGITS, ' $& ')
    .normalize('NFKC')
    .replace(MARKS_TO_LEFT, '');
  const words = plain.replace(HYPHEN_MINUS, '\u2212').match(pattern) ?? [];
  return words.map((word) => (TO_LEFT.test(word) ? inOneOrder(word) : word));
}

/** A PDF draws letters that run to the left in either order. */
function inOneOrder(word: string): string {
  const [own, reverse] = [word, [...word].reverse().join('')].map(withJoinedLetters) as [string, string];
  return reverse < own ? reverse : own;
}

/** Sorts letters that fonts join into one, since a PDF may have them in either order. */
const withJoinedLetters = (word: string): string =>
  word.replace(LAM_AND_ALEF, (letters) => [...letters].sort().join(''));

const withoutAccents = (text: string): string =>
  text
    .replace(SPACING_ACCENTS, '')
    .replace(/[ıȷ]/g, (letter) => DOTTED[letter]!)
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .normalize('NFC');

function unshifted(run: string, mark: '^' | '_'): string {
  const plain = [...run]
    .map((character) => '0123456789+-=()ni'[SHIFTED[mark].indexOf(character)] ?? '')
    .join('');
  return hasDigit(plain) ? ` ${mark}${plain.replace(/^[()=]+/, '')} ` : plain;
}
