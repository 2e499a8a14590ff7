import { decisionRequestSchema } from '#catalogue/decisions.js';
import { Prisma } from '#db/client.js';
import { forEachConcurrently } from '#contracts/for-each-concurrently.js';
import type { Engine } from '../engine.js';
import { announce, eventsCte } from '../runs/event-log.js';
import { notSuspended } from '../runs/step-preemption.js';

/** Seconds before the deadline of a decision at which people are reminded, unless a setting says otherwise. */
export const REMINDER_SECONDS = 24 * 3_600;
/** Maximum reminders per round. */
const BATCH = 200;

interface DueDecision {
  id: string;
  run_id: string;
  input: unknown;
  deadline: Date;
}

/**
 * Adds an event to each open decision whose deadline is near, once: its time in the decision's row is set in the same
 * statement. Of a decision that had less than twice that time at first, half of its time is left then.
 *
 * @param leadSeconds before the deadline; 0 for no reminders
 * @param now the time, in SQL; by default that of the database
 * @returns the number of reminders
 */
export async function remindOfDeadlines(
  engine: Engine,
  leadSeconds: number,
  now = Prisma.sql`now()`,
): Promise<number> {
  const lead = Prisma.sql`make_interval(secs => ${leadSeconds})`;
  const due = await engine.db.$queryRaw<DueDecision[]>`
    /* decisions to remind of */ SELECT id, run_id, input, deadline FROM tasks
    WHERE status = 'pending' AND deadline > ${now} AND deadline <= ${now} + ${lead} AND reminded_at IS NULL
      AND deadline - least(${lead}, (deadline - created_at) / 2) <= ${now} AND ${notSuspended(Prisma.sql`tenant_id`)}
    ORDER BY deadline LIMIT ${BATCH}`;
  let reminded = 0;
  await forEachConcurrently(due, async (decision) => {
    if (await remind(engine, decision, now)) reminded += 1;
  });
  return reminded;
}

/** Returns false if the decision was answered or cancelled, or another process was faster. */
async function remind({ db }: Engine, decision: DueDecision, now: Prisma.Sql): Promise<boolean> {
  const { id, run_id: runId, input, deadline } = decision;
  const { decision_type, question, phrase } = decisionRequestSchema.parse(input);
  const event = {
    type: 'decision_due' as const,
    data: { decision_id: id, decision_type, question, phrase, deadline: deadline.toISOString() },
    effectKey: `decision_due/${id}`,
  };
  const added = await db.$queryRaw<unknown[]>`
    /* remind of decision */
    -- Lock the run's row first, as every other statement does, to prevent deadlocks.
    WITH locked AS MATERIALIZED (SELECT id FROM runs WHERE id = ${runId} FOR NO KEY UPDATE),
    task AS (
      UPDATE tasks SET reminded_at = ${now}
      WHERE id = ${id} AND run_id = (SELECT id FROM locked) AND status = 'pending' AND reminded_at IS NULL
      RETURNING id
    ),
    ${eventsCte(runId, [event], Prisma.sql`EXISTS (SELECT 1 FROM task)`)}
    SELECT 1 FROM appended`;
  if (added.length > 0) announce(db, runId);
  return added.length > 0;
}
