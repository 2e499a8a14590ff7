import { readNames } from '#contracts/bibliography-names.js';
import { ISSUED, type Reference } from '#contracts/bibliography.js';
import type { Database } from '#db/client.js';
import type { ObjectStore } from '#storage/object-store.js';
import type { CitedText, LabelledCitation } from '#writing/bibliography/assemble.js';
import { citedSources, pageOf, type CitedSource } from './references.js';

/** A citation as it is stored with a text: the cited passage, and a copy of what was known about its source. */
export interface StoredCitation {
  label: string;
  source_id: string;
  source_title: string;
  author: string | null;
  date: string | null;
  url: string | null;
  heading_path: string[];
  span: { start: number; end: number } | null;
}

type StoredText = Omit<CitedText, 'citations'> & { citations: StoredCitation[] };

/**
 * Returns texts with what is known about their sources now, so that corrections reach an export at once. The copy stored
 * with a text counts only for sources that are deleted.
 */
export async function citedTexts(
  db: Pick<Database, 'knowledgeSource'>,
  store: ObjectStore,
  tenantId: string,
  texts: StoredText[],
): Promise<CitedText[]> {
  const ids = texts.flatMap(({ citations }) => citations.map(({ source_id }) => source_id));
  const sources = await citedSources(db, store, tenantId, ids);
  return texts.map(({ citations, ...text }) => ({
    ...text,
    citations: citations.map((citation) => labelled(citation, sources.get(citation.source_id))),
  }));
}

function labelled(stored: StoredCitation, source: CitedSource | undefined): LabelledCitation {
  const { label, source_id, heading_path, span } = stored;
  const { reference, author, pages } = source ?? { ...copied(stored), pages: [] };
  const page = span === null ? null : pageOf(pages, span);
  return { label, source_id, heading_path, reference, author, page };
}

function copied({ source_title, author, date, url }: StoredCitation): Omit<CitedSource, 'pages'> {
  const names = readNames(author ?? '');
  const reference: Reference = {
    title: source_title,
    ...(names.length > 0 && { authors: names }),
    ...(date !== null && ISSUED.test(date) && { issued: date }),
    ...(url !== null && URL.canParse(url) && { url }),
  };
  return { reference, author };
}
