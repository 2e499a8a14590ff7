import { Prisma } from '#db/client.js';

/** What happens at the end of a step for which others wait. */
export interface StepPreemption {
  /** The condition that others wait; undefined when it is not to be asked now. */
  othersWait: () => Prisma.Sql | undefined;
  giveWay: () => void;
}

/** Seconds after which a run that waits is given way to: before, a runner that has nothing to do takes it. */
export const GRACE_SECONDS = 0.1;

/** Asks at the end of a step, and of steps shorter than the grace only so often: a leg of a few short ones never asks. */
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
 * The condition that another tenant's run with a place in the express lane waits for a runner, to begin or to go on. Whoever
 * holds a runner then gives way after its step; so a leg of many steps holds up nobody's single run for longer than one of them, or than the grace.
 * A run that has given way itself is not given way to.
 */
function othersWait(tenantId: string): Prisma.Sql {
  const since = Prisma.sql`now() - make_interval(secs => ${GRACE_SECONDS})`;
  return Prisma.sql`EXISTS (
    SELECT 1 FROM runs r
    WHERE r.express AND r.tenant_id <> ${tenantId} AND r.status IN ('queued', 'waiting') AND (
      (r.status = 'queued' AND r.dispatched_at < ${since})
      -- One look into the index for each run; NOT EXISTS would read every task there is.
      OR (r.status = 'waiting' AND (
        SELECT t.id FROM tasks t WHERE t.run_id = r.id AND (t.status = 'pending' OR t.completed_at > ${since}) LIMIT 1) IS NULL)))`;
}
