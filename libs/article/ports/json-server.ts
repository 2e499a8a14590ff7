import { withoutEnding } from '#contracts/text.js';
import { phrase } from '#contracts/phrases/phrase.js';
import { timeLimit } from '#contracts/wait.js';
import { RunFailure } from '#engine/kind.js';
import { setTimeout as delay } from 'node:timers/promises';
import type { z } from 'zod';

/** Server configured by the operator. */
export interface JsonServer {
  baseUrl: string;
  timeoutMs: number;
}

/** A request; without a body, a GET. */
interface JsonRequest {
  path: string;
  body?: unknown;
  /** Headers in addition to the JSON headers, such as the API key. */
  headers?: Record<string, string>;
}

const MAX_BYTES = 8 * 1024 * 1024;
const ATTEMPTS = 3;
/** Maximum delay in ms between two attempts, even if the server requests a longer one. */
const LONGEST_PAUSE_MS = 10_000;

class Unavailable extends Error {
  constructor(
    message: string,
    readonly pauseMs: number,
  ) {
    super(message);
  }
}

/**
 * Sends a request to a server configured by the operator and parses the JSON response with a schema. Rejects redirects, so that
 * no other server receives the key. Limits size and time of the response. Retries on 429, 5xx and broken
 * connections.
 *
 * @throws RunFailure `research_unavailable`, `research_refused`, without the key
 */
export async function askServer<Schema extends z.ZodType>(
  server: JsonServer,
  request: JsonRequest,
  schema: Schema,
  signal: AbortSignal,
): Promise<z.infer<Schema>> {
  const answer = schema.safeParse(await answerOf(server, request, signal));
  if (!answer.success)
    throw new RunFailure('research_unavailable', phrase('run_error.research_unavailable.invalid'));
  return answer.data;
}

async function answerOf(server: JsonServer, request: JsonRequest, signal: AbortSignal): Promise<unknown> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await send(server, request, signal);
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof RunFailure) throw error;
      if (attempt === ATTEMPTS)
        throw new RunFailure('research_unavailable', phrase('run_error.research_unavailable'));
      const pauseMs = error instanceof Unavailable ? error.pauseMs : 200 * 2 ** attempt;
      await delay(Math.min(pauseMs, LONGEST_PAUSE_MS), undefined, { signal });
    }
  }
}

async function send(
  { baseUrl, timeoutMs }: JsonServer,
  { path, body, headers }: JsonRequest,
  signal: AbortSignal,
) {
  const response = await fetch(`${withoutEnding(baseUrl, '/')}${path}`, {
    redirect: 'error',
    headers: { accept: 'application/json', ...headers },
    ...(body !== undefined && {
      method: 'POST',
      headers: { accept: 'application/json', 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    }),
    signal: timeLimit(timeoutMs, signal),
  });
  const { status } = response;
  if (status === 429 || status >= 500) {
    await response.body?.cancel();
    const seconds = Number(response.headers.get('retry-after'));
    throw new Unavailable(`status ${status}`, seconds > 0 ? seconds * 1_000 : 500);
  }
  if (status !== 200) {
    await response.body?.cancel();
    throw new RunFailure('research_refused', phrase('run_error.research_refused', { status }));
  }
  return JSON.parse(await readBounded(response)) as unknown;
}

async function readBounded(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body!) {
    size += chunk.length;
    if (size > MAX_BYTES)
      throw new RunFailure('research_unavailable', phrase('run_error.research_unavailable.too_large'));
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
