import { queryOptions } from '@tanstack/react-query';
import { apiPages, apiQuery, change, call, fetched, type Given, type Schemas, upload } from './api-query';
import { readableFiles } from './readable-files';
import type { LeftOut } from './source-files';

export type Collection = Schemas['KnowledgeCollection'];
export type Source = Schemas['KnowledgeSource'];
export type Hit = Schemas['KnowledgeHit'];
export type Priority = Source['priority'];

export const PRIORITIES = ['primary', 'supporting', 'tone-only'] as const satisfies Priority[];
const INDEXING = new Set(['queued', 'indexing']);

const COLLECTION = '/api/knowledge/collections/{collection_id}';
const SOURCE = `${COLLECTION}/sources/{source_id}` as const;

/**
 * Query for the list of collections, newest first.
 *
 * @param title only collections whose name contains this text
 */
export const collectionsQuery = (title?: string) =>
  apiPages(['knowledge', 'list', title ?? ''], '/api/knowledge/collections', title ? { title } : {});

export const collectionQuery = (id: string) => apiQuery(['knowledge', id], COLLECTION, { collection_id: id });

/** Query for the sources of a collection, newest first; refetched while some are being indexed. */
export const sourcesOf = (id: string) =>
  apiQuery(
    ['knowledge', id, 'sources'],
    `${COLLECTION}/sources`,
    { collection_id: id, limit: 100 },
    {
      refetchInterval: ({ state: { data } }) =>
        data?.items.some(({ state }) => INDEXING.has(state)) ? 1_000 : false,
    },
  );

/** Query for the id of a book's collection; listing the book's sources creates it. */
export const collectionOfBook = (projectId: string) => ({
  queryKey: ['books', projectId, 'collection'],
  queryFn: async (): Promise<string> => {
    await call('GET /api/books/projects/{project_id}/sources', { project_id: projectId, limit: 1 });
    const ofBook = { project: projectId, purpose: 'knowledge' } as const;
    return (await call('GET /api/knowledge/collections', ofBook)).items[0]!.id;
  },
});

/** Deletes a collection with its sources and their passages. @throws ApiProblem */
export const deleteCollection = (id: string) =>
  change(`DELETE ${COLLECTION}`, { collection_id: id, keepalive: true }, ['knowledge', 'list']);

/** Adds files; a worker indexes them. @returns the skipped files @throws ApiProblem */
export async function addFiles(id: string, files: File[], priority: Priority): Promise<LeftOut[]> {
  const { files: readable, leftOut } = await readableFiles(files);
  if (readable.length === 0) return leftOut;
  const address = `/api/knowledge/collections/${id}/sources?priority=${priority}`;
  return [...leftOut, ...(await upload(address, readable, ['knowledge', id]))];
}

/** Changes what the tenant says about a source. @throws ApiProblem */
export const changeSource = (
  { collection_id, id: source_id }: Source,
  body: Given<`PATCH ${typeof SOURCE}`>['body'],
) => change(`PATCH ${SOURCE}`, { collection_id, source_id, body }, ['knowledge', collection_id]);

/** @throws ApiProblem */
export const removeSource = ({ collection_id, id: source_id }: Source) =>
  change(`DELETE ${SOURCE}`, { collection_id, source_id, keepalive: true }, ['knowledge', collection_id]);

/** Query for the extracted text of a source; spans of passages count its UTF-16 units. @throws ApiProblem */
export const sourceText = (collection: string, source: string) =>
  queryOptions({
    queryKey: ['knowledge', collection, source, 'text'],
    queryFn: async ({ signal }) => {
      const address = `/api/knowledge/collections/${collection}/sources/${source}/text`;
      return (await fetched(address, { signal })).text();
    },
  });

/** Query for the best passages of collections, at most 50; nothing is asked for an empty text. */
export function searchQuery(searched: readonly { id: string }[], query: string, mode?: 'lexical') {
  const collections = searched.map(({ id }) => id);
  const body = { collections, query, k: 10, ...(mode && { mode }) };
  return queryOptions({
    queryKey: ['search', body],
    queryFn: () => call('POST /api/knowledge/search', { body }),
    enabled: query !== '' && collections.length > 0,
    staleTime: 60_000,
  });
}
