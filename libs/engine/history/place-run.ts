import { storedActiveStatuses } from '#db/shown-status.js';
import { ProblemError } from '#contracts/errors.js';
import { phrase } from '#contracts/phrases/phrase.js';
import { announce } from '../runs/event-log.js';
import { cancelRun } from '../runs/cancel.js';
import { dispatch } from '../queue/dispatch.js';
import type { Engine } from '../engine.js';
import type { OnConflict } from '../runs/start.js';
import type { Transaction } from './resumed-run.js';

/** Policy for an active run of the session. */
export type Placement = Exclude<OnConflict, 'rollback'>;

/** Timeout of a copy's transaction in ms. */
export const TIMEOUT_MS = 60_000;
/**
 * Another run may start between cancelling a run and inserting the new one; then that run is cancelled too.
 */
const INTERRUPT_ATTEMPTS = 5;

/**
 * Writes a run into a session, in one transaction that locks the session against other new runs. No-op if the
 * run exists.
 *
 * @param write writes everything that belongs to the run, in the transaction
 * @throws ProblemError `run_active` if the session has an active run and `onConflict` is `reject`;
 *   `not_found`
 */
export async function placeRun(
  engine: Engine,
  { runId, sessionId, onConflict }: { runId: string; sessionId: string; onConflict: Placement },
  write: (tx: Transaction) => Promise<void>,
): Promise<void> {
  for (let attempt = 0; attempt < INTERRUPT_ATTEMPTS; attempt++) {
    const active = await engine.db.$transaction(
      async (tx) => {
        const lockedSession = await tx.$queryRaw<
          object[]
        >`SELECT id FROM sessions WHERE id = ${sessionId} FOR UPDATE`;
        if (lockedSession.length === 0) throw new ProblemError('not_found', phrase('not_found.session_gone'));
        if ((await tx.run.count({ where: { id: runId } })) > 0) return [];
        const active = await tx.run.findMany({
          where: {
            sessionId,
            status: { in: storedActiveStatuses },
            enqueued: false,
            parentRunId: null,
          },
          select: { id: true },
        });
        if (active.length === 0 || onConflict === 'enqueue') await write(tx);
        return onConflict === 'enqueue' ? [] : active;
      },
      { timeout: TIMEOUT_MS, maxWait: TIMEOUT_MS },
    );
    if (active.length === 0) return;
    if (onConflict === 'reject') break;
    for (const { id } of active) await cancelRun(engine, id, { handOn: false });
  }
  throw new ProblemError('run_active', phrase('run_active.wait'));
}

/** Announces and dispatches a new run; if that fails, the reconciler does it. */
export async function dispatchRun(engine: Engine, runId: string): Promise<void> {
  announce(engine.db, runId);
  await dispatch(engine).catch((error: unknown) =>
    engine.log.warn({ err: error, run_id: runId }, 'failed to dispatch the run; the reconciler will retry'),
  );
}
