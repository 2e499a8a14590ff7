import { MAX_COLLECTIONS_SEARCHED, type KnowledgePurpose } from '#contracts/knowledge.js';
import type { Database } from '#db/client.js';
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
  const which = named ? { id: { in: named } } : { purpose, projectId: null };
  const found = await db.knowledgeCollection.findMany({
    where: { tenantId, ...which },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    take: MAX_COLLECTIONS_SEARCHED,
    select: { id: true },
  });
  if (named && found.length < new Set(named).size)
    throw new RunFailure('collection_unknown', 'A collection that the inputs name is not there (any more).');
  return found.map(({ id }) => id);
}
