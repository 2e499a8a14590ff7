import { ProblemError } from '#contracts/errors.js';
import { newId } from '#contracts/ids.js';
import { Prisma } from '#db/client.js';
import { toJsonb } from '#db/jsonb.js';
import { asService } from '#db/tenant-scope.js';
import { currentTraceparent } from '#telemetry/tracing.js';
import { announce } from './announce.js';
import { cancelRun } from './cancel.js';
import type { Engine } from './engine.js';
import { dispatch } from './dispatch.js';

/** What a new run does when its session has one that has not ended: be refused, wait for its end, or cancel it. */
export type OnConflict = 'reject' | 'enqueue' | 'interrupt';

export interface NewRun {
  tenantId: string;
  sessionId: string;
  kind: string;
  mode: string | null;
  inputs: Record<string, unknown>;
  graphVersion: string;
  /** `reject` by default. */
  onConflict?: OnConflict;
}

/** An interrupted run may be replaced by another one before the new run is in; then that one is cancelled too. */
const INTERRUPT_ATTEMPTS = 5;

/**
 * Writes a run (status `queued`) with its first event in one statement, then hands it to the dispatcher. An enqueue
 * that fails is not an error: the reconciler will find the run.
 *
 * @returns the run's id
 * @throws ProblemError `run_active` when the session has a run that has not ended and `onConflict` is `reject`
 */
export async function startRun(engine: Engine, run: NewRun): Promise<string> {
  const id = newId('run');
  if (!(await insertRun(engine, id, run)) && !(await interruptAndInsert(engine, id, run))) {
    throw new ProblemError(
      'run_active',
      'Wait until the active run of this session has ended, or cancel it.',
    );
  }
  announce(engine.db, id);
  await dispatch(engine).catch((error: unknown) =>
    engine.log.warn({ err: error, run_id: id }, 'not enqueued yet'),
  );
  return id;
}

/**
 * As the service: a policy on events asks for their run, which a statement that makes both cannot see yet. The caller has
 * found the session among the tenant's.
 *
 * @returns false when the session has an active run
 */
async function insertRun({ db }: Engine, id: string, run: NewRun): Promise<boolean> {
  const insert = () =>
    db.$statement(Prisma.sql`
    WITH run_row AS (
      INSERT INTO runs (id, tenant_id, session_id, kind, mode, status, inputs, graph_version, event_seq, enqueued,
        traceparent)
      VALUES (${id}, ${run.tenantId}, ${run.sessionId}, ${run.kind}, ${run.mode}, 'queued',
              ${toJsonb(run.inputs)}::jsonb, ${run.graphVersion}, 1, ${run.onConflict === 'enqueue'},
              ${currentTraceparent()})
      ON CONFLICT (session_id) WHERE status IN ('queued', 'running', 'waiting') AND NOT enqueued DO NOTHING
      RETURNING id
    )
    INSERT INTO run_events (run_id, seq, type, data, effect_key)
    SELECT id, 1, 'run_status', '{"status":"queued"}'::jsonb, 'queued' FROM run_row
    RETURNING 1`);
  return (await asService(insert)).length > 0;
}

/** Cancels the session's active run and takes its place; runs that wait behind it go on waiting. */
async function interruptAndInsert(engine: Engine, id: string, run: NewRun): Promise<boolean> {
  if (run.onConflict !== 'interrupt') return false;
  for (let attempt = 0; attempt < INTERRUPT_ATTEMPTS; attempt++) {
    const active = await engine.db.$queryRaw<{ id: string }[]>`
      SELECT id FROM runs
      WHERE session_id = ${run.sessionId} AND status IN ('queued', 'running', 'waiting') AND NOT enqueued`;
    for (const { id: activeId } of active) await cancelRun(engine, activeId, { handOn: false });
    if (await insertRun(engine, id, run)) return true;
  }
  return false;
}
