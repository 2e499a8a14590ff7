import { queryOptions } from '@tanstack/react-query';
import { api, leftOutOf, problemOf, type Schemas, unwrap } from './client';
import { pagesOf } from './pages';
import { queryClient } from './query-client';

export type Collection = Schemas['KnowledgeCollection'];
export type Source = Schemas['KnowledgeSource'];
export type Hit = Schemas['KnowledgeHit'];
export type Priority = Source['priority'];

export const PRIORITIES = ['primary', 'supporting', 'tone-only'] as const satisfies Priority[];
const INDEXING = new Set(['queued', 'indexing']);

/**
 * Query for the list of collections, newest first.
 *
 * @param title only collections whose name contains this text
 */
export const collectionsQuery = (title?: string) =>
  pagesOf(['knowledge', 'list', title ?? ''], (page) => {
    const query = { ...page, ...(title ? { title } : {}) };
    return unwrap(api.GET('/api/knowledge/collections', { params: { query } }));
  });

export const collectionQuery = (id: string) =>
  queryOptions({
    queryKey: ['knowledge', id],
    queryFn: () =>
      unwrap(
        api.GET('/api/knowledge/collections/{collection_id}', { params: { path: { collection_id: id } } }),
      ),
  });

/** Query for the sources of a collection, newest first; refetched while some are being indexed. */
export const sourcesOf = (id: string) =>
  queryOptions({
    queryKey: ['knowledge', id, 'sources'],
    queryFn: () =>
      unwrap(
        api.GET('/api/knowledge/collections/{collection_id}/sources', {
          params: { path: { collection_id: id }, query: { limit: 100 } },
        }),
      ),
    refetchInterval: ({ state: { data } }) =>
      data?.items.some(({ state }) => INDEXING.has(state)) ? 1_000 : false,
  });

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
export async function createCollection(body: Schemas['NewKnowledgeCollection']): Promise<Collection> {
  const made = await unwrap(api.POST('/api/knowledge/collections', { body }));
  await queryClient.invalidateQueries({ queryKey: ['knowledge'] });
  return made;
}

/** @throws ApiProblem */
export async function renameCollection(id: string, name: string): Promise<void> {
  const params = { path: { collection_id: id } };
  await unwrap(api.PATCH('/api/knowledge/collections/{collection_id}', { params, body: { name } }));
  await queryClient.invalidateQueries({ queryKey: ['knowledge'] });
}

/** Deletes a collection with its sources and their passages. @throws ApiProblem */
export async function deleteCollection(id: string): Promise<void> {
  await unwrap(
    api.DELETE('/api/knowledge/collections/{collection_id}', {
      params: { path: { collection_id: id } },
      keepalive: true,
    }),
  );
  await queryClient.invalidateQueries({ queryKey: ['knowledge', 'list'] });
}

/** Adds files; a worker indexes them. @returns the skipped files @throws ApiProblem */
export async function addFiles(
  id: string,
  files: File[],
  priority: Priority,
): Promise<Schemas['LeftOutFile'][]> {
  const form = new FormData();
  for (const file of files) form.append('file', file, file.name);
  const response = await fetch(`/api/knowledge/collections/${id}/sources?priority=${priority}`, {
    method: 'POST',
    body: form,
  });
  await queryClient.invalidateQueries({ queryKey: ['knowledge', id] });
  return leftOutOf(response);
}

const sourceAt = (collection: string, source: string) => ({
  params: { path: { collection_id: collection, source_id: source } },
});

/** @throws ApiProblem */
export async function changePriority(collection: string, source: string, priority: Priority): Promise<void> {
  await unwrap(
    api.PATCH('/api/knowledge/collections/{collection_id}/sources/{source_id}', {
      ...sourceAt(collection, source),
      body: { priority },
    }),
  );
  await queryClient.invalidateQueries({ queryKey: ['knowledge', collection] });
}

/** @throws ApiProblem */
export async function removeSource(collection: string, source: string): Promise<void> {
  await unwrap(
    api.DELETE('/api/knowledge/collections/{collection_id}/sources/{source_id}', {
      ...sourceAt(collection, source),
      keepalive: true,
    }),
  );
  await queryClient.invalidateQueries({ queryKey: ['knowledge', collection] });
}

/** Query for the extracted text of a source; spans of passages count its UTF-16 units. @throws ApiProblem */
export const sourceText = (collection: string, source: string) =>
  queryOptions({
    queryKey: ['knowledge', collection, source, 'text'],
    queryFn: async ({ signal }) => {
      const response = await fetch(`/api/knowledge/collections/${collection}/sources/${source}/text`, {
        signal,
      });
      if (!response.ok) throw await problemOf(response);
      return response.text();
    },
  });

/** @throws ApiProblem */
export const search = (body: Schemas['KnowledgeSearch']): Promise<Schemas['KnowledgeSearchResult']> =>
  unwrap(api.POST('/api/knowledge/search', { body }));
