/** An ordinal number in a text, such as `third`, `3rd` or `dritte`. */
export interface Ordinal {
  text: string;
  at: number;
  value: number;
}

/** Beginnings of the ordinals from two on, by language. */
const WORDS: Record<string, string> = {
  en: 'second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth',
  de: 'zweite dritte vierte fünfte sechste siebte achte neunte zehnte elfte zwölfte',
  pl: 'drug trzeci czwart piąt szóst siódm ósm dziewiąt dziesiąt jedenast dwunast',
  fr: 'deuxième troisième quatrième cinquième sixième septième huitième neuvième dixième onzième douzième',
  es: 'segund tercer cuart quint sext séptim octav noven décim undécim duodécim',
};
const DIGITS = /(?<![\p{L}\p{N}.,])(\d{1,3})(?:st|nd|rd|th|e|ème|ª|º)(?!\p{L})/gu;

const patterns = new Map(
  Object.entries(WORDS).map(([language, words]) => {
    const stems = words.split(' ');
    return [
      language,
      { stems, pattern: new RegExp(`(?<!\\p{L})(${stems.join('|')})\\p{L}{0,3}(?!\\p{L})`, 'giu') },
    ] as const;
  }),
);

/** Returns the ordinal numbers of a text from two on. Linear. */
export function ordinalsIn(text: string, language: string | null): Ordinal[] {
  const found = Array.from(text.matchAll(DIGITS), (match): Ordinal => ({
    text: match[0],
    at: match.index,
    value: Number(match[1]),
  }));
  const { stems, pattern } = patterns.get(language ?? '') ?? {};
  if (!stems || !pattern) return found;
  for (const match of text.matchAll(pattern))
    found.push({
      text: match[0],
      at: match.index,
      value: stems.indexOf((match[1] as string).toLowerCase()) + 2,
    });
  return found;
}
