import words from './words.json' with { type: 'json' };

export interface StatedValue {
  kind: 'date' | 'quantity';
  text: string;
  value: string;
  /** Offset in the sentence. */
  at: number;
}

/** Month names in the forms of a date, with their numbers from 1. */
export const MONTH_OF = new Map(
  words.months.flatMap((names, i) => names.split(' ').map((name) => [name, i + 1] as const)),
);
const MONTH = `(${[...MONTH_OF.keys()].sort((x, y) => y.length - x.length).join('|')})`;
const YEAR = '(1[0-9]{3}|20[0-9]{2})';
const PATTERNS: [RegExp, (groups: string[]) => string][] = [
  [/(?<!\d)(\d{4})-(\d{2})-(\d{2})(?!\d)/gu, ([y = '', m = '', d = '']) => `${y}-${m}-${d}`],
  [/(?<![\d.])(\d{1,2})\.(\d{1,2})\.(\d{4})(?!\d)/gu, ([d = '', m = '', y = '']) => iso(y, m, d)],
  [
    new RegExp(`(?<!\\p{N})(\\d{1,2})(?:st|nd|rd|th|\\.)?\\s+${MONTH}\\.?,?\\s+${YEAR}(?!\\p{N})`, 'giu'),
    ([d = '', m = '', y = '']) => iso(y, monthOf(m), d),
  ],
  [
    new RegExp(`(?<!\\p{L})${MONTH}\\.?\\s+(\\d{1,2})(?:st|nd|rd|th)?,?\\s+${YEAR}(?!\\p{N})`, 'giu'),
    ([m = '', d = '', y = '']) => iso(y, monthOf(m), d),
  ],
  [
    new RegExp(`(?<!\\p{L})${MONTH}\\.?,?\\s+${YEAR}(?!\\p{N})`, 'giu'),
    ([m = '', y = '']) => `${y}-${monthOf(m).padStart(2, '0')}`,
  ],
  [
    new RegExp(
      `(?:\\b(?:in|since|by|until|from|of|year|before|after|around|between|and|to|im|seit|bis|roku|w|od|do|en|depuis)\\s+|[(–-]\\s?)${YEAR}(?![\\p{N}\\p{L}%])(?!\\s+\\p{Ll})`,
      'gu',
    ),
    ([y = '']) => y,
  ],
];

/** Returns the dates of a sentence in ISO form, as precise as stated: `1984-05-12`, `1984-05`, `1984`. */
export function dates(sentence: string): StatedValue[] {
  const found: StatedValue[] = [];
  let rest = sentence;
  for (const [pattern, toIso] of PATTERNS) {
    rest = rest.replace(pattern, (text: string, ...groups: unknown[]) => {
      const at = groups.find((group) => typeof group === 'number') as number;
      const parts = groups
        .slice(0, groups.indexOf(at))
        .filter((group) => typeof group === 'string') as string[];
      const lead = /^\D*?(?=\d)/u.exec(text)?.[0] ?? '';
      const bare = parts.length === 1 ? text.slice(lead.length) : text;
      found.push({ kind: 'date', text: bare, value: toIso(parts), at: at + text.length - bare.length });
      return ' '.repeat(text.length);
    });
  }
  return found.sort((a, b) => a.at - b.at);
}

const STARTS_WITH_MONTH = new RegExp(`^\\s*${MONTH}(?!\\p{L})`, 'iu');

/** Returns whether the text starts with the name of a month, as after the day in `3. Mai 1904`. */
export function startsWithMonth(text: string): boolean {
  return STARTS_WITH_MONTH.test(text);
}

const monthOf = (name: string): string => String(MONTH_OF.get(name.toLowerCase()));

function iso(year: string, month: string, day: string): string {
  return `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
}
