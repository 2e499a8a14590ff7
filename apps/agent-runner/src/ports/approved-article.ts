import type { Database } from '#db/client.js';
import type { HeldRun } from '#run-engine/kind.js';
import type { ObjectStore } from '#storage/object-store.js';

/** Which result of a run is its approved text, by mode; a run of either completes only when a person approved it. */
const APPROVED: Record<string, string> = { author: 'article', shadow: 'corrected' };

/** The article that a person approved last in the session of a run, or the text of which the corrections were; null when there is none. */
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
