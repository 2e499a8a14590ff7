import { abandonRun } from './abandon.js';
import { dispatch } from './dispatch.js';
import type { Engine } from './engine.js';

/**
 * Cancels a run: its row, its model call in flight, its tasks and their jobs (B26). Its place is given to a run that waits.
 *
 * @returns false when the run had already ended
 */
export async function cancelRun(engine: Engine, runId: string): Promise<boolean> {
  const error = { code: 'cancelled', message: 'The run was cancelled.' };
  const cancelled = await abandonRun(engine, runId, { status: 'cancelled', error });
  if (cancelled) await dispatch(engine).catch(() => undefined);
  return cancelled;
}
