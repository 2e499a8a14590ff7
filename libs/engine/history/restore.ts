import { newId } from '#contracts/ids.js';
import type { Engine } from '../engine.js';
import { findResumePoint } from './resume-point.js';
import { placeRun, dispatchRun, type Placement } from './place-run.js';
import { insertResumedRun } from './resumed-run.js';

interface RestoreRequest {
  /** ID of the new run, if the request may be a repetition. */
  id?: string;
  tenantId: string;
  sessionId: string;
  runId: string;
  /** ID from the run's history, or of a named checkpoint that the run made. */
  checkpointId: string;
  onConflict: Placement;
}

/**
 * Starts a run in the same session that continues from a checkpoint of an earlier run (X5). Copies only rows,
 * because manuscript versions are immutable.
 *
 * @returns the new run's ID
 * @throws ProblemError `not_found`, `checkpoint_unusable`, `run_active`
 */
export async function restoreSession(engine: Engine, request: RestoreRequest): Promise<string> {
  const { tenantId, sessionId, onConflict } = request;
  const origin = await findResumePoint(engine, tenantId, sessionId, request.runId, request.checkpointId);
  const id = request.id ?? newId('run');
  await placeRun(engine, { runId: id, sessionId, onConflict }, (tx) =>
    insertResumedRun(tx, { id, sessionId, origin, enqueued: onConflict === 'enqueue' }),
  );
  await dispatchRun(engine, id);
  return id;
}
