import { chunkSchema, collectionSchema, sourceSchema } from '../contract/schemas.js';
import type { CollectionCounts, KnowledgeCollection } from '../store/collections.js';
import { problemPhraseOf, type KnowledgeChunk, type KnowledgeSource } from '../store/sources.js';
import { referenceOf } from '../store/references.js';
import { view } from '#gateway/http/view.js';
import type { z } from 'zod';
import type { SourceChange } from './source-feed.js';

type SourceView = z.infer<typeof sourceSchema>;

export function collectionView(
  row: KnowledgeCollection,
  counts: CollectionCounts | undefined,
  titles: ReadonlyMap<string, string>,
): z.infer<typeof collectionSchema> {
  return view(collectionSchema, row, {
    project: row.projectId,
    project_title: titles.get(row.projectId ?? '') ?? null,
    sources: counts?.sources ?? 0,
    chunks: counts?.chunks ?? 0,
    sources_by_state: { queued: 0, indexing: 0, ready: 0, failed: 0, ...counts?.byState },
  });
}

export const sourceView = (row: KnowledgeSource): SourceView =>
  view(sourceSchema, row, {
    kind: row.url === null ? 'document' : 'web',
    date: row.published,
    reference: referenceOf(row),
    language: row.language ?? row.givenLanguage,
    problem_phrase: problemPhraseOf(row),
  });

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

export const chunkView = (row: KnowledgeChunk) =>
  view(chunkSchema, row, { start: row.startAt, end: row.endAt });
