import { phrase } from '#contracts/phrases/phrase.js';
import { MAX_COLLECTIONS_SEARCHED, type KnowledgePurpose } from '#knowledge/contract.js';
import { Prisma } from '#db/client.js';
import type { IndexerTools } from '#knowledge/ingest/index-source.js';
import { RunFailure, type HeldRun } from '#engine/kind.js';
import { indexSources } from '#knowledge/ports/passages.js';

/**
 * Returns the IDs of the collections named by a run, or else of the tenant's collections with that purpose
 * outside projects, newest first. Indexes their waiting sources first.
 *
 * @throws RunFailure `collection_unknown`
 */
export async function openCollections(
  tools: IndexerTools,
  { tenantId }: HeldRun,
  purpose: KnowledgePurpose,
  named: string[] | undefined,
  signal: AbortSignal,
): Promise<string[]> {
  const which = named
    ? Prisma.sql`c.id = ANY(${named})`
    : Prisma.sql`c.purpose = ${purpose} AND c.project_id IS NULL`;
  const found = await tools.db.$statement<{ id: string; waiting: string[] }>(Prisma.sql`
    /* collections of a run */ SELECT c.id, ARRAY(
      SELECT s.id FROM knowledge_sources s
      WHERE s.collection_id = c.id AND s.tenant_id = c.tenant_id AND s.state IN ('queued', 'indexing') ORDER BY s.created_at
    ) AS waiting
    FROM knowledge_collections c WHERE c.tenant_id = ${tenantId} AND ${which}
    ORDER BY c.created_at DESC, c.id DESC LIMIT ${MAX_COLLECTIONS_SEARCHED}::int`);
  if (named && found.length < new Set(named).size)
    throw new RunFailure('collection_unknown', phrase('run_error.collection_unknown'));
  const waiting = found.flatMap((collection) => collection.waiting);
  await indexSources(tools, tenantId, waiting, signal);
  return found.map(({ id }) => id);
}
