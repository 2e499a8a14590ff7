import type { Database } from '#db/client.js';
import type { HeldRun } from '#engine/kind.js';
import type { ObjectStore } from '#storage/object-store.js';

/** Name of the result with the approved text, by mode; runs of both modes complete only after approval. */
const APPROVED: Record<string, string> = { author: 'article', shadow: 'corrected' };

/**
 * Returns the text that a person approved last in the run's session (an article, or a corrected text), or
 * null.
 */
export async function approvedArticle(
  db: Database,
  store: ObjectStore,
  { tenantId, sessionId }: HeldRun,
): Promise<string | null> {
  const run = await db.run.findFirst({
    where: {
      tenantId,
      sessionId,
      kind: 'article',
      mode: { in: Object.keys(APPROVED) },
      status: 'completed',
      rolledBackAt: null,
    },
    orderBy: [{ finishedAt: 'desc' }, { id: 'desc' }],
    select: { id: true, mode: true },
  });
  const name = APPROVED[run?.mode ?? ''];
  if (!run || name === undefined) return null;
  const where = { tenantId, sessionId, kind: 'article', name, runId: run.id };
  const result = await db.sessionResult.findFirst({ where, select: { objectKey: true } });
  if (!result?.objectKey) return null;
  return Buffer.from(await store.getBytes(result.objectKey)).toString('utf8');
}
