import { Prisma } from '#db/client.js';

/** Check and action at the end of a step while other tenants' runs wait, or the run's own tenant is suspended. */
export interface StepPreemption {
  /** Returns the SQL condition that others wait; undefined if it is too early to check again. */
  othersWait: () => Prisma.Sql | undefined;
  giveWay: () => void;
}

/** Seconds that another run must wait before this run yields; sooner, an idle runner takes it. */
export const GRACE_SECONDS = 0.1;

/**
 * Checks at the end of a step, but at most once per grace period: a leg of a few short steps never checks.
 */
export function yieldBetweenSteps(tenantId: string, giveWay: () => void): StepPreemption {
  let askedAt = performance.now();
  return {
    giveWay,
    othersWait: () => {
      const now = performance.now();
      if (now - askedAt < GRACE_SECONDS * 1_000) return undefined;
      askedAt = now;
      return othersWait(tenantId);
    },
  };
}

/**
 * Returns the condition that the run has to stop: its tenant is suspended, or another tenant's run in the express lane waits for a runner, to begin or to
 * continue. The runner then releases its run after the current step, so that a long leg delays the other run
 * by at most one step or the grace period. A run that has itself yielded does not count.
 */
function othersWait(tenantId: string): Prisma.Sql {
  const since = Prisma.sql`now() - make_interval(secs => ${GRACE_SECONDS})`;
  return Prisma.sql`NOT ${notSuspended(tenantId)} OR EXISTS (
    SELECT 1 FROM runs r
    WHERE r.express AND r.tenant_id <> ${tenantId} AND r.status IN ('queued', 'waiting') AND (
      (r.status = 'queued' AND r.dispatched_at < ${since})
      -- One index lookup per run; NOT EXISTS would read every task.
      OR (r.status = 'waiting' AND (
        SELECT t.id FROM tasks t WHERE t.run_id = r.id AND (t.status = 'pending' OR t.completed_at > ${since}) LIMIT 1) IS NULL)))`;
}

/** Returns the condition that a tenant is not suspended: runs of a suspended tenant stop, and wait. */
export function notSuspended(tenantId: Prisma.Sql | string): Prisma.Sql {
  return Prisma.sql`NOT EXISTS (SELECT 1 FROM tenants WHERE tenants.id = ${tenantId} AND tenants.suspended_at IS NOT NULL)`;
}
