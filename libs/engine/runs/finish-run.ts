import type { NewRunEvent } from '#contracts/events.js';
import { Prisma } from '#db/client.js';
import { toJsonb } from '#db/jsonb.js';
import { announce } from '../events/announce.js';
import { completeParentTask } from './child-runs.js';
import { dispatch } from '../tasks/dispatch.js';
import type { TakeRest } from '../checkpointer/group-commit.js';
import type { Engine } from '../engine.js';
import { eventsCte, heldAt } from '../events/event-log.js';
import { StaleEpochError } from './fence.js';
import type { HeldRun, RunOutcome } from '../kind.js';
import { resultsCte, type RunView } from './run-view.js';

/**
 * Ends a run in one statement: status, error, last events and the unwritten rows of its last step.
 *
 * @throws StaleEpochError if the run was fenced out
 */
export async function finishRun(
  engine: Engine,
  run: HeldRun,
  takeRest: TakeRest,
  outcome: RunOutcome,
  view: RunView | null = null,
): Promise<void> {
  const { status, error, result } = outcome;
  const unwritten = await takeRest();
  const data = { status, ...(error ? { error } : {}) };
  const events: NewRunEvent[] = [
    ...unwritten.events,
    { type: 'run_status', data, effectKey: 'ended' },
    { type: 'done', data: { ...data, ...result }, effectKey: 'done' },
  ];
  const set = Prisma.sql`status = ${status}, error = ${error ? toJsonb(error) : null}::jsonb, lease_until = NULL,
    summary = summary || ${toJsonb(view?.progress ?? {})}::jsonb, finished_at = now(),`;
  const rows = await engine.db.$statement<{ waiting: boolean }>(Prisma.sql`
    /* finish run */ WITH ${eventsCte(run.id, events, heldAt(run.fence.epoch), set)}${resultsCte(view?.results ?? {})}${unwritten.rows}
    SELECT EXISTS (SELECT 1 FROM runs WHERE status = 'queued' AND dispatched_at IS NULL) AS waiting FROM run_row`);
  if (!rows[0]) throw new StaleEpochError(run.fence);
  announce(engine.db, run.id);
  if (run.parentTaskId !== null) await completeParentTask(engine, run.id).catch(() => undefined);
  if (rows[0].waiting) await dispatch(engine).catch(() => undefined);
}
