import { MAX_COLLECTIONS_SEARCHED, type KnowledgePurpose } from '#contracts/knowledge.js';
import { Prisma, type Database } from '#db/client.js';
import { RunFailure, type HeldRun } from '#run-engine/kind.js';

/**
 * The collections that a run names, or all of the tenant with that purpose which are of no project, the newest first.
 *
 * @throws RunFailure `collection_unknown`
 */
export async function collectionsOf(
  db: Database,
  { tenantId }: HeldRun,
  purpose: KnowledgePurpose,
  named: string[] | undefined,
): Promise<string[]> {
  const which = named
    ? Prisma.sql`id = ANY(${named})`
    : Prisma.sql`purpose = ${purpose} AND project_id IS NULL`;
  const found = await db.$statement<{ id: string }>(Prisma.sql`
    /* collections of a run */ SELECT id FROM knowledge_collections WHERE tenant_id = ${tenantId} AND ${which}
    ORDER BY created_at DESC, id DESC LIMIT ${MAX_COLLECTIONS_SEARCHED}::int`);
  if (named && found.length < new Set(named).size)
    throw new RunFailure('collection_unknown', 'A collection that the inputs name is not there (any more).');
  return found.map(({ id }) => id);
}
