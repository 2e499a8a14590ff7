import de from './words/de.json' with { type: 'json' };
import en from './words/en.json' with { type: 'json' };
import pl from './words/pl.json' with { type: 'json' };
import { wordsOf as wordsIn } from './names.js';

/** What is counted of a kind of material, such as `table`; `block` stands for code, logs, messages and the like. */
export type Counted = keyof (typeof en)['kinds'];

/** Words with which a document of one language speaks about its parts, in lower case. */
export interface Vocabulary {
  /** Articles, prepositions, conjunctions and other words without content; no negations. */
  function: ReadonlySet<string>;
  /** Verbs that present material: "follows", "shows". */
  presenting: ReadonlySet<string>;
  /** Kinds of material: "log", "tables". */
  kinds: ReadonlyMap<string, Counted>;
  /** Kinds that a number or letter may follow: "Chapter 3". */
  numbered: ReadonlySet<string>;
  numbers: ReadonlyMap<string, number>;
}

const wordsOf = (rows: readonly string[]) => rows.flatMap((row) => row.split(' '));

const FILES = [en, de, pl];

export const VOCABULARIES: readonly Vocabulary[] = FILES.map((file) => ({
  function: new Set(wordsOf(file.function)),
  presenting: new Set(wordsOf(file.presenting)),
  kinds: new Map(
    Object.entries(file.kinds).flatMap(([counted, rows]) =>
      wordsOf(rows).map((word) => [word, counted as Counted] as const),
    ),
  ),
  numbered: new Set(wordsOf(file.numbered)),
  numbers: new Map(Object.entries(file.numbers)),
}));

/** Headings that any document may have, of all languages. */
export const COMMON_HEADINGS: readonly string[] = FILES.flatMap((file) => file.headings);

/** Headings of the zones in which a document may speak for itself. */
export const ZONE_HEADINGS: ReadonlySet<string> = new Set(FILES.flatMap((file) => file.zones));

/** Returns whether a heading is that of a zone. */
export const isZoneHeading = (heading: string): boolean => ZONE_HEADINGS.has(wordsIn(heading).join(' '));

/** Sentences that stand for the content of an empty file. */
export const EMPTY_FILE: ReadonlySet<string> = new Set(FILES.flatMap((file) => file.empty));

/** Words of all languages that mark a line by their form: `Date:`, `Decision:`, `TODO`. */
export type Mark = keyof (typeof en)['marks'];
const marked = (mark: Mark) => new Set(FILES.flatMap((file) => wordsOf(file.marks[mark])));
export const MARKS: Readonly<Record<Mark, ReadonlySet<string>>> = {
  date: marked('date'),
  level: marked('level'),
  serious: marked('serious'),
  people: marked('people'),
  decisions: marked('decisions'),
  actions: marked('actions'),
};

/** Names of the months of all languages, with their numbers from 1. */
export const MONTHS: ReadonlyMap<string, number> = new Map(
  FILES.flatMap((file) =>
    file.months.flatMap((names, at) => names.split(' ').map((name) => [name, at + 1] as const)),
  ),
);

/** Texts of the first page, by language. */
export const FIRST_PAGES = { en: en.first_page, de: de.first_page, pl: pl.first_page };

/** Returns whether a heading is that of a first page. */
export const isFirstPage = (heading: string): boolean =>
  Object.values(FIRST_PAGES).some((texts) => texts.heading === heading.trim());
