import type { Reference } from '#contracts/bibliography.js';
import { pageMetadata } from '../html/page-details.js';
import { referenceOfProperties } from './properties.js';

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
