import type { NewRunEvent } from '#catalogue/events.js';
import { Prisma } from '#db/client.js';
import { announce } from './announce.js';
import type { Engine } from '../engine.js';
import { eventsCte } from './event-log.js';

/**
 * Appends an event to a run's log; no-op if its effect key exists.
 *
 * @param whilePending ID of the event's task: nothing is added once that task is done. Without it, the event
 *   is added whatever the run's status, even after its end
 */
export async function appendEvent(
  { db }: Engine,
  runId: string,
  event: NewRunEvent,
  whilePending?: string,
): Promise<void> {
  const guard =
    whilePending === undefined
      ? Prisma.sql`true`
      : Prisma.sql`EXISTS (SELECT 1 FROM tasks WHERE tasks.id = ${whilePending} AND tasks.run_id = runs.id AND tasks.status = 'pending')`;
  await db.$executeRaw`/* append event */ WITH ${eventsCte(runId, [event], guard)} SELECT 1 FROM appended`;
  announce(db, runId);
}
