import { ThreadLimitError } from '#kit/graph/ports.js';
import type { SearchHit } from '../contract.js';
import { Prisma, type Database } from '#db/client.js';
import { indexNow, waitUntilIndexed } from '../ingest/index-now.js';
import type { IndexerTools } from '../ingest/index-source.js';
import { ORIGIN } from '../search/passages.js';

/** Row of a search or of a query over chunks. */
export type PassageRow = Pick<
  SearchHit,
  | 'chunk_id'
  | 'collection_id'
  | 'source_id'
  | 'source_name'
  | 'source_title'
  | 'author'
  | 'url'
  | 'date'
  | 'fetched_at'
  | 'text'
  | 'start'
  | 'end'
  | 'heading_path'
>;

/** Converts a row to the passage format of the writers. */
export function passageOf(row: PassageRow) {
  return {
    id: row.chunk_id,
    collection_id: row.collection_id,
    source_id: row.source_id,
    source_title: row.source_title ?? row.source_name,
    author: row.author,
    url: row.url,
    date: row.date,
    fetched_at: row.fetched_at,
    text: row.text,
    span: { start: row.start, end: row.end },
    heading_path: row.heading_path,
  };
}

/** Returns the first passage of each source, in the order of the IDs. */
export async function firstPassages(
  db: Database,
  tenantId: string,
  sourceIds: string[],
): Promise<PassageRow[]> {
  const rows = await db.$queryRaw<PassageRow[]>(Prisma.sql`
    /* first passages of sources */ SELECT DISTINCT ON (c.source_id) c.id AS chunk_id, c.collection_id, c.source_id,
      s.name AS source_name, s.title AS source_title, s.author, ${ORIGIN}, c.text, c.start_at AS start, c.end_at AS "end", c.heading_path
    FROM knowledge_chunks c JOIN knowledge_sources s ON s.id = c.source_id
      JOIN knowledge_segments g ON g.id = c.segment_id AND g.live
    WHERE c.source_id = ANY(${sourceIds}) AND c.tenant_id = ${tenantId}
    ORDER BY c.source_id, c.start_at`);
  return sourceIds.flatMap((id) => rows.find(({ source_id: of }) => of === id) ?? []);
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
