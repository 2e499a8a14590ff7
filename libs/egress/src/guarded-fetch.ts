import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { LookupFunction } from 'node:net';
import { Readable, Transform } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import type { Destination, DestinationGuard } from './destination.js';

/** What one request may take. */
export interface FetchLimits {
  /** Bytes of the answer's body. */
  maxBytes: number;
  /** Milliseconds from the connection to the end of the answer: one that trickles in is cut, too. */
  timeoutMs: number;
  /** Told why a request was refused, or its answer broken off: who reads the answer may not say so. */
  onBroken?: (error: Error) => void;
}

/** An answer is larger than it may be. */
export class AnswerTooLargeError extends Error {
  override readonly name = 'AnswerTooLargeError';
}

/** An answer did not end in time. */
export class AnswerTimeoutError extends Error {
  override readonly name = 'AnswerTimeoutError';
}

/** What of `fetch` is used; the body is text. */
export type GuardedFetch = (
  url: string | URL,
  init?: {
    method?: string;
    headers?: unknown;
    body?: unknown;
    signal?: AbortSignal | null;
  },
) => Promise<Response>;

const WITHOUT_BODY = new Set([101, 204, 205, 304]);

/** Whatever name the connection asks for, it gets the addresses that were checked. */
export function pinnedTo({ addresses }: Destination): LookupFunction {
  return (_host, options, callback) => {
    if (options.all) callback(null, addresses);
    else callback(null, addresses[0]!.address, addresses[0]!.family);
  };
}

/**
 * A `fetch` for addresses that tenants name. Each request is checked by the guard and goes to the addresses that were checked, over
 * a connection of its own, without a proxy. It follows no redirect: who does asks again, and is checked again.
 *
 * @returns a function that throws RefusedUrlError, AnswerTooLargeError, AnswerTimeoutError, or what the connection failed with
 */
export function guardedFetch(guard: DestinationGuard, limits: FetchLimits): GuardedFetch {
  return async (target, init = {}) => {
    const destination = await guard.check(String(target)).catch((error: Error) => {
      limits.onBroken?.(error);
      throw error;
    });
    const isTls = destination.url.protocol === 'https:';
    const agent = isTls ? new HttpsAgent({ keepAlive: false }) : new HttpAgent({ keepAlive: false });
    const { signal, ended } = within(limits.timeoutMs, init.signal);
    try {
      const response = await new Promise<IncomingMessage>((resolve, reject) => {
        const options = {
          method: init.method ?? 'GET',
          agent,
          headers: { 'accept-encoding': 'identity', ...plainHeaders(init.headers) },
          lookup: pinnedTo(destination),
          signal,
        };
        const request = (isTls ? httpsRequest : httpRequest)(destination.url, options, resolve);
        request.once('error', reject);
        request.end(init.body === undefined || init.body === null ? undefined : String(init.body));
      });
      response.once('close', () => {
        ended();
        agent.destroy();
      });
      return answerOf(response, limits, signal);
    } catch (error) {
      ended();
      agent.destroy();
      throw signal.aborted ? signal.reason : error;
    }
  };
}

/** A signal that aborts with the caller's, or when the time is over. */
function within(timeoutMs: number, signal: AbortSignal | null | undefined) {
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(new AnswerTimeoutError('it took too long')), timeoutMs);
  return {
    signal: signal ? AbortSignal.any([signal, limit.signal]) : limit.signal,
    ended: () => clearTimeout(timer),
  };
}

const plainHeaders = (headers: unknown): Record<string, string> =>
  Object.fromEntries(new Headers(headers as ConstructorParameters<typeof Headers>[0]));

function answerOf(
  response: IncomingMessage,
  { maxBytes, onBroken }: FetchLimits,
  signal: AbortSignal,
): Response {
  const headers = new Headers();
  for (const [name, value] of Object.entries(response.headers))
    for (const one of [value ?? []].flat()) headers.append(name, one);
  const status = response.statusCode!;
  if (WITHOUT_BODY.has(status)) {
    response.resume();
    return new Response(null, { status, headers });
  }
  let read = 0;
  const counted = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      read += chunk.length;
      if (read <= maxBytes) return done(null, chunk);
      done(new AnswerTooLargeError('the answer is too large'));
      response.destroy();
    },
  });
  response.on('error', (error) => counted.destroy(signal.aborted ? (signal.reason as Error) : error));
  counted.once('error', (error) => onBroken?.(error));
  // A reader that lets go of the answer ends the connection.
  counted.once('close', () => response.destroy());
  const body = Readable.toWeb(response.pipe(counted)) as ReadableStream<Uint8Array>;
  return new Response(body as never, { status, headers });
}
