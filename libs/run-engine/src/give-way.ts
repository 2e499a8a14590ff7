import { Prisma } from '#db/client.js';

/** Seconds after which a run that waits is given way to: before, a runner that has nothing to do takes it. */
const GRACE_SECONDS = 0.1;

/**
 * The condition that another tenant's run with a place in the express lane waits for a runner, to begin or to go on. Whoever
 * holds a runner then gives way after its step; so a leg of many steps holds up nobody's single run for longer than one of them.
 * A run that has given way itself is not given way to.
 */
export function othersWait(tenantId: string): Prisma.Sql {
  const since = Prisma.sql`now() - make_interval(secs => ${GRACE_SECONDS})`;
  return Prisma.sql`EXISTS (
    SELECT 1 FROM runs r
    WHERE r.express AND r.tenant_id <> ${tenantId} AND r.status IN ('queued', 'waiting') AND (
      (r.status = 'queued' AND r.dispatched_at < ${since})
      OR (r.status = 'waiting' AND NOT EXISTS (
        SELECT 1 FROM tasks t WHERE t.run_id = r.id AND (t.status = 'pending' OR t.completed_at > ${since})))))`;
}
