import type { AdvanceJob } from '#contracts/queues.js';
import { Prisma } from '#db/client.js';
import { announce, eventsCte, heldAt } from './event-log.js';
import { type Engine, LEASE_SECONDS } from '../engine.js';
import type { HeldRun } from '../kind.js';
import { commitTogether } from '../checkpointer/group-commit.js';
import { StaleEpochError } from './fence.js';
import { notSuspended } from './step-preemption.js';

interface ClaimedRow {
  id: string;
  tenant_id: string;
  session_id: string;
  kind: string;
  mode: string | null;
  inputs: Record<string, unknown>;
  step: number;
  epoch: number;
  crashes: number;
  blocked: number;
  is_new: boolean;
  express: boolean;
  traceparent: string | null;
  graph_version: string;
  parent_run_id: string | null;
  parent_task_id: string | null;
}

/**
 * Lease of a run that was released without a failure of its step: the next claim does not count as a crash.
 */
const RELEASED = Prisma.sql`to_timestamp(0)`;

/**
 * Claims a run by compare-and-set: succeeds only for a job with the current epoch, and only if the run has no
 * live lease and no pending task, and its tenant is not suspended. The lease uses the database's clock.
 *
 * @returns null if the job is stale
 */
export async function claimRun({ db }: Engine, job: AdvanceJob): Promise<HeldRun | null> {
  const event = {
    type: 'run_status' as const,
    data: { status: 'running' },
    effectKey: `running/${job.epoch + 1}`,
  };
  const guard = Prisma.sql`epoch = ${job.epoch}
    AND (status IN ('queued', 'waiting') OR (status = 'running' AND lease_until < now()))
    AND NOT EXISTS (SELECT 1 FROM tasks WHERE tasks.run_id = runs.id AND tasks.status = 'pending')
    AND ${notSuspended(Prisma.sql`runs.tenant_id`)}`;
  // Claiming after a runner died or its step failed counts as a crash; a committed step resets the count.
  const set = Prisma.sql`crashes = CASE WHEN status <> 'running' THEN 0
      WHEN lease_until = ${RELEASED} THEN crashes ELSE crashes + 1 END,
    epoch = epoch + 1, status = 'running', checked_at = now(),
    lease_until = now() + make_interval(secs => ${LEASE_SECONDS}),`;
  const rows = await commitTogether<ClaimedRow>(
    db,
    Prisma.sql`
    /* claim run */ WITH ${eventsCte(job.run_id, [event], guard, set)}
    SELECT runs.id, runs.tenant_id, runs.session_id, runs.kind, runs.mode, runs.inputs, runs.step, runs.traceparent, runs.graph_version, runs.parent_run_id,
      runs.parent_task_id, run_row.epoch,
      run_row.crashes, runs.blocked, run_row.express, NOT EXISTS (SELECT 1 FROM graph_checkpoints WHERE thread_id = run_row.id) AS is_new
    FROM run_row JOIN runs ON runs.id = run_row.id`,
  );
  const row = rows[0];
  if (!row) return null;
  announce(db, row.id, true);
  return {
    id: row.id,
    tenantId: row.tenant_id,
    sessionId: row.session_id,
    kind: row.kind,
    mode: row.mode,
    inputs: row.inputs,
    step: row.step,
    crashes: row.crashes,
    blocked: row.blocked,
    isNew: row.is_new,
    express: row.express,
    traceparent: row.traceparent,
    graphVersion: row.graph_version,
    parentRunId: row.parent_run_id,
    parentTaskId: row.parent_task_id,
    fence: { runId: row.id, epoch: row.epoch },
  };
}

/** Renews the lease of a claimed run until stopped; calls `onLost` if the run was fenced out. */
export function startLeaseRenewal({ db, log }: Engine, run: HeldRun, onLost: () => void): { stop(): void } {
  const renew = async () => {
    const renewed = await db.$executeRaw`
      /* renew lease */ UPDATE runs SET lease_until = now() + make_interval(secs => ${LEASE_SECONDS})
      WHERE id = ${run.id} AND ${heldAt(run.fence.epoch)}`;
    if (renewed === 0) onLost();
  };
  const timer = setInterval(
    () => {
      renew().catch((error: unknown) =>
        log.warn({ err: error, run_id: run.id }, 'failed to renew the lease'),
      );
    },
    (LEASE_SECONDS * 1000) / 3,
  );
  return { stop: () => clearInterval(timer) };
}

/**
 * Releases a claimed run immediately, so that another runner can continue it.
 *
 * @param failed true if the step failed: the next claim counts it as a crash
 * @returns crashes without progress, including a failure now; 0 if the run was fenced out
 */
export async function releaseRun({ db }: Engine, run: HeldRun, failed: boolean): Promise<number> {
  const [row] = await db.$statement<{ crashes: number }>(Prisma.sql`
    /* release run */ UPDATE runs SET lease_until = ${failed ? Prisma.sql`now()` : RELEASED}
    WHERE id = ${run.id} AND ${heldAt(run.fence.epoch)} RETURNING crashes`);
  return row ? row.crashes + (failed ? 1 : 0) : 0;
}

/**
 * Releases a run for a runner that supports it.
 *
 * @returns seconds for which no runner has supported it
 */
export async function releaseUnsupported({ db }: Engine, run: HeldRun): Promise<number> {
  const [row] = await db.$statement<{ seconds: number }>(Prisma.sql`
    /* give back unserved */ UPDATE runs SET lease_until = ${RELEASED}, unserved_epoch = epoch,
      unserved_since = CASE WHEN unserved_epoch = epoch - 1 THEN unserved_since ELSE now() END
    WHERE id = ${run.id} AND ${heldAt(run.fence.epoch)}
    RETURNING extract(epoch FROM now() - unserved_since)::float AS seconds`);
  if (!row) throw new StaleEpochError(run.fence);
  return row.seconds;
}
