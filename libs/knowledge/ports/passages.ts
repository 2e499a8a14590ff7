import { ThreadLimitError } from '#kit/graph/ports.js';
import type { SearchHit } from '../contract.js';
import { Prisma } from '#db/client.js';
import { indexNow, waitUntilIndexed } from '../ingest/index-now.js';
import type { IndexerTools } from '../ingest/index-source.js';

/** Row of a search or of a query over chunks. */
export type PassageRow = Pick<
  SearchHit,
  | 'chunk_id'
  | 'source_id'
  | 'source_name'
  | 'source_title'
  | 'author'
  | 'text'
  | 'start'
  | 'end'
  | 'heading_path'
>;

/** Converts a row to the passage format of the writers. */
export function passageOf(row: PassageRow) {
  return {
    id: row.chunk_id,
    source_id: row.source_id,
    source_title: row.source_title ?? row.source_name,
    author: row.author,
    text: row.text,
    span: { start: row.start, end: row.end },
    heading_path: row.heading_path,
  };
}

/** Indexes the waiting sources of collections, so that a run finds everything in them from its start. */
export async function indexWaiting(
  tools: IndexerTools,
  tenantId: string,
  collectionIds: string[],
  signal: AbortSignal,
): Promise<void> {
  const waiting = await tools.db.$statement<{ id: string }>(Prisma.sql`
    /* sources that wait */ SELECT id FROM knowledge_sources
    WHERE collection_id = ANY(${collectionIds}) AND tenant_id = ${tenantId} AND state IN ('queued', 'indexing')
    ORDER BY created_at`);
  await indexSources(
    tools,
    tenantId,
    waiting.map(({ id }) => id),
    signal,
  );
}

/** Indexes sources in order. If one exceeds a runner's limits, waits until a worker has indexed it. */
export async function indexSources(
  tools: IndexerTools,
  tenantId: string,
  ids: string[],
  signal: AbortSignal,
): Promise<void> {
  for (const id of ids)
    await indexNow(tools, tenantId, id, signal).catch((error: unknown) => {
      if (!(error instanceof ThreadLimitError)) throw error;
      return waitUntilIndexed(tools.db, tenantId, id, signal);
    });
}
