import { ProblemError } from '#contracts/errors.js';
import { newId } from '#contracts/ids.js';
import { announce } from './announce.js';
import type { Engine } from './engine.js';
import { dispatch } from './dispatch.js';

export interface NewRun {
  tenantId: string;
  sessionId: string;
  kind: string;
  mode: string | null;
  inputs: Record<string, unknown>;
  graphVersion: string;
}

/**
 * Writes a run (status `queued`) with its first event in one statement, then hands it to the dispatcher. An enqueue
 * that fails is not an error: the reconciler will find the run.
 *
 * @returns the run's id
 * @throws ProblemError `run_active` when the session has a run that has not ended
 */
export async function startRun(engine: Engine, run: NewRun): Promise<string> {
  const id = newId('run');
  const inserted = await engine.db.$queryRaw<{ id: string }[]>`
    WITH run_row AS (
      INSERT INTO runs (id, tenant_id, session_id, kind, mode, status, inputs, graph_version, event_seq)
      VALUES (${id}, ${run.tenantId}, ${run.sessionId}, ${run.kind}, ${run.mode}, 'queued',
              ${JSON.stringify(run.inputs)}::jsonb, ${run.graphVersion}, 1)
      ON CONFLICT (session_id) WHERE status IN ('queued', 'running', 'waiting') DO NOTHING
      RETURNING id
    )
    INSERT INTO run_events (run_id, seq, type, data, effect_key)
    SELECT id, 1, 'run_status', '{"status":"queued"}'::jsonb, 'queued' FROM run_row
    RETURNING run_id AS id`;
  if (inserted.length === 0) {
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
