import { storedActiveStatuses } from '#db/active-statuses.js';
import { ProblemError } from '#contracts/errors.js';
import { announce } from '../announce.js';
import { cancelRun } from '../cancel.js';
import { dispatch } from '../dispatch.js';
import type { Engine } from '../engine.js';
import type { OnConflict } from '../start.js';
import type { Transaction } from './resumed-run.js';

/** What becomes of a run of the session that has not ended. */
export type Placement = Exclude<OnConflict, 'rollback'>;

/** Milliseconds that a copy's transaction may take. */
export const TIMEOUT_MS = 60_000;
/** An interrupted run may be replaced by another one before the new run is in; then that one is cancelled too. */
const INTERRUPT_ATTEMPTS = 5;

/**
 * Writes a run into a session, in one transaction that holds the session: no other run can begin in it meanwhile. When the
 * run is there already, nothing is done.
 *
 * @param write puts everything that belongs to the run into the transaction
 * @throws ProblemError `run_active` when a run of the session has not ended and `onConflict` is `reject`; `not_found`
 */
export async function placeRun(
  engine: Engine,
  { runId, sessionId, onConflict }: { runId: string; sessionId: string; onConflict: Placement },
  write: (tx: Transaction) => Promise<void>,
): Promise<void> {
  for (let attempt = 0; attempt < INTERRUPT_ATTEMPTS; attempt++) {
    const active = await engine.db.$transaction(
      async (tx) => {
        const held = await tx.$queryRaw<object[]>`SELECT id FROM sessions WHERE id = ${sessionId} FOR UPDATE`;
        if (held.length === 0) throw new ProblemError('not_found', 'There is no session of that id.');
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
  throw new ProblemError('run_active', 'Wait until the active run of this session has ended, or cancel it.');
}

/** Tells of a run that was written, and hands it to the dispatcher; what fails here the reconciler makes good. */
export async function dispatchRun(engine: Engine, runId: string): Promise<void> {
  announce(engine.db, runId);
  await dispatch(engine).catch((error: unknown) =>
    engine.log.warn({ err: error, run_id: runId }, 'not enqueued yet'),
  );
}
