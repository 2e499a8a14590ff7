import { newId } from '#contracts/ids.js';
import type { Engine } from '../engine.js';
import { findOrigin } from './resume-point.js';
import { placeRun, dispatchRun, type Placement } from './place-run.js';
import { writeSuccessor } from './resumed-run.js';

export interface RestoreRequest {
  /** Of the new run, when the request may have been done before. */
  id?: string;
  tenantId: string;
  sessionId: string;
  runId: string;
  /** Of the run's history, or the id of a named checkpoint that the run made. */
  checkpointId: string;
  onConflict: Placement;
}

/**
 * Begins a run in the same session that goes on from a checkpoint of an earlier one (X5). Manuscripts are immutable versions,
 * so that nothing but rows is copied.
 *
 * @returns the id of the new run
 * @throws ProblemError `not_found`, `checkpoint_unusable`, `run_active`
 */
export async function restoreSession(engine: Engine, request: RestoreRequest): Promise<string> {
  const { tenantId, sessionId, onConflict } = request;
  const origin = await findOrigin(engine, tenantId, sessionId, request.runId, request.checkpointId);
  const id = request.id ?? newId('run');
  await placeRun(engine, { runId: id, sessionId, onConflict }, (tx) =>
    writeSuccessor(tx, { id, sessionId, origin, enqueued: onConflict === 'enqueue' }),
  );
  await dispatchRun(engine, id);
  return id;
}
