import type { RunEvent } from '#catalogue/events.js';
import type { ApiClient } from '#testing/api-client.js';
import { createParser } from 'eventsource-parser';
import { setTimeout as delay } from 'node:timers/promises';
import type { Deadline } from './persist.js';

const PAUSE_MS = 150;
/** Time in ms after which the client reopens a stream, as proxies make clients do. */
const MAX_STREAM_MS = 60_000;

/** Follows a run's event stream until `done`; resumes it with `Last-Event-ID` whenever it breaks off. */
export async function follow(
  api: ApiClient,
  runId: string,
  events: RunEvent[],
  deadline: Deadline,
): Promise<void> {
  while (events.at(-1)?.type !== 'done' && Date.now() < deadline.at) {
    await readStream(api, runId, events, deadline).catch(() => undefined);
    if (events.at(-1)?.type !== 'done') await delay(PAUSE_MS);
  }
}

async function readStream(
  api: ApiClient,
  runId: string,
  events: RunEvent[],
  deadline: Deadline,
): Promise<void> {
  const response = await fetch(`${api.baseUrl}/api/agents/runs/${runId}/events`, {
    headers: { authorization: `Bearer ${api.key}`, 'last-event-id': String(events.at(-1)?.seq ?? 0) },
    signal: AbortSignal.timeout(Math.max(1, Math.min(MAX_STREAM_MS, deadline.at - Date.now()))),
  });
  if (response.status !== 200) return;
  const parser = createParser({ onEvent: ({ data }) => void events.push(JSON.parse(data) as RunEvent) });
  const decoder = new TextDecoder();
  for await (const chunk of response.body!)
    parser.feed(decoder.decode(chunk as Uint8Array, { stream: true }));
}
