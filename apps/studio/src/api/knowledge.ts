import type { ReferenceChange } from '#contracts/bibliography.js';
import { queryOptions } from '@tanstack/react-query';
import { apiChange, apiPages, apiQuery } from './api-query';
import { api, fetched, type Schemas, unwrap, upload } from './client';
import { queryClient } from './query-client';
import { readableFiles } from './readable-files';
import type { LeftOut } from './source-files';

export type Collection = Schemas['KnowledgeCollection'];
export type Source = Schemas['KnowledgeSource'];
export type Hit = Schemas['KnowledgeHit'];
export type Priority = Source['priority'];

export const PRIORITIES = ['primary', 'supporting', 'tone-only'] as const satisfies Priority[];
const INDEXING = new Set(['queued', 'indexing']);

const at = (id: string) => ({ path: { collection_id: id } });

/**
 * Query for the list of collections, newest first.
 *
 * @param title only collections whose name contains this text
 */
export const collectionsQuery = (title?: string) =>
  apiPages(['knowledge', 'list', title ?? ''], '/api/knowledge/collections', title ? { title } : {});

export const collectionQuery = (id: string) =>
  apiQuery(['knowledge', id], '/api/knowledge/collections/{collection_id}', at(id));

/** Query for the sources of a collection, newest first; refetched while some are being indexed. */
export const sourcesOf = (id: string) =>
  apiQuery(
    ['knowledge', id, 'sources'],
    '/api/knowledge/collections/{collection_id}/sources',
    { ...at(id), query: { limit: 100 } },
    {
      refetchInterval: ({ state: { data } }) =>
        data?.items.some(({ state }) => INDEXING.has(state)) ? 1_000 : false,
    },
  );

/** Query for the id of a book's collection; listing the book's sources creates it. */
export const collectionOfBook = (projectId: string) => ({
  queryKey: ['books', projectId, 'collection'],
  queryFn: async (): Promise<string> => {
    const path = { project_id: projectId };
    await unwrap(
      api.GET('/api/books/projects/{project_id}/sources', { params: { path, query: { limit: 1 } } }),
    );
    const query = { project: projectId, purpose: 'knowledge' as const };
    const { items } = await unwrap(api.GET('/api/knowledge/collections', { params: { query } }));
    return items[0]!.id;
  },
});

/** @throws ApiProblem */
export const createCollection = (body: Schemas['NewKnowledgeCollection']) =>
  apiChange(api.POST('/api/knowledge/collections', { body }), ['knowledge']);

/** @throws ApiProblem */
export const renameCollection = (id: string, name: string) =>
  apiChange(api.PATCH('/api/knowledge/collections/{collection_id}', { params: at(id), body: { name } }), [
    'knowledge',
  ]);

/** Deletes a collection with its sources and their passages. @throws ApiProblem */
export const deleteCollection = (id: string) =>
  apiChange(api.DELETE('/api/knowledge/collections/{collection_id}', { params: at(id), keepalive: true }), [
    'knowledge',
    'list',
  ]);

/** Adds files; a worker indexes them. @returns the skipped files @throws ApiProblem */
export async function addFiles(id: string, files: File[], priority: Priority): Promise<LeftOut[]> {
  const { files: readable, leftOut } = await readableFiles(files);
  if (readable.length === 0) return leftOut;
  try {
    const refused = await upload(`/api/knowledge/collections/${id}/sources?priority=${priority}`, readable);
    return [...leftOut, ...refused];
  } finally {
    await queryClient.invalidateQueries({ queryKey: ['knowledge', id] });
  }
}

const sourceAt = (collection: string, source: string) => ({
  path: { collection_id: collection, source_id: source },
});

/** @throws ApiProblem */
export const changePriority = (collection: string, source: string, priority: Priority) =>
  apiChange(
    api.PATCH('/api/knowledge/collections/{collection_id}/sources/{source_id}', {
      params: sourceAt(collection, source),
      body: { priority },
    }),
    ['knowledge', collection],
  );

/** @throws ApiProblem */
export const changeReference = (source: Source, reference: ReferenceChange) =>
  apiChange(
    api.PATCH('/api/knowledge/collections/{collection_id}/sources/{source_id}', {
      params: sourceAt(source.collection_id, source.id),
      body: { reference },
    }),
    ['knowledge', source.collection_id],
  );

/** @throws ApiProblem */
export const removeSource = (collection: string, source: string) =>
  apiChange(
    api.DELETE('/api/knowledge/collections/{collection_id}/sources/{source_id}', {
      params: sourceAt(collection, source),
      keepalive: true,
    }),
    ['knowledge', collection],
  );

/** Query for the extracted text of a source; spans of passages count its UTF-16 units. @throws ApiProblem */
export const sourceText = (collection: string, source: string) =>
  queryOptions({
    queryKey: ['knowledge', collection, source, 'text'],
    queryFn: async ({ signal }) => {
      const address = `/api/knowledge/collections/${collection}/sources/${source}/text`;
      return (await fetched(address, { signal })).text();
    },
  });

/** Query for the best passages of a collection; nothing is asked for an empty text. */
export const searchQuery = (collectionId: string, query: string) =>
  queryOptions({
    queryKey: ['search', collectionId, query],
    queryFn: () =>
      unwrap(api.POST('/api/knowledge/search', { body: { collections: [collectionId], query, k: 10 } })),
    enabled: query !== '',
    staleTime: 60_000,
  });
