import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { LookupFunction } from 'node:net';
import { Readable, Transform } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import type { Destination, DestinationGuard } from './destination.js';

/** Limits of one request. */
interface FetchLimits {
  /** Maximum size of the response body. */
  maxBytes: number;
  /**
   * Time limit in ms from the connection to the end of the response, so that a slow response is aborted too.
   */
  timeoutMs: number;
  /**
   * Called when a request is refused or its response fails; code that reads the response may not report the
   * reason.
   */
  onBroken?: (error: Error) => void;
}

/** A response exceeds its maximum size. */
export class AnswerTooLargeError extends Error {
  override readonly name = 'AnswerTooLargeError';
}

/** A response did not end in time. */
export class AnswerTimeoutError extends Error {
  override readonly name = 'AnswerTimeoutError';
}

/** The subset of `fetch` that is used; the body is text. */
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

/** Returns a look-up function that always resolves to the checked addresses. */
export function pinnedTo({ addresses }: Destination): LookupFunction {
  return (_host, options, callback) => {
    if (options.all) callback(null, addresses);
    else callback(null, addresses[0]!.address, addresses[0]!.family);
  };
}

/**
 * Returns a `fetch` for URLs that tenants name. Each request is checked by the guard and connects to the
 * checked addresses only, over a separate connection and without a proxy. Redirects are not followed; a
 * caller that follows one sends a new request, which is checked too.
 *
 * @returns a function that throws RefusedUrlError, AnswerTooLargeError, AnswerTimeoutError or the
 * connection's error
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

/** Returns a signal that aborts with the caller's signal or after the timeout. */
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
      done(new AnswerTooLargeError('the response is too large'));
      response.destroy();
    },
  });
  response.on('error', (error) => counted.destroy(signal.aborted ? (signal.reason as Error) : error));
  counted.once('error', (error) => onBroken?.(error));
  // If the reader cancels the body, close the connection.
  counted.once('close', () => response.destroy());
  const body = Readable.toWeb(response.pipe(counted)) as ReadableStream<Uint8Array>;
  return new Response(body as never, { status, headers });
}
