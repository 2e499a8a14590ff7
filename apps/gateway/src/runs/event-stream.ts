import type { RunEvent } from '#contracts/events.js';
import type { FastifyReply } from 'fastify';
import type { ServerResponse } from 'node:http';
import { securityHeaders } from '../http/security-headers.js';

const HEARTBEAT_MS = 15_000;

/** Calls a function again and again; returns how to stop. */
export type Heartbeat = (beat: () => void) => () => void;

const everyFifteenSeconds: Heartbeat = (beat) => {
  const timer = setInterval(beat, HEARTBEAT_MS);
  return () => clearInterval(timer);
};

/** Events that many clients follow are written out once. */
const frames = new WeakMap<RunEvent, string>();

function frameOf(event: RunEvent): string {
  let frame = frames.get(event);
  if (frame === undefined) {
    frame = `id: ${event.seq}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
    frames.set(event, frame);
  }
  return frame;
}

/** Resolves when what was written has left, or never will. */
function drained(raw: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      raw.off('drain', done).off('close', done);
      resolve();
    };
    if (raw.destroyed) resolve();
    else raw.on('drain', done).on('close', done);
  });
}

/**
 * Shows that the stream lives while the run is silent, and drops a client that took nothing between two heartbeats.
 *
 * @returns how to stop
 */
function keepAlive(raw: ServerResponse, heartbeat: Heartbeat): () => void {
  let hasDrained = true;
  const note = () => (hasDrained = true);
  const stop = heartbeat(() => {
    if (!raw.writableNeedDrain) raw.write(': still here\n\n');
    else if (hasDrained) hasDrained = false;
    else raw.destroy();
  });
  raw.on('drain', note);
  return () => {
    stop();
    raw.off('drain', note);
  };
}

/** Aborts when the client goes away. */
export function goneSignal({ raw }: FastifyReply): AbortSignal {
  const controller = new AbortController();
  raw.once('close', () => controller.abort());
  return controller.signal;
}

async function* framesOf(events: AsyncIterable<RunEvent>): AsyncGenerator<string> {
  for await (const event of events) yield frameOf(event);
}

/**
 * Writes a run's events as server-sent events; the sequence number is the event id, so that a client goes on with
 * `Last-Event-ID`. As `sendFrames`.
 */
export function sendEvents(
  url: string,
  reply: FastifyReply,
  events: AsyncIterable<RunEvent>,
  ended: AbortSignal,
  heartbeat?: Heartbeat,
): Promise<void> {
  return sendFrames(url, reply, framesOf(events), ended, {}, heartbeat);
}

/**
 * Writes server-sent events. Nothing is read for a client before it has taken what was written (16 KB and one event are
 * buffered at most), and one that takes nothing is dropped.
 *
 * @param url of the request
 * @param ended aborts when the client may not read on: the stream is cut then
 * @param heartbeat every 15 seconds by default
 */
export async function sendFrames(
  url: string,
  reply: FastifyReply,
  frames: AsyncIterable<string>,
  ended: AbortSignal,
  headers: Record<string, string> = {},
  heartbeat = everyFifteenSeconds,
): Promise<void> {
  const { raw } = reply;
  reply.hijack();
  raw.writeHead(200, {
    ...securityHeaders(url),
    ...headers,
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store, no-transform',
    connection: 'keep-alive',
    'x-accel-buffering': 'no',
  });
  raw.flushHeaders();
  const cut = () => raw.destroy();
  ended.addEventListener('abort', cut, { once: true });
  const stopKeeping = keepAlive(raw, heartbeat);
  try {
    for await (const frame of frames) {
      if (!raw.write(frame)) await drained(raw);
      if (raw.destroyed) break;
    }
  } finally {
    stopKeeping();
    ended.removeEventListener('abort', cut);
    raw.end();
  }
}
