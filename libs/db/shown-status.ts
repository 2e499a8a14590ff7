import type { RunStatus } from '#contracts/runs.js';
import { Prisma } from './client.js';

/*
 * Maps the stored status of a parked run to the status for clients. The engine stores a run with open tasks,
 * and its event, as `waiting`. Clients see `needs_answer` if a person has to answer, otherwise `running`,
 * because a worker's result lets the run continue.
 */

const PARKED = 'waiting';
const QUESTION = 'human_input';

/** Returns whether a stored run is parked; only parked runs have open tasks. */
export const isParked = ({ status }: { status: string }): boolean => status === PARKED;

/** Returns the status that clients see of a stored run. */
export function shownStatus(run: { status: string }, needsAnswer: boolean): RunStatus {
  if (isParked(run)) return needsAnswer ? 'needs_answer' : 'running';
  return run.status as RunStatus;
}

/** Returns the data that clients see of a stored event. */
export function shownEventData(type: string, data: Record<string, unknown>): Record<string, unknown> {
  if (data['status'] !== PARKED) return data;
  // A parent run is notified of a parked child only when the child needs an answer.
  const tasks = data['waiting_for'] as { task: string }[] | undefined;
  const needsAnswer = type === 'child_run' || tasks?.some(({ task }) => task === QUESTION);
  return { ...data, status: needsAnswer ? 'needs_answer' : 'running' };
}

/**
 * Subquery for an open question of a row of `runs r`. PostgreSQL expects that a parked run has one, so a page
 * of them ends early.
 */
const OPEN_QUESTION = `(SELECT q.id FROM tasks q WHERE q.run_id = r.id AND q.name = '${QUESTION}' AND q.status = 'pending' LIMIT 1)`;

/** The status that clients see of a row of `runs r`. */
export const SHOWN_STATUS = Prisma.raw(
  `CASE WHEN r.status <> '${PARKED}' THEN r.status WHEN ${OPEN_QUESTION} IS NULL THEN 'running' ELSE 'needs_answer' END`,
);

/**
 * Returns conditions on `runs r`, one per stored status; together they select the runs with that status for
 * clients.
 */
export function shownUnder(status: RunStatus): Prisma.Sql[] {
  const parked = (test: string) => Prisma.raw(`r.status = '${PARKED}' AND ${OPEN_QUESTION} ${test}`);
  if (status === 'needs_answer') return [parked('IS NOT NULL')];
  const stored = Prisma.sql`r.status = ${status}`;
  return status === 'running' ? [stored, parked('IS NULL')] : [stored];
}

/** The status that clients see of a `run_status` event in a row of `run_events e`. */
export const SHOWN_EVENT_STATUS =
  Prisma.raw(`CASE WHEN e.data->>'status' <> '${PARKED}' THEN e.data->>'status'
  WHEN e.data->'waiting_for' @> '[{"task":"${QUESTION}"}]' THEN 'needs_answer' ELSE 'running' END`);

/**
 * Condition on a row of `run_events e`: false for events of runs that are parked only at tasks of workers.
 */
export const CHANGES_SHOWN_STATUS = Prisma.raw(`(e.data->>'status' IS DISTINCT FROM '${PARKED}'
  OR e.data->'waiting_for' @> '[{"task":"${QUESTION}"}]')`);

/** Stored statuses of runs that have not ended; `waiting` means parked (see shown-status.ts). */
export const storedActiveStatuses = ['queued', 'running', 'waiting'];

/** The same statuses as literals: `status IN (${ACTIVE_STATUSES})` uses their partial indexes. */
export const ACTIVE_STATUSES = Prisma.raw(storedActiveStatuses.map((status) => `'${status}'`).join(', '));
