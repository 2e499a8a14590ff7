import { runEventSchema, type RunEvent } from '#catalogue/events.js';
import { EventSourceParserStream } from 'eventsource-parser/stream';
import { setTimeout as delay } from 'node:timers/promises';
import { CliError } from '../cli-error.js';
import { type ApiClient, OPEN_ENDED } from './api-client.js';

const FIRST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 5_000;
/** Longest time without contact to the service, in milliseconds. */
const RECONNECT_TIMEOUT_MS = 60_000;

/**
 * Yields the events of a run from the first to `done`, each once and in order. Resumes an interrupted stream
 * with `Last-Event-ID`.
 *
 * @throws CliError when the service rejects the request, as for an unknown run, or is away for a minute
 */
export async function* followRun(
  client: ApiClient,
  runId: string,
  signal?: AbortSignal,
): AsyncGenerator<RunEvent> {
  let last = 0;
  let pause = FIRST_PAUSE_MS;
  let lastContact = Date.now();
  for (;;) {
    try {
      for await (const event of openStream(client, runId, last, signal)) {
        lastContact = Date.now();
        pause = FIRST_PAUSE_MS;
        if (event.seq <= last) continue;
        last = event.seq;
        yield event;
        if (event.type === 'done') return;
      }
      lastContact = Date.now();
    } catch (error) {
      if (signal?.aborted || isFinal(error) || Date.now() - lastContact > RECONNECT_TIMEOUT_MS) throw error;
    }
    await delay(pause, undefined, { signal });
    pause = Math.min(pause * 2, LONGEST_PAUSE_MS);
  }
}

/** Returns whether the service responded with an error that a retry does not change. */
function isFinal(error: unknown): boolean {
  return (
    error instanceof CliError &&
    error.code !== undefined &&
    !['unavailable', 'internal_error'].includes(error.code)
  );
}

async function* openStream(
  client: ApiClient,
  runId: string,
  after: number,
  signal?: AbortSignal,
): AsyncGenerator<RunEvent> {
  const headers = { accept: 'text/event-stream', 'last-event-id': String(after) };
  const { response } = await client.GET('/api/agents/runs/{run_id}/events', {
    params: { path: { run_id: runId } },
    headers,
    signal,
    ...OPEN_ENDED,
  });
  const messages = response
    .body!.pipeThrough(new TextDecoderStream())
    .pipeThrough(new EventSourceParserStream());
  for await (const { data } of messages as AsyncIterable<{ data: string }>) {
    const parsed = runEventSchema.safeParse(JSON.parse(data));
    // A newer service may send events that this client does not know.
    if (parsed.success) yield parsed.data;
  }
}
