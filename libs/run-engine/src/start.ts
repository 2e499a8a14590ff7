import { ACTIVE_STATUSES } from '#db/active-statuses.js';
import type { RunBudget } from '#contracts/budgets.js';
import { ProblemError } from '#contracts/errors.js';
import { newId } from '#contracts/ids.js';
import { Prisma, type DatabaseOrTransaction } from '#db/client.js';
import { toJsonb } from '#db/jsonb.js';
import { statementsIn, type SendStatement } from '#db/statements.js';
import { asService } from '#db/tenant-scope.js';
import { currentTraceparent } from '#telemetry/tracing.js';
import { announce } from './announce.js';
import { afterCancellation, writeCancellation } from './cancel.js';
import type { Engine } from './engine.js';
import { dispatch } from './dispatch.js';

/**
 * What a new run does when its session has one that has not ended: be refused, wait for its end, cancel it, or cancel it and
 * take back what it did to the session.
 */
export type OnConflict = 'reject' | 'enqueue' | 'interrupt' | 'rollback';

export interface NewRun {
  /** Given when the request may come again: a run of this id is then not started twice. */
  id?: string;
  tenantId: string;
  sessionId: string;
  /** The session does not exist yet: it is made together with the run, or not at all. */
  newSession?: { title: string | null };
  kind: string;
  mode: string | null;
  inputs: Record<string, unknown>;
  graphVersion: string;
  /** `reject` by default. */
  onConflict?: OnConflict;
  /** 0–9 within its tenant, higher first; 0 by default. */
  priority?: number;
  /** What it may spend on models; no limit of its own by default. */
  budget?: RunBudget;
}

/** A replaced run may be followed by another one before the new run is in; then that one is replaced too. */
const REPLACE_ATTEMPTS = 5;

/**
 * Writes a run (status `queued`) with its first event in one statement, then hands it to the dispatcher. An enqueue
 * that fails is not an error: the reconciler will find the run.
 *
 * It is written as the service: a policy on events asks for their run, which a statement that makes both cannot see yet. The
 * caller has found the session among the tenant's, or has it made.
 *
 * @returns the run's id
 * @throws ProblemError `run_active` when the session has a run that has not ended and `onConflict` is `reject`
 */
export async function startRun(engine: Engine, run: NewRun): Promise<string> {
  return (await beginRun(engine, run)).id;
}

/** A run that was started. */
export interface StartedRun {
  id: string;
  /** When it was written; null when the request was done before. */
  createdAt: Date | null;
}

/** As `startRun`, for who shows the run at once. */
export async function beginRun(engine: Engine, run: NewRun): Promise<StartedRun> {
  const id = run.id ?? newId('run');
  const started = await writeRun(engine, id, run);
  if (!started)
    throw new ProblemError(
      'run_active',
      'Wait until the active run of this session has ended, or cancel it.',
    );
  announce(engine.db, id);
  await dispatch(engine).catch((error: unknown) =>
    engine.log.warn({ err: error, run_id: id }, 'not enqueued yet'),
  );
  return started;
}

/** @returns null when the session has an active run that is not to be replaced */
async function writeRun(engine: Engine, id: string, run: NewRun): Promise<StartedRun | null> {
  const createdAt = await asService(() => insertRun(engine.db.$statement, id, run));
  if (createdAt || (await isThere(engine.db, id, run.tenantId))) return { id, createdAt };
  return asService(() => replaceActive(engine, id, run));
}

/** @returns when it was written; null when the session has an active run, or the run of this id is there already */
async function insertRun(send: SendStatement, id: string, run: NewRun): Promise<Date | null> {
  const { newSession, sessionId, tenantId } = run;
  const session = newSession
    ? Prisma.sql`session_row AS (INSERT INTO sessions (id, tenant_id, title) VALUES (${sessionId}, ${tenantId}, ${newSession.title})),`
    : Prisma.empty;
  const [written] = await send<{ at: Date }>(Prisma.sql`
    /* start run */ WITH ${session} run_row AS (
      INSERT INTO runs (id, tenant_id, session_id, kind, mode, status, inputs, graph_version, event_seq, enqueued,
        traceparent, priority, max_tokens, max_cost)
      VALUES (${id}, ${tenantId}, ${sessionId}, ${run.kind}, ${run.mode}, 'queued',
              ${toJsonb(run.inputs)}::jsonb, ${run.graphVersion}, 1, ${run.onConflict === 'enqueue'},
              ${currentTraceparent()}, ${run.priority ?? 0}, ${run.budget?.max_tokens ?? null}::bigint,
              ${run.budget?.max_cost ?? null}::bigint)
      ON CONFLICT DO NOTHING
      RETURNING id, created_at
    ), first_event AS (
      INSERT INTO run_events (run_id, seq, type, data, effect_key)
      SELECT id, 1, 'run_status', '{"status":"queued"}'::jsonb, 'queued' FROM run_row
    )
    SELECT created_at AS at FROM run_row`);
  return written?.at ?? null;
}

/** The request that starts the run was done before, and its process died before it answered. */
async function isThere(db: DatabaseOrTransaction, id: string, tenantId: string): Promise<boolean> {
  const rows = await db.$queryRaw<unknown[]>`SELECT 1 FROM runs WHERE id = ${id} AND tenant_id = ${tenantId}`;
  return rows.length > 0;
}

/**
 * Cancels the session's active run and takes its place, in one transaction; runs that wait behind it go on waiting.
 *
 * @returns null when `onConflict` does not ask for it
 */
async function replaceActive(engine: Engine, id: string, run: NewRun): Promise<StartedRun | null> {
  if (run.onConflict !== 'interrupt' && run.onConflict !== 'rollback') return null;
  const isRollback = run.onConflict === 'rollback';
  for (let attempt = 0; attempt < REPLACE_ATTEMPTS; attempt++) {
    const { createdAt, replaced } = await engine.db.$transaction(async (tx) => {
      const active = await tx.$queryRaw<{ id: string }[]>`
        SELECT id FROM runs
        WHERE session_id = ${run.sessionId} AND status IN (${ACTIVE_STATUSES}) AND NOT enqueued AND parent_run_id IS NULL
          AND id <> ${id}`;
      const cancelled = await Promise.all(
        active.map(async (old) => ({ id: old.id, stopped: await writeCancellation(tx, old.id, isRollback) })),
      );
      return { createdAt: await insertRun(statementsIn(tx), id, run), replaced: cancelled };
    });
    for (const { id: oldId, stopped } of replaced)
      if (stopped) await afterCancellation(engine, oldId, stopped);
    if (createdAt || (await isThere(engine.db, id, run.tenantId))) return { id, createdAt };
  }
  return null;
}
