import { readXml } from '../xml.js';
import { referenceOfProperties } from './properties.js';
import type { Reference } from '#contracts/bibliography.js';

/** A DOI, also after `doi:` or in an address. */
const DOI = /^(?:doi:\s*|https?:\/\/(?:dx\.)?doi\.org\/)?(10\.\d{4,9}\/\S+)$/i;
const ISBN = /^(?:urn:)?isbn:?\s*([\dX-]{10,17})$/i;

/** Reads the elements of Dublin Core, and of PRISM, from XML: the package of an EPUB, XMP of a PDF, properties of an Office file. */
export function dublinCoreReference(xml: string): Reference {
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
