import { countriesOf } from './countries.js';

/** Abbreviations of offices and terms that belong to the language, so that a text may use them for the term itself. */
const TERMS = new Set(
  (
    'CEO CFO COO CTO CIO HR PR IT AI KI TV DVD CD PC SUV GP ID PIN FAQ Q&A EBIT EBITDA GDP BIP PKB VAT IPO ROI KPI AGM ' +
    'BC AD BCE CE UTC GMT CET SI DNA DNS RNA CO UV LED GPS PDF USB ATM ADHD BMI ICU ER MRI CT PhD MBA BA MA MP MEP NGO VIP DIY WM EM DM PS PLZ AG GmbH UNO NATO'
  ).split(' '),
);

/** ISO codes and short names of currencies, with the beginnings of their names and their signs. */
const CURRENCIES: [RegExp, RegExp][] = [
  [/^(?:USD?|CAD|AUD)$/u, /dollar|dólar|dolar|\$/iu],
  [/^EUR$/u, /euro|€/iu],
  [/^GBP$/u, /pound|pfund|funt|£/iu],
  [/^PLN$/u, /zł/iu],
  [/^CHF$/u, /fran[ckq]/iu],
  [/^(?:NOK|SEK|DKK|CZK|ISK)$/u, /kron|crown|kč/iu],
  [/^(?:KES|TZS|UGX)$/u, /shilling/iu],
  [/^(?:JPY|CNY|INR|HUF)$/u, /yen|yuan|rupee|rupie|forint/iu],
];

const SHORT_WORDS =
  '(?:(?:of|for|the|and|to|in|on|der|die|das|des|für|und|im|w|i|do|ds|de|du|la|del|y|et) ){0,2}';
const LONG_COMPOUND = 8;

/** Returns whether an abbreviation stands for words of a text: `WHO` for `World Health Organization`. */
export function abbreviates(acronym: string, text: string, countries: ReadonlySet<number>): boolean {
  if (TERMS.has(acronym)) return true;
  if (countriesOf(acronym).some((country) => countries.has(country))) return true;
  if (CURRENCIES.some(([code, name]) => code.test(acronym) && name.test(text))) return true;
  return /^\p{Lu}{2,7}$/u.test(acronym) && hasInitials(acronym, text);
}

/** Returns whether neighbouring words begin with the letters, or the parts of a German compound may. */
function hasInitials(acronym: string, text: string): boolean {
  const letters = Array.from(acronym);
  const words = letters.map((letter) => `${letter}\\p{L}{1,24}`).join(`[ -]${SHORT_WORDS}`);
  if (new RegExp(`(?<!\\p{L})${words}(?!\\p{L})`, 'iu').test(text)) return true;
  if (letters.length < 3) return false;
  const [first, ...rest] = letters;
  return (text.match(/\p{Lu}\p{Ll}{7,40}/gu) ?? []).some((word) => {
    let from = 1;
    const plain = word.toUpperCase();
    if (word.length < LONG_COMPOUND || plain.charAt(0) !== first) return false;
    return rest.every((letter) => (from = plain.indexOf(letter, from) + 1) > 0);
  });
}
