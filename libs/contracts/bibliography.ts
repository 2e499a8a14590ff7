import { WEB_PROTOCOL } from './text.js';
import { z } from 'zod';
import { citationStyles, referenceTypes, type CitationStyle } from './bibliography-names.js';

export const citationStyleSchema = z
  .enum(citationStyles, {
    error: `is not a supported citation style; use ${citationStyles.join(', ')} (CSL files are not supported)`,
  })
  .describe(
    'form of notes and bibliography: chicago (notes), apa and mla (in parentheses), numeric (default: plain notes)',
  );

/** Returns a schema of one line of well-formed text without control characters. */
const line = (max: number) =>
  z
    .string()
    .trim()
    .min(1)
    .max(max)
    .regex(/^[^\p{Cc}\p{Cs}]+$/u, 'must be one line without control characters');

/** A person's name in parts, or the name of an institution as `family` alone. */
export const personNameSchema = z
  .strictObject({ family: line(300), given: line(300).optional(), suffix: line(50).optional() })
  .meta({ id: 'PersonName' });

/** Date of publication as far as it is known. */
export const ISSUED = /^\d{4}(?:-\d{2}(?:-\d{2})?)?$/;

/** What a bibliography says about a source. */
const fields = {
  type: z.enum(referenceTypes),
  title: line(1_000),
  authors: z.array(personNameSchema).min(1).max(1_000),
  editors: z.array(personNameSchema).min(1).max(1_000),
  issued: z.string().regex(ISSUED).describe('YYYY, YYYY-MM or YYYY-MM-DD'),
  container: line(1_000).describe('journal, book or website that contains the work'),
  publisher: line(500),
  place: line(500).describe('place of publication'),
  volume: line(100),
  issue: line(100),
  edition: line(100),
  pages: line(100).describe('pages of the work in its container, such as 12–30'),
  url: z.url({ protocol: WEB_PROTOCOL }).max(2_000).describe('web address'),
  doi: line(300),
  isbn: line(100),
  language: line(35),
  other: z
    .record(z.string().max(100), z.unknown())
    .describe('fields of an imported entry that have no other place'),
};

export const referenceSchema = z.strictObject(fields).partial().meta({ id: 'SourceReference' });
export type Reference = z.infer<typeof referenceSchema>;
export type ReferenceField = keyof Reference;

/** A change of a reference: null removes a field, and hides what the file says about it. */
export const referenceChangeSchema = z
  .strictObject(
    Object.fromEntries(Object.entries(fields).map(([name, schema]) => [name, schema.nullable()])) as {
      [Name in keyof typeof fields]: z.ZodNullable<(typeof fields)[Name]>;
    },
  )
  .partial()
  .meta({ id: 'SourceReferenceChange' });
export type ReferenceChange = z.infer<typeof referenceChangeSchema>;

/** A citation of a work: which one, and where in it. */
export interface Citation {
  source_id: string;
  /** Page or range of pages, such as `12` or `12–13`; null if it is unknown. */
  page: string | null;
  /** Heading of the cited passage; '' without one. */
  section: string;
}

/** Citations to write in a style. */
export interface CitationRequest {
  style: CitationStyle;
  /** BCP 47 tag of the text. */
  language: string;
  works: { source_id: string; reference: Reference }[];
  /** Groups of adjacent citations, in the order of the text. In a style with notes, each group is one citation. */
  groups: Citation[][];
}

/** Citations in a style, as Markdown. */
export interface WrittenCitations {
  /** Text of each group: the body of a note, or what stands in the text. */
  groups: string[];
  /** Entries of the bibliography, in their order. */
  bibliography: string[];
}

/** Returns whether a style cites in notes; the others cite in the text. */
export const citesInNotes = (style: CitationStyle | null): boolean => style === null || style === 'chicago';

/** Returns the main language of a BCP 47 tag. */
export const mainLanguage = (tag: string): string => tag.split('-')[0]!.toLowerCase();

/** Returns a page with its abbreviation, such as `p. 12`, `pp. 12–13`, `S. 12` or `s. 12`. */
export function pageLabel(page: string, language: string): string {
  const main = mainLanguage(language);
  const abbreviation = main === 'de' ? 'S.' : main === 'pl' ? 's.' : page.includes('–') ? 'pp.' : 'p.';
  return `${abbreviation} ${page}`;
}
