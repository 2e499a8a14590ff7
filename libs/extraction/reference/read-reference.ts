import { fileEnding, visibleLine } from '#contracts/text.js';
import { type Reference, ISSUED, referenceSchema, type ReferenceField } from '#contracts/bibliography.js';
import { isRtf } from '#contracts/byte-text.js';
import { frontMatterLines } from '#markdown/front-matter.js';
import { parseYaml } from '#markdown/yaml.js';
import { isArchive, unpack } from '../archive.js';
import { declaredEncoding } from '../declared-encoding.js';
import { readText } from '../encoding.js';
import { pageMetadata } from '../html/page-details.js';
import { isPdf } from '../pdf/pdf.js';
import { readXml, xmlOf } from '../xml.js';
import { readNames, type PersonName } from '#contracts/bibliography-names.js';

/** What a file says about itself. */
interface FileReference {
  reference: Reference;
  /** Printed page numbers of a PDF, in the order of its pages; absent if it has none of its own. */
  pageLabels?: string[];
}

/** Properties of a file, as found; empty and invalid ones are left out of the reference. */
type FoundProperties = Partial<Record<Exclude<ReferenceField, 'authors' | 'editors' | 'other'>, unknown>> & {
  /** Names of the authors, one or several in each text. */
  authors?: unknown[];
  editors?: unknown[];
};

/** Titles that programs derive from the name of a file. */
const FILE_NAME = /^Microsoft (?:Word|PowerPoint) - |\.(?:docx?|pptx?|odt|pdf|tex|dvi|indd|qxd)$/i;

/** Returns the properties of a file that a reference can have. */
function referenceOfProperties({ authors = [], editors = [], ...texts }: FoundProperties): Reference {
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
  return visibleLine(text) || undefined;
}

/** Returns the date at the beginning of a text such as `2019-04-02T10:00:00Z` or `2019/04`. */
function dateOf(text: string): string | undefined {
  const [date = ''] = /^\d{4}(?:[-/]\d{2}){0,2}(?!\d)/.exec(text) ?? [];
  const issued = date.replaceAll('/', '-');
  return ISSUED.test(issued) ? issued : undefined;
}

export type { FileReference };

const NOTHING: FileReference = { reference: {} };

/**
 * Reads author, title, date and similar properties of a source from its metadata: the properties of a PDF, Word or other
 * Office file, the package of an EPUB, the head of an HTML page, the front matter of a text. A file without readable
 * metadata gives none.
 */
export async function readFileReference(bytes: Uint8Array, fileName: string): Promise<FileReference> {
  try {
    return await read(bytes, fileName);
  } catch {
    // The extraction of the text reports damaged files.
    return NOTHING;
  }
}

async function read(bytes: Uint8Array, fileName: string): Promise<FileReference> {
  const extension = fileEnding(fileName);
  if (isRtf(bytes)) return NOTHING;
  if (isPdf(bytes)) return pdfReference(bytes);
  if (isArchive(bytes))
    return {
      reference: extension === 'epub' ? epubReference(bytes, fileName) : officeReference(bytes, fileName),
    };
  if (['html', 'htm', 'xhtml'].includes(extension))
    return { reference: htmlReference(readText(bytes, fileName, declaredEncoding(bytes)).text) };
  if (['md', 'markdown', 'txt'].includes(extension))
    return { reference: frontMatterReference(readText(bytes, fileName).text) };
  return NOTHING;
}

/** Reads the metadata of an EPUB's package file. */
export function epubReference(bytes: Uint8Array, fileName: string): Reference {
  const packages = unpack(bytes, (name) => name.endsWith('.opf'), fileName);
  const [opf] = packages.values();
  return opf ? { type: 'book', ...dublinCoreReference(xmlOf(opf)) } : {};
}

/** Reads the front matter of a Markdown text. */
export function frontMatterReference(text: string): Reference {
  const lines = text.split(/\r?\n/);
  const count = frontMatterLines(lines);
  if (count === 0) return {};
  const [data] = parseYaml(lines.slice(1, count - 1).join('\n'), 0);
  if (typeof data !== 'object' || data === null) return {};
  const fields = new Map(Object.entries(data).map(([name, value]) => [name.toLowerCase(), value as unknown]));
  const first = (...names: string[]) =>
    names.map((name) => fields.get(name)).find((value) => value !== undefined);
  return referenceOfProperties({
    title: first('title'),
    authors: [first('author', 'authors', 'creator')].flat().map(nameIn),
    issued: first('date', 'year', 'published', 'issued'),
    publisher: first('publisher'),
    place: first('place', 'publisher-place', 'location'),
    container: first('journal', 'container-title', 'booktitle'),
    volume: first('volume'),
    issue: first('issue', 'number'),
    pages: first('pages', 'page'),
    url: first('url', 'link'),
    doi: first('doi'),
    isbn: first('isbn'),
    language: first('lang', 'language'),
  });
}

/** Returns an author's name, also of an object such as `{ name: … }` or `{ given: …, family: … }`. */
function nameIn(author: unknown): unknown {
  if (typeof author !== 'object' || author === null) return author;
  const { name, given, family } = author as Record<string, unknown>;
  if (typeof family === 'string') return typeof given === 'string' ? `${family}, ${given}` : family;
  return name;
}

/** Reads the metadata of an HTML page, with that of journals (`citation_…`, as search engines for scholars read it). */
export function htmlReference(html: string): Reference {
  const { details, all } = pageMetadata(html);
  const first = (...names: string[]) => names.flatMap(all)[0];
  const [from, to] = [first('citation_firstpage'), first('citation_lastpage')];
  const journal = first('citation_journal_title');
  const book = first('citation_inbook_title', 'citation_conference_title');
  return referenceOfProperties({
    type: journal ? 'article' : book ? 'chapter' : 'web',
    title: first('citation_title') ?? details.title,
    authors: all('citation_author').length > 0 ? all('citation_author') : [details.author],
    issued: details.date ?? first('citation_publication_date', 'citation_date'),
    publisher: first('citation_publisher', 'dc.publisher', 'article:publisher'),
    container: journal ?? book ?? first('og:site_name'),
    volume: first('citation_volume'),
    issue: first('citation_issue'),
    pages: from && to ? `${from}–${to}` : from,
    url: first('og:url'),
    doi: first('citation_doi'),
    isbn: first('citation_isbn'),
    language: first('citation_language'),
  });
}

/** Reads the properties of an Office or OpenDocument file. Their dates say when it was saved, not published. */
export function officeReference(bytes: Uint8Array, fileName: string): Reference {
  const parts = unpack(bytes, (name) => name === 'docProps/core.xml' || name === 'meta.xml', fileName);
  const [properties] = parts.values();
  if (!properties) return {};
  const { issued: _, ...reference } = dublinCoreReference(xmlOf(properties));
  return reference;
}

/** Reads the properties of a PDF (its dates say when it was saved, not published), its XMP, and its printed page numbers. */
export async function pdfReference(bytes: Uint8Array): Promise<FileReference> {
  // pdf.js is large, so it is loaded only when needed.
  const { getDocumentProxy } = await import('unpdf');
  // pdf.js takes ownership of the buffer, hence the copy.
  const document = await getDocumentProxy(new Uint8Array(bytes), { isEvalSupported: false, verbosity: 0 });
  try {
    const { info, metadata } = await document.getMetadata();
    const { Title: title, Author: author } = info as { Title?: unknown; Author?: unknown };
    const raw = (metadata as { getRaw?(): unknown } | null)?.getRaw?.();
    const { issued, ...described } = typeof raw === 'string' ? xmpReference(raw) : {};
    const reference = {
      ...referenceOfProperties({ title, authors: [author] }),
      ...described,
      // Without a journal, a date of XMP is that of the file.
      ...(described.container && issued && { issued }),
    };
    const pageLabels = await document.getPageLabels();
    return pageLabels === null ? { reference } : { reference, pageLabels };
  } finally {
    await document.destroy();
  }
}

function xmpReference(xml: string) {
  try {
    return dublinCoreReference(xml.slice(Math.max(0, xml.indexOf('<'))));
  } catch {
    return {};
  }
}

/** A DOI, also after `doi:` or in an address. */
const DOI = /^(?:doi:\s*|https?:\/\/(?:dx\.)?doi\.org\/)?(10\.\d{4,9}\/\S+)$/i;
const ISBN = /^(?:urn:)?isbn:?\s*([\dX-]{10,17})$/i;

/** Reads the elements of Dublin Core, and of PRISM, from XML: the package of an EPUB, XMP of a PDF, properties of an Office file. */
function dublinCoreReference(xml: string): Reference {
  const found = new Map<string, string[]>();
  // Values are texts of the element, or of the items of a list in it.
  let open: string | null = null;
  let text = '';
  const add = (name: string) => {
    if (text.trim() !== '') found.set(name, [...(found.get(name) ?? []), text]);
    text = '';
  };
  readXml(xml, {
    open: (name) => {
      if (/^(?:dc|dcterms|prism):/i.test(name)) open = name.toLowerCase();
      text = '';
    },
    text: (words) => void (text += words),
    close: (name) => {
      if (open === null) return;
      add(open);
      if (name.toLowerCase() === open) open = null;
    },
  });
  const all = (name: string) => found.get(name) ?? [];
  const first = (...names: string[]) => names.flatMap(all)[0];
  const identifiers = [...all('dc:identifier'), ...all('prism:doi'), ...all('prism:isbn')].map((id) =>
    id.trim(),
  );
  const [from, to] = [first('prism:startingpage'), first('prism:endingpage')];
  const container = first('prism:publicationname');
  return referenceOfProperties({
    title: first('dc:title'),
    authors: all('dc:creator'),
    issued: first('prism:publicationdate', 'prism:coverdate', 'dcterms:issued', 'dc:date'),
    publisher: first('dc:publisher'),
    container,
    ...(container !== undefined && { type: 'article' }),
    volume: first('prism:volume'),
    issue: first('prism:number'),
    pages: from && to ? `${from}–${to}` : (first('prism:pagerange') ?? from),
    doi: identifiers.map((id) => DOI.exec(id)?.[1]).find((id) => id !== undefined),
    isbn: identifiers.map((id) => ISBN.exec(id)?.[1]).find((id) => id !== undefined) ?? first('prism:isbn'),
    language: first('dc:language'),
  });
}
