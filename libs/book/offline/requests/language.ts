/** Operations that a form of a request can ask for. */
export type RequestName = 'remove' | 'swap' | 'merge' | 'split' | 'rename' | 'move' | 'add';

/** Places to which a chapter can move. */
export const places = ['first', 'last', 'up', 'down', 'before', 'after', 'between'] as const;
export type PlaceName = (typeof places)[number];

/** Words of a language, as alternatives of a regular expression. */
type Words = string;

/**
 * How authors phrase requests in a language.
 *
 * A form is a regular expression with placeholders: `{what}` and `{other}` name chapters, `{title}` is a title and
 * `{quoted}` a title in quotation marks, `{place}` is a place, `{titled}` an optional title of the result.
 */
export interface RequestLanguage {
  /** Courtesies and connectives before a request. */
  opening: Words;
  /** Courtesies after a request. */
  closing: Words;
  /** Verbs with which a further request begins, after "and". */
  verbs: Words;
  forms: [RequestName, string][];
  /** Words between a result and its title, for `{titled}`. */
  called: Words;
  /** "before", "after" and "between" are followed by one or two chapters. */
  places: Record<PlaceName, Words>;
  /** The noun for a chapter, in every form. */
  chapter: Words;
  /** Articles and words before a number. */
  articles: Words;
  numbers: string[];
  /** Stems of "first", "second", …. */
  ordinals: string[];
  endings: Words;
  last: Words;
  /** Words between "chapter" and its subject. */
  about: Words;
  /** Separators of a list of chapters. */
  and: Words;
  /** Separators of the ends of a range. */
  to: Words;
  /** Words after which a subject is not a title: they add a condition or a reason. */
  conditions: Words;
  /** Returns the subject of a chapter as its title. */
  titleOf(subject: string): string;
}

/** The expressions of a language. */
export interface RequestPatterns {
  opening: RegExp;
  closing: RegExp;
  forms: [RequestName, RegExp][];
  places: [PlaceName, RegExp][];
  determiners: RegExp;
  /** "chapter" after a number. */
  noun: RegExp;
  about: RegExp;
  last: RegExp;
  ordinals: RegExp[];
  numbers: string[];
  /** "the last two chapters", with the count before or after. */
  several: RegExp;
  list: RegExp;
  range: RegExp;
  conditions: RegExp;
  titleOf(subject: string): string;
}

const QUOTE = '["“”„«»]';
const whole = (words: Words): RegExp => new RegExp(`^(?:${words})$`, 'iu');

/** Compiles the expressions of a language once. */
export function compileLanguage(language: RequestLanguage): RequestPatterns {
  const { chapter, articles, numbers, ordinals, endings, last } = language;
  const count = `\\d|both|beiden|${numbers.join('|')}`;
  const ordinal = ordinals.map((stem) => `${stem}(?:${endings})`);
  return {
    opening: new RegExp(`^(?:(?:${language.opening}),? )+`, 'iu'),
    closing: new RegExp(`(?:,? (?:${language.closing}))+$`, 'iu'),
    forms: language.forms.map(([name, form]) => [name, whole(filled(form, language))]),
    places: places.map((name) => [name, placePattern(name, language)]),
    determiners: new RegExp(`^(?:(?:${articles}) )?(?:(?:${chapter}) )?(?:(?:${articles}) )?`, 'iu'),
    noun: new RegExp(` (?:${chapter})$`, 'iu'),
    about: new RegExp(`^(?:(?:${language.about}) )?(?:(?:${articles}) )?`, 'iu'),
    last: whole(last),
    ordinals: ordinal.map(whole),
    numbers,
    several: new RegExp(
      `^(?:(?:${articles}) )?(?:(?<before>${count}) )?(?:(?<first>${ordinal[0]})|(?<last>${last}))(?: (?<after>${count}))?(?: (?:${chapter}))?$`,
      'iu',
    ),
    list: new RegExp(`(?:${language.and}|, ?)`, 'iu'),
    range: new RegExp(
      `^(?:(?:${articles}) )?(?:${chapter}) (?:(?:from|von|od) )?(\\d{1,3}) ?(?:${language.to}|-|–) ?(\\d{1,3})$`,
      'iu',
    ),
    conditions: new RegExp(`,? (?:${language.conditions}) `, 'iu'),
    titleOf: (subject) => language.titleOf(subject),
  };
}

/** Fills in the placeholders of a form. */
function filled(form: string, { called, places: named }: RequestLanguage): string {
  const { first, last, up, down, before, after, between } = named;
  const place = `(?<place>(?:${first}|${last}|${up}|${down})|(?:${before}|${after}|${between}) .+?)`;
  const title = `${QUOTE}?(?<title>[^"“”„«»]+?)${QUOTE}?`;
  return form
    .replaceAll('{what}', '(?<what>.+?)')
    .replaceAll('{other}', '(?<other>.+?)')
    .replaceAll('{quoted}', `${QUOTE}(?<title>[^"“”„«»]+)${QUOTE}`)
    .replaceAll('{second}', `${QUOTE}(?<second>[^"“”„«»]+)${QUOTE}`)
    .replaceAll('{titled}', `(?:,? (?:${called}) ${title})?`)
    .replaceAll('{title}', title)
    .replaceAll('{place}', place);
}

function placePattern(name: PlaceName, { places: named, and }: RequestLanguage): RegExp {
  if (name === 'between') return whole(`(?:${named.between}) (?<chapter>.+?)(?:${and})(?<other>.+)`);
  if (name === 'before' || name === 'after') return whole(`(?:${named[name]}) (?<chapter>.+)`);
  return whole(named[name]);
}

/** Returns a subject with a capital letter. */
export const capitalized = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
