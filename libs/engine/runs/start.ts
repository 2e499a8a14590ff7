import { ACTIVE_STATUSES } from '#db/shown-status.js';
import type { RunBudget } from '#contracts/budgets.js';
import { ProblemError } from '#contracts/errors.js';
import { phrase } from '#contracts/phrases/phrase.js';
import { newId } from '#contracts/ids.js';
import { Prisma, type DatabaseOrTransaction } from '#db/client.js';
import { toJsonb } from '#db/jsonb.js';
import { auditCte, markAudited } from '#db/repositories/audit.js';
import { statementsIn, type SendStatement } from '#db/statements.js';
import { asService, currentKey } from '#db/tenant-scope.js';
import { currentTraceparent } from '#telemetry/tracing.js';
import { announce } from './event-log.js';
import { afterCancellation, writeCancellation } from './cancel.js';
import type { Engine } from '../engine.js';
import { dispatch } from '../queue/dispatch.js';

/**
 * Policy if the session has an active run: reject the new run, wait for the active one to end, cancel it, or
 * cancel it and undo what it did to the session.
 */
export type OnConflict = 'reject' | 'enqueue' | 'interrupt' | 'rollback';

export interface NewRun {
  /** Set if the request may be repeated: a run with this ID is not started twice. */
  id?: string;
  tenantId: string;
  sessionId: string;
  /** Creates the session together with the run, if it does not exist yet. */
  newSession?: { title: string | null };
  kind: string;
  mode: string | null;
  inputs: Record<string, unknown>;
  graphVersion: string;
  /** Default: `reject`. */
  onConflict?: OnConflict;
  /** 0–9 within the tenant, higher first; default 0. */
  priority?: number;
  /** Budget for models; by default the run itself is unlimited. */
  budget?: RunBudget;
  /** Tokens after which the run asks a person if it has no budget; default: never. */
  defaultMaxTokens?: number | null;
}

interface StartedRun {
  id: string;
  /** Time when it was written; null if an earlier request has started the run. */
  createdAt: Date | null;
}

/** Another run may start between replacing a run and inserting the new one; then that run is replaced too. */
const REPLACE_ATTEMPTS = 5;

/**
 * Writes a run (status `queued`) with its first event in one statement, then dispatches. A failed enqueue is
 * not an error: the reconciler finds the run.
 *
 * Writes as the service: the row-level security policy of events looks up their run, which a statement that
 * creates both cannot see yet. The caller must have checked that the session belongs to the tenant, or pass
 * `newSession`.
 *
 * @throws ProblemError `run_active` if the session has an active run and `onConflict` is `reject`
 */
export async function startRun(engine: Engine, run: NewRun): Promise<StartedRun> {
  const id = run.id ?? newId('run');
  const started = await writeRun(engine, id, run);
  if (!started) throw new ProblemError('run_active', phrase('run_active.wait'));
  // If an earlier attempt of the request has started it, it has written the entry, too.
  markAudited('startRun');
  announce(engine.db, id, true);
  await dispatch(engine).catch((error: unknown) =>
    engine.log.warn({ err: error, run_id: id }, 'failed to dispatch the run; the reconciler will retry'),
  );
  return started;
}

/** @returns null if the session has an active run that must not be replaced */
async function writeRun(engine: Engine, id: string, run: NewRun): Promise<StartedRun | null> {
  const createdAt = await asService(() => insertRun(engine.db.$statement, id, run));
  if (createdAt || (await isThere(engine.db, id, run.tenantId))) return { id, createdAt };
  return asService(() => replaceActive(engine, id, run));
}

/** @returns the time of creation; null if the session has an active run, or a run with this ID exists */
async function insertRun(send: SendStatement, id: string, run: NewRun): Promise<Date | null> {
  const { newSession, sessionId, tenantId } = run;
  const session = newSession
    ? Prisma.sql`session_row AS (INSERT INTO sessions (id, tenant_id, title) VALUES (${sessionId}, ${tenantId}, ${newSession.title})),`
    : Prisma.empty;
  const [written] = await send<{ at: Date }>(Prisma.sql`
    /* start run */ WITH ${session} run_row AS (
      INSERT INTO runs (id, tenant_id, session_id, kind, mode, status, inputs, graph_version, event_seq, enqueued,
        traceparent, priority, max_tokens, max_cost, default_max_tokens, api_key_id)
      VALUES (${id}, ${tenantId}, ${sessionId}, ${run.kind}, ${run.mode}, 'queued',
              ${toJsonb(run.inputs)}::jsonb, ${run.graphVersion}, 1, ${run.onConflict === 'enqueue'},
              ${currentTraceparent()}, ${run.priority ?? 0}, ${run.budget?.max_tokens ?? null}::bigint,
              ${run.budget?.max_cost ?? null}::bigint, ${run.defaultMaxTokens ?? null}::bigint, ${currentKey()})
      ON CONFLICT DO NOTHING
      RETURNING id, tenant_id, created_at
    ), first_event AS (
      INSERT INTO run_events (run_id, seq, type, data, effect_key)
      SELECT id, 1, 'run_status', '{"status":"queued"}'::jsonb, 'queued' FROM run_row
    )${auditCte('startRun', id, Prisma.sql`run_row`)}
    SELECT created_at AS at FROM run_row`);
  return written?.at ?? null;
}

/**
 * Returns whether the run exists: an earlier request has started it, and its process died before it
 * responded.
 */
async function isThere(db: DatabaseOrTransaction, id: string, tenantId: string): Promise<boolean> {
  const rows = await db.$queryRaw<unknown[]>`SELECT 1 FROM runs WHERE id = ${id} AND tenant_id = ${tenantId}`;
  return rows.length > 0;
}

/**
 * Cancels the session's active run and inserts the new one, in one transaction; enqueued runs keep waiting.
 *
 * @returns null if `onConflict` does not request it
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
