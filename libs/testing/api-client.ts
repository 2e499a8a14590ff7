import type { RunEvent } from '#catalogue/events.js';
import type { decisionSchema } from '#catalogue/run-schemas.js';
import type { runSchema } from '#contracts/api/schemas.js';
import { createParser } from 'eventsource-parser';
import type { z } from 'zod';

export type RunView = z.infer<typeof runSchema>;
export type DecisionView = z.infer<typeof decisionSchema>;

export interface ApiResponse {
  status: number;
  headers: Headers;
  /** Parsed body if it is JSON. */
  json: Record<string, unknown>;
  text: string;
}

/** Shorter than jest's own time limit of a test, so that the error names the run and its last event. */
const EVENTS_TIMEOUT_MS = 150_000;
/** Pause before the client reconnects to a broken stream. */
const RECONNECT_MS = 50;

/** API client of a tenant, for tests. */
export class ApiClient {
  constructor(
    readonly baseUrl: string,
    readonly key: string | null,
    /** Maximum wait for an event of a run, in milliseconds. */
    private readonly eventsTimeoutMs = EVENTS_TIMEOUT_MS,
  ) {}

  async request(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<ApiResponse> {
    const isForm = body instanceof FormData;
    const isRaw = typeof body === 'string';
    const response = await fetch(this.baseUrl + path, {
      method,
      headers: {
        ...(this.key === null ? {} : { authorization: `Bearer ${this.key}` }),
        ...(body === undefined || isForm ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: isForm || isRaw ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    let json: Record<string, unknown> = {};
    try {
      json = JSON.parse(text) as Record<string, unknown>;
    } catch {
      // The body is not JSON: callers use `text`.
    }
    return { status: response.status, headers: response.headers, json, text };
  }

  get(path: string): Promise<ApiResponse> {
    return this.request('GET', path);
  }

  post(path: string, body?: unknown): Promise<ApiResponse> {
    return this.request('POST', path, body);
  }

  /** Creates a session, uploads files into it and returns its ID. */
  async sessionWith(files: Record<string, string | Uint8Array>): Promise<string> {
    const session = await this.post('/api/sessions', {});
    const id = String(session.json.id);
    const uploaded = await this.upload(id, files);
    if (uploaded.status !== 201) throw new Error(`upload failed: ${uploaded.text}`);
    return id;
  }

  upload(sessionId: string, files: Record<string, string | Uint8Array>): Promise<ApiResponse> {
    const form = new FormData();
    for (const [name, content] of Object.entries(files))
      form.append('file', new Blob([Buffer.from(content)]), name);
    return this.post(`/api/sessions/${sessionId}/inputs`, form);
  }

  async startRun(sessionId: string, inputs: Record<string, unknown> = {}): Promise<RunView> {
    const response = await this.post('/api/agents/runs', { session_id: sessionId, inputs });
    if (response.status !== 202) throw new Error(`run not started: ${response.text}`);
    return response.json as RunView;
  }

  async run(runId: string): Promise<RunView> {
    return (await this.get(`/api/agents/runs/${runId}`)).json as RunView;
  }

  /**
   * Returns the events of a run after the number `after`, up to `done` or the first that `isLast` accepts. Reconnects if the stream
   * breaks.
   *
   * @throws Error with the last event on a timeout; Error if the gateway refuses the stream
   */
  async events(runId: string, isLast?: (event: RunEvent) => boolean, after = 0): Promise<RunEvent[]> {
    const seen: RunEvent[] = [];
    const timeout = AbortSignal.timeout(this.eventsTimeoutMs);
    let failure: unknown;
    for (;;) {
      if (timeout.aborted) {
        const timeoutMessage = `${isLast ?? 'its end'}: not within ${this.eventsTimeoutMs / 1000} s`;
        const last = seen.length === 0 ? 'no event' : JSON.stringify(seen.at(-1));
        throw new Error(`the run ${runId} until ${timeoutMessage}. Last seen: ${last}`, { cause: failure });
      }
      const last = seen.at(-1)?.seq ?? after;
      const controller = new AbortController();
      let found = false;
      try {
        const response = await fetch(`${this.baseUrl}/api/agents/runs/${runId}/events`, {
          headers: { authorization: `Bearer ${this.key}`, 'last-event-id': String(last) },
          signal: AbortSignal.any([controller.signal, timeout]),
        });
        if (response.status !== 200)
          throw new Error(`no events: ${response.status} ${await response.text()}`);
        const parser = createParser({
          onEvent: ({ data }) => {
            if (found) return;
            const event = JSON.parse(data) as RunEvent;
            seen.push(event);
            found = isLast?.(event) === true || event.type === 'done';
          },
        });
        const decoder = new TextDecoder();
        for await (const chunk of response.body!) {
          parser.feed(decoder.decode(chunk, { stream: true }));
          if (found) break;
        }
      } catch (error) {
        if (error instanceof Error && error.message.startsWith('no events')) throw error;
        failure = error;
      } finally {
        controller.abort();
      }
      if (found) return seen;
      await new Promise((resolve) => setTimeout(resolve, RECONNECT_MS));
    }
  }

  /** Waits for an open decision of a run and returns it. @throws Error if the run ends without one */
  async decision(runId: string): Promise<DecisionView> {
    await this.events(runId, (event) => event.type === 'decision_required');
    const list = await this.get(`/api/decisions?run_id=${runId}`);
    const [decision] = (list.json.items ?? []) as DecisionView[];
    if (decision) return decision;
    const { status, error } = await this.run(runId);
    throw new Error(`no open decision: the run ${runId} is ${status}, ${JSON.stringify(error)}`);
  }

  /** Waits for the end of a run and returns it. @throws Error if the run is not `completed` */
  async completed(runId: string): Promise<RunView> {
    await this.events(runId);
    const run = await this.run(runId);
    if (run.status !== 'completed') throw new Error(`run ${run.status}: ${JSON.stringify(run.error)}`);
    return run;
  }

  async manuscript(sessionId: string): Promise<string> {
    return (await this.get(`/api/sessions/${sessionId}/manuscript`)).text;
  }

  /** Returns the bytes of a session's newest export. */
  async docx(sessionId: string): Promise<Uint8Array> {
    const exports = await this.get(`/api/sessions/${sessionId}/exports`);
    const { id } = (exports.json.items as { id: string }[])[0]!;
    const response = await fetch(`${this.baseUrl}/api/sessions/${sessionId}/exports/${id}`, {
      headers: { authorization: `Bearer ${this.key}` },
    });
    return new Uint8Array(await response.arrayBuffer());
  }
}
