import { isOver, timeLimit } from '#contracts/wait.js';
import type { DeliveryError } from '#catalogue/webhook-schemas.js';
import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { pinnedTo } from '#egress/guarded-fetch.js';
import type { Destination } from '#egress/destination.js';

/** Bytes of a response that are read and discarded. */
const MAX_ANSWER_BYTES = 64 * 1024;

/** Result of one request: a status code, an error, or both for a status that is not a success. */
export interface Attempt {
  statusCode: number | null;
  error: DeliveryError | null;
}

/** Reads and discards the response, up to the limit, so that the receiver can finish. */
function drop(response: IncomingMessage, done: () => void): void {
  let read = 0;
  response.on('data', (chunk: Buffer) => {
    read += chunk.length;
    if (read > MAX_ANSWER_BYTES) response.destroy();
  });
  response.once('close', done);
}

/**
 * Sends a request to a checked destination, with its own connection, without redirects, ignoring proxy
 * settings of the environment.
 *
 * @param timeoutMs for the whole exchange, from the connection to the end of the response
 * @param stop aborts it when the process stops
 * @throws only the reason of `stop`
 */
export async function post(
  destination: Destination,
  headers: Record<string, string>,
  body: string,
  timeoutMs: number,
  stop?: AbortSignal,
): Promise<Attempt> {
  const isTls = destination.url.protocol === 'https:';
  const agent = isTls ? new HttpsAgent({ keepAlive: false }) : new HttpAgent({ keepAlive: false });
  const signal = timeLimit(timeoutMs, stop);
  try {
    const statusCode = await new Promise<number>((resolve, reject) => {
      const request = (isTls ? httpsRequest : httpRequest)(
        destination.url,
        { method: 'POST', agent, headers, lookup: pinnedTo(destination), signal },
        (response) => {
          response.on('error', () => undefined);
          drop(response, () => (signal.aborted ? reject(signal.reason) : resolve(response.statusCode!)));
        },
      );
      request.once('error', reject);
      request.end(body);
    });
    const isSuccess = statusCode >= 200 && statusCode < 300;
    return { statusCode, error: isSuccess ? null : 'bad_status' };
  } catch {
    stop?.throwIfAborted();
    return { statusCode: null, error: isOver(signal) ? 'timeout' : 'connection_failed' };
  } finally {
    agent.destroy();
  }
}
