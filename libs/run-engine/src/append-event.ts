import type { NewRunEvent } from '#contracts/events.js';
import { Prisma } from '#db/client.js';
import { announce } from './announce.js';
import type { Engine } from './engine.js';
import { eventsCte } from './event-log.js';

/** Appends an event to the log of a run whatever its status, also after its end; the same effect key adds nothing. */
export async function appendEvent({ db }: Engine, runId: string, event: NewRunEvent): Promise<void> {
  await db.$executeRaw`/* append event */ WITH ${eventsCte(runId, [event], Prisma.sql`true`)} SELECT 1 FROM appended`;
  announce(db, runId);
}
