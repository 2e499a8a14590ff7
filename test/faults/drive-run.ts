import type { RunEvent } from '#contracts/events.js';
import type { ApiClient, ApiResponse, DecisionView } from '#testing/api-client.js';
import { exampleFiles, MISSING_IMAGE } from '#testing/examples.js';
import { setTimeout as delay } from 'node:timers/promises';
import { follow } from './follow.js';

/** What a client saw of a run, whatever happened to the servers meanwhile. */
export interface SeenRun {
  runId: string;
  sessionId: string;
  status: string;
  error: unknown;
  events: RunEvent[];
  /** Bodies of the answers that were taken, and how many were refused. */
  accepted: string[];
  refused: number;
}

const PAUSE_MS = 150;
const FINAL = ['completed', 'failed', 'cancelled', 'rejected'];

/** Sends a request until the gateway answers it; a 5xx counts as no answer. */
async function persist(send: () => Promise<ApiResponse>, deadline: number): Promise<ApiResponse> {
  for (;;) {
    try {
      const response = await send();
      if (response.status < 500) return response;
    } catch {
      // the gateway is away: it will be back
    }
    if (Date.now() > deadline) throw new Error('the gateway does not answer');
    await delay(PAUSE_MS);
  }
}

async function newSession(api: ApiClient, deadline: number): Promise<string> {
  const session = await persist(() => api.post('/api/sessions', {}), deadline);
  const id = String(session.json.id);
  for (const [name, content] of Object.entries(exampleFiles('incident'))) {
    const uploaded = await persist(() => api.upload(id, { [name]: content }), deadline);
    if (uploaded.status >= 400) throw new Error(`upload refused: ${uploaded.text}`);
  }
  return id;
}

/** Starts the run; one whose answer got lost is found by the conflict that the second request meets. */
async function start(
  api: ApiClient,
  sessionId: string,
  deadline: number,
  find: RunOfSession,
): Promise<string> {
  const body = { session_id: sessionId, inputs: {} };
  const response = await persist(() => api.post('/api/agents/runs', body), deadline);
  if (response.status === 202) return String(response.json.id);
  const existing = await find(sessionId);
  if (response.status === 409 && existing !== null) return existing;
  throw new Error(`run not started: ${response.text}`);
}

export type RunOfSession = (sessionId: string) => Promise<string | null>;

/** The answers a client can give about the missing image. */
export const ANSWERS = ['skip', 'use:dashboard.png'] as const;

/** Gives answers to an open decision, all at once: one kind must win. */
async function answer(api: ApiClient, id: string, answers: readonly string[], seen: SeenRun): Promise<void> {
  const send = (choice: string) =>
    api.post(`/api/decisions/${id}/answer`, { user_decisions: { [MISSING_IMAGE]: choice } });
  for (const response of await Promise.allSettled(answers.map(send))) {
    if (response.status === 'rejected') continue;
    if (response.value.status === 200) seen.accepted.push(JSON.stringify(response.value.json['answer']));
    else seen.refused += 1;
  }
}

/**
 * Drives a document run from the upload to its end as a patient client does.
 *
 * @param answers sent all at once to each decision
 * @param find finds the run of a session, for the case that the answer of its start got lost
 */
export async function driveRun(
  api: ApiClient,
  answers: readonly string[],
  deadline: number,
  find: RunOfSession,
): Promise<SeenRun> {
  const sessionId = await newSession(api, deadline);
  const runId = await start(api, sessionId, deadline, find);
  const seen: SeenRun = {
    runId,
    sessionId,
    status: 'queued',
    error: null,
    events: [],
    accepted: [],
    refused: 0,
  };
  const following = follow(api, runId, seen.events, deadline);
  while (Date.now() < deadline) {
    const run = await persist(() => api.get(`/api/agents/runs/${runId}`), deadline);
    seen.status = String(run.json.status);
    seen.error = run.json.error;
    if (FINAL.includes(seen.status)) break;
    const open = await persist(() => api.get(`/api/decisions?run_id=${runId}`), deadline);
    for (const { id } of (open.json.items ?? []) as DecisionView[]) await answer(api, id, answers, seen);
    await delay(PAUSE_MS);
  }
  await following;
  return seen;
}
