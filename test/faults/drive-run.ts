import type { RunEvent } from '#catalogue/events.js';
import type { ApiClient, DecisionView } from '#testing/api-client.js';
import { TINY_PNG } from '#testing/examples.js';
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { cutUpload } from './cut-upload.js';
import { follow } from './follow.js';
import { type Plan } from './plan.js';
import type { Deadline } from './persist.js';
import { untilAnswered } from './until-answered.js';

/** A client's view of a run, whatever happened to the servers. */
export interface SeenRun {
  runId: string;
  sessionId: string;
  status: string;
  error: unknown;
  events: RunEvent[];
  /** Accepted answers. */
  accepted: unknown[];
  /** Whether a cancel was requested. */
  cancelled: boolean;
  /** Runs of the session. */
  runsStarted: number;
}

const PAUSE_MS = 50;
/** Interval in ms at which a client without events reads its run. */
const POLL_INTERVAL_MS = 2_000;
/** Events after which the client reads the run. */
const CALLING: readonly string[] = ['run_status', 'decision_required', 'done'];
/** Final statuses of a run. */
export const FINAL: readonly string[] = ['completed', 'failed', 'cancelled', 'rejected'];
const MISSING_IMAGE = 'pool.png';
/** Small, so that many runs fit into a minute: two chapters, and a question about a missing image. */
const FILES: Record<string, string | Uint8Array> = {
  'notes.md': `# Notes\n\nThe first alarm came at 03:12.\n\n![Pool](${MISSING_IMAGE})\n`,
  'app.log': 'ERROR 1 down\nERROR 2 still down\n',
  'dashboard.png': TINY_PNG,
};

async function newSession(api: ApiClient, plan: Plan, deadline: Deadline): Promise<string> {
  const session = await untilAnswered('a new session', () => api.post('/api/sessions', {}), deadline);
  const id = String(session.json.id);
  const entries = Object.entries(FILES);
  if (plan.cutsUpload) await cutUpload(api, id, ...entries[0]!);
  for (const [name, content] of entries) {
    const uploaded = await untilAnswered(
      `the upload of ${name}`,
      () => api.upload(id, { [name]: content }),
      deadline,
    );
    if (uploaded.status >= 400) throw new Error(`upload refused: ${uploaded.text}`);
  }
  return id;
}

/** Finds the runs of a session. */
export type RunsOfSession = (sessionId: string) => Promise<string[]>;

/** Starts the run; if the response was lost, finds the run in the session. */
async function start(
  api: ApiClient,
  sessionId: string,
  plan: Plan,
  deadline: Deadline,
  find: RunsOfSession,
): Promise<string> {
  const body = { session_id: sessionId, inputs: {} };
  const headers = { 'idempotency-key': randomUUID() };
  const send = () => api.request('POST', '/api/agents/runs', body, headers);
  const copies = Array.from({ length: plan.starts - 1 }, () => send().catch(() => null));
  const response = await untilAnswered(`the start of a run in ${sessionId}`, send, deadline);
  await Promise.all(copies);
  if (response.status === 202) return String(response.json.id);
  const [existing] = await find(sessionId);
  if (response.status === 409 && existing !== undefined) return existing;
  throw new Error(`run not started: ${response.text}`);
}

/** Sends answers to an open decision, all at once: one kind must win. */
async function answer(api: ApiClient, id: string, answers: readonly string[], seen: SeenRun): Promise<void> {
  const send = (choice: string) =>
    api.post(`/api/decisions/${id}/answer`, { user_decisions: { [MISSING_IMAGE]: choice } });
  for (const response of await Promise.allSettled(answers.map(send))) {
    if (response.status === 'fulfilled' && response.value.status === 200)
      seen.accepted.push(response.value.json['answer']);
  }
}

/** Ends a run whose model failed permanently. */
const stop = (api: ApiClient, id: string) =>
  api.post(`/api/decisions/${id}/answer`, { action: 'stop' }).catch(() => undefined);

/** Waits for an event that requires reading the run, for the next poll, or for the time of the cancel. */
async function untilCalled(seen: SeenRun, known: number, cancelAt: number): Promise<void> {
  const lookAt = Math.min(Date.now() + POLL_INTERVAL_MS, cancelAt);
  while (callsIn(seen) === known && Date.now() < lookAt) await delay(PAUSE_MS);
}

const callsIn = ({ events }: SeenRun): number => events.filter(({ type }) => CALLING.includes(type)).length;

/** Reads the run, answers its questions, and cancels it if planned, until it has ended. */
async function accompany(api: ApiClient, plan: Plan, deadline: Deadline, seen: SeenRun): Promise<void> {
  const path = `/api/agents/runs/${seen.runId}`;
  const cancelAt = Date.now() + (plan.cancelAfterMs ?? Infinity);
  while (Date.now() < deadline.at) {
    const known = callsIn(seen);
    const run = await untilAnswered(`GET ${path}`, () => api.get(path), deadline);
    seen.status = String(run.json.status);
    seen.error = run.json.error;
    if (FINAL.includes(seen.status)) return;
    if (Date.now() > cancelAt && !seen.cancelled) {
      seen.cancelled = true;
      await untilAnswered(`POST ${path}/cancel`, () => api.post(`${path}/cancel`), deadline);
    }
    if (seen.status === 'needs_answer') {
      const decisions = `/api/decisions?run_id=${seen.runId}`;
      const open = await untilAnswered(`GET ${decisions}`, () => api.get(decisions), deadline);
      for (const { id, decision_type: type } of (open.json.items ?? []) as DecisionView[])
        await (type === 'model_failed' ? stop(api, id) : answer(api, id, plan.answers, seen));
    }
    await untilCalled(seen, known, seen.cancelled ? Infinity : cancelAt);
  }
}

/**
 * Drives a document run from the upload to its end like a persistent client.
 *
 * @param find finds the runs of a session, in case the response to a start was lost
 */
export async function driveRun(
  api: ApiClient,
  plan: Plan,
  deadline: Deadline,
  find: RunsOfSession,
): Promise<SeenRun> {
  const sessionId = await newSession(api, plan, deadline);
  const seen: SeenRun = {
    runId: await start(api, sessionId, plan, deadline, find),
    sessionId,
    status: 'queued',
    error: null,
    events: [],
    accepted: [],
    cancelled: false,
    runsStarted: 0,
  };
  const following = follow(api, seen.runId, seen.events, deadline);
  await accompany(api, plan, deadline, seen);
  await following;
  seen.runsStarted = (await find(sessionId)).length;
  return seen;
}
