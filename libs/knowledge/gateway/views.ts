import type { chunkSchema, collectionSchema, sourceSchema } from '../contract/schemas.js';
import type { CollectionCounts, KnowledgeCollection } from '../store/collections.js';
import type { KnowledgeChunk, KnowledgeSource } from '../store/sources.js';
import type { z } from 'zod';
import type { SourceChange } from './source-feed.js';

type SourceView = z.infer<typeof sourceSchema>;

export function collectionView(
  row: KnowledgeCollection,
  counts: CollectionCounts | undefined,
  titles: ReadonlyMap<string, string>,
): z.infer<typeof collectionSchema> {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    purpose: row.purpose as z.infer<typeof collectionSchema>['purpose'],
    project: row.projectId,
    project_title: titles.get(row.projectId ?? '') ?? null,
    created_at: row.createdAt.toISOString(),
    sources: counts?.sources ?? 0,
    chunks: counts?.chunks ?? 0,
    sources_by_state: { queued: 0, indexing: 0, ready: 0, failed: 0, ...counts?.byState },
    vector_model: row.vectorModel,
  };
}

export function sourceView(row: KnowledgeSource): SourceView {
  return {
    id: row.id,
    collection_id: row.collectionId,
    name: row.name,
    title: row.title,
    author: row.author,
    kind: row.url === null ? 'document' : 'web',
    url: row.url,
    date: row.published,
    fetched_at: row.fetchedAt?.toISOString() ?? null,
    priority: row.priority as SourceView['priority'],
    language: row.language ?? row.givenLanguage,
    media_type: row.mediaType,
    size: row.size,
    sha256: row.sha256,
    state: row.state as SourceView['state'],
    problem: row.problem,
    chunks: row.chunks,
    chunks_done: row.chunksDone,
    created_at: row.createdAt.toISOString(),
    changed_at: row.changedAt.toISOString(),
  };
}

/** Yields changes of sources as server-sent events; the event id is the time of the change. */
export async function* changeFrames(
  collectionId: string,
  changes: AsyncIterable<SourceChange>,
): AsyncGenerator<string> {
  for await (const change of changes) {
    if ('removed' in change) {
      const data = { id: change.removed, collection_id: collectionId };
      yield `event: source_removed\ndata: ${JSON.stringify(data)}\n\n`;
    } else {
      const { source } = change;
      yield `id: ${source.changedAt.getTime()}\nevent: source\ndata: ${JSON.stringify(sourceView(source))}\n\n`;
    }
  }
}

export function chunkView(row: KnowledgeChunk): z.infer<typeof chunkSchema> {
  return {
    id: row.id,
    start: row.startAt,
    end: row.endAt,
    heading_path: row.headingPath,
    kind: row.kind as z.infer<typeof chunkSchema>['kind'],
    tokens: row.tokens,
    language: row.language,
    text: row.text,
  };
}
