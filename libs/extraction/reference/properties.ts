import { readNames, type PersonName } from '#contracts/bibliography-names.js';
import { ISSUED, referenceSchema, type Reference, type ReferenceField } from '#contracts/bibliography.js';

/** What a file says about itself. */
export interface FileReference {
  reference: Reference;
  /** Printed page numbers of a PDF, in the order of its pages; absent if it has none of its own. */
  pageLabels?: string[];
}

/** Properties of a file, as found; empty and invalid ones are left out of the reference. */
export type FoundProperties = Partial<
  Record<Exclude<ReferenceField, 'authors' | 'editors' | 'other'>, unknown>
> & {
  /** Names of the authors, one or several in each text. */
  authors?: unknown[];
  editors?: unknown[];
};

/** Titles that programs derive from the name of a file. */
const FILE_NAME = /^Microsoft (?:Word|PowerPoint) - |\.(?:docx?|pptx?|odt|pdf|tex|dvi|indd|qxd)$/i;

/** Returns the properties of a file that a reference can have. */
export function referenceOfProperties({ authors = [], editors = [], ...texts }: FoundProperties): Reference {
  const found: Record<string, unknown> = {
    ...Object.fromEntries(Object.entries(texts).map(([name, value]) => [name, inOneLine(value)])),
    authors: namesOf(authors),
    editors: namesOf(editors),
  };
  if (FILE_NAME.test(String(found['title']))) delete found['title'];
  found['issued'] = dateOf(String(found['issued']));
  return Object.fromEntries(
    Object.entries(found).flatMap(([name, value]) => {
      const parsed = referenceSchema.shape[name as ReferenceField].safeParse(value);
      return parsed.success && parsed.data !== undefined ? [[name, parsed.data]] : [];
    }),
  );
}

const namesOf = (texts: unknown[]): PersonName[] | undefined => {
  const names = texts.flatMap((text) => readNames(inOneLine(text) ?? ''));
  return names.length > 0 ? names : undefined;
};

function inOneLine(value: unknown): string | undefined {
  const text = typeof value === 'number' ? String(value) : value;
  if (typeof text !== 'string') return undefined;
  return (
    text
      .toWellFormed()
      .replace(/[\p{Cc}\s]+/gu, ' ')
      .trim() || undefined
  );
}

/** Returns the date at the beginning of a text such as `2019-04-02T10:00:00Z` or `2019/04`. */
function dateOf(text: string): string | undefined {
  const [date = ''] = /^\d{4}(?:[-/]\d{2}){0,2}(?!\d)/.exec(text) ?? [];
  const issued = date.replaceAll('/', '-');
  return ISSUED.test(issued) ? issued : undefined;
}
