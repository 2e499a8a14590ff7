import type { RunEvent } from '#contracts/events.js';
import type { FastifyReply } from 'fastify';
import { once } from 'node:events';
import { securityHeaders } from '../http/security-headers.js';

const HEARTBEAT_MS = 15_000;

/**
 * Writes a run's events as server-sent events; the sequence number is the event id, so that a client goes on with
 * `Last-Event-ID`. A client that reads slowly slows the reading of rows, not the run.
 *
 * @param url of the request
 * @param ended aborts when the client may not read on: the stream is cut then
 */
export async function sendEvents(
  url: string,
  reply: FastifyReply,
  events: AsyncIterable<RunEvent>,
  ended: AbortSignal,
): Promise<void> {
  const { raw } = reply;
  reply.hijack();
  raw.writeHead(200, {
    ...securityHeaders(url),
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-cache, no-transform',
    connection: 'keep-alive',
    'x-accel-buffering': 'no',
  });
  raw.flushHeaders();
  const cut = () => raw.destroy();
  ended.addEventListener('abort', cut, { once: true });
  const heartbeat = setInterval(() => raw.write(': still here\n\n'), HEARTBEAT_MS);
  try {
    for await (const event of events) {
      const fits = raw.write(`id: ${event.seq}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
      if (!fits) await Promise.race([once(raw, 'drain'), once(raw, 'close')]);
      if (raw.destroyed) break;
    }
  } finally {
    clearInterval(heartbeat);
    ended.removeEventListener('abort', cut);
    raw.end();
  }
}
