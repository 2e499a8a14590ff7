import type { NewRunEvent } from '#contracts/events.js';
import { Prisma } from '#db/client.js';
import { announce } from './announce.js';
import type { Engine } from './engine.js';
import { eventsCte } from './event-log.js';

/**
 * Appends an event to the log of a run; the same effect key adds nothing.
 *
 * @param whilePending the task that the event is of: once it is done, nothing is added. Without one the event is added whatever the status
 *   of the run, also after its end
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
