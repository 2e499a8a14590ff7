import type { PersonName } from '#contracts/bibliography-names.js';
import type { Reference } from '#contracts/bibliography.js';

/** Characters that mean something in Hayagriva's texts, and private ones that replace them while it writes. */
const SPECIAL: ReadonlyMap<string, string> = new Map([
  ['{', '\ue000'],
  ['}', '\ue001'],
  ['$', '\ue002'],
  ['\\', '\ue003'],
]);
const PRIVATE = new Map([...SPECIAL].map(([character, replacement]) => [replacement, character]));

const shielded = (text: string): string => text.replace(/[{}$\\]/g, (character) => SPECIAL.get(character)!);

/** Restores the characters that `hayagrivaEntry` replaced. */
export const unshielded = (text: string): string =>
  text.replace(/[\ue000-\ue003]/g, (character) => PRIVATE.get(character)!);

/** Kinds of works whose entries every style fills; `unpublished` and `misc` are empty in some. */
const TYPES: Record<NonNullable<Reference['type']>, string> = {
  article: 'article',
  book: 'book',
  chapter: 'chapter',
  conference: 'article',
  manuscript: 'report',
  report: 'report',
  thesis: 'thesis',
  web: 'web',
  other: 'book',
};
const CONTAINERS: Partial<Record<NonNullable<Reference['type']>, string>> = {
  article: 'periodical',
  chapter: 'anthology',
  conference: 'proceedings',
  web: 'web',
};

/** Returns a reference in the form of Hayagriva, the bibliography reader of Typst. */
export function hayagrivaEntry(reference: Reference): Record<string, unknown> {
  const { authors, editors, issued, publisher, place, edition, pages, url, doi, isbn, language } = reference;
  const type = reference.type ?? (reference.container ? 'article' : reference.url ? 'web' : 'book');
  const container = reference.container ? CONTAINERS[type] : undefined;
  const isArticle = type === 'article' || type === 'conference';
  const published = {
    ...(editors && { editor: editors.map(nameOf) }),
    ...(publisher && {
      publisher: { name: shielded(publisher), ...(place && { location: shielded(place) }) },
    }),
    ...(reference.volume && { volume: shielded(reference.volume) }),
    ...(reference.issue && { issue: shielded(reference.issue) }),
    ...(edition && { edition: shielded(edition) }),
  };
  const numbers = { ...(doi && { doi: shielded(doi) }), ...(isbn && { isbn: shielded(isbn) }) };
  return {
    type: isArticle && container === undefined ? 'report' : TYPES[type],
    title: shielded(reference.title ?? ''),
    ...(authors && { author: authors.map(nameOf) }),
    ...(issued && { date: issued }),
    ...(pages && { 'page-range': shielded(pages) }),
    ...(url && { url: shielded(url) }),
    ...(Object.keys(numbers).length > 0 && { 'serial-number': numbers }),
    ...(language && /^[a-z]{2,3}(-[A-Za-z]{2})?$/.test(language) && { language }),
    ...(container === undefined
      ? published
      : { parent: { type: container, title: shielded(reference.container!), ...published } }),
  };
}

const nameOf = ({ family, given, suffix }: PersonName): Record<string, string> => ({
  name: shielded(family),
  ...(given && { 'given-name': shielded(given) }),
  ...(suffix && { suffix: shielded(suffix) }),
});
