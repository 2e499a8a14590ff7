import type { Database } from '#db/client.js';
import type { ApiClient, ApiResponse } from '#testing/api-client.js';
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { FINAL } from '../drive-run.js';
import type { Findings } from '../findings.js';
import type { Deadline } from '../persist.js';
import type { CountedTool } from './counted-tool.js';
import { untilAnswered } from '../until-answered.js';

/** Dependencies of the work. */
export interface WorkPlace {
  api: ApiClient;
  db: Database;
  deadline: Deadline;
  /** URL of a server outside the stack. */
  tool: CountedTool;
}

/** Work of clients other than documents, during faults. */
export interface OtherWork {
  name: string;
  /**
   * Drives one piece of work to its end, like a persistent client.
   *
   * @returns the ID for findings, and a check to run immediately and again when every process is running
   * @throws Error if it does not end in time
   */
  drive(place: WorkPlace): Promise<{ id: string; check(findings: Findings): Promise<void> }>;
}

const POLL_INTERVAL_MS = 300;

/** Sends a change until it is answered; a repetition is the same change. @throws Error if it is refused */
export async function send(
  { api, deadline }: WorkPlace,
  method: string,
  path: string,
  body?: unknown,
): Promise<ApiResponse> {
  const headers: Record<string, string> = method === 'POST' ? { 'idempotency-key': randomUUID() } : {};
  const response = await untilAnswered(
    `${method} ${path}`,
    () => api.request(method, path, body, headers),
    deadline,
  );
  if (response.status >= 400) throw new Error(`${method} ${path} is refused: ${response.text}`);
  return response;
}

/** Polls until the work has reached a state. @throws Error when the time is over */
export async function untilThere(
  { api, deadline }: WorkPlace,
  path: string,
  isThere: (answer: ApiResponse) => boolean,
): Promise<ApiResponse> {
  for (;;) {
    const answer = await untilAnswered(`GET ${path}`, () => api.get(path), deadline);
    if (isThere(answer)) return answer;
    if (Date.now() > deadline.at)
      throw new Error(
        `GET ${path}: not as expected by the deadline. Last seen: ${answer.text.slice(0, 300)}`,
      );
    await delay(POLL_INTERVAL_MS);
  }
}

/** Polls a run until its end. */
export const runEnded = (place: WorkPlace, id: string) =>
  untilThere(place, `/api/agents/runs/${id}`, ({ json }) => FINAL.includes(String(json.status)));

/** Checks a run's end and its log: completed, no gap, one end, no duplicates. */
export async function checkRunLog(db: Database, id: string, findings: Findings): Promise<void> {
  const run = await db.run.findUniqueOrThrow({ where: { id } });
  findings.expect(run.status === 'completed', 'lost', `is ${run.status} ${JSON.stringify(run.error)}`);
  const events = await db.runEvent.findMany({ where: { runId: id }, orderBy: { seq: 'asc' } });
  findings.expect(
    events.every(({ seq }, index) => seq === index + 1),
    'lost',
    'has a gap in its events',
  );
  const ends = events.filter(({ type }) => type === 'done').length;
  findings.expect(ends === 1, 'doubled', `has ${ends} done events`);
  findings.expect(events.at(-1)?.type === 'done', 'doubled', 'has events after its end');
}
