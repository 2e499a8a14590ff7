import type { RunEvent } from '#catalogue/events.js';
import type { FastifyReply } from 'fastify';
import type { ServerResponse } from 'node:http';
import { securityHeaders } from '../http/request-hooks.js';

const HEARTBEAT_MS = 15_000;

/** Calls a function periodically; returns a function that stops it. */
export type Heartbeat = (beat: () => void) => () => void;

const everyFifteenSeconds: Heartbeat = (beat) => {
  const timer = setInterval(beat, HEARTBEAT_MS);
  return () => clearInterval(timer);
};

/** Caches the frame of an event that many clients follow. */
const frames = new WeakMap<RunEvent, string>();

function frameOf(event: RunEvent): string {
  let frame = frames.get(event);
  if (frame === undefined) {
    frame = `id: ${event.seq}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
    frames.set(event, frame);
  }
  return frame;
}

/** Resolves when the buffer has drained or the connection has closed. */
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
 * Sends heartbeats while the run is silent, and disconnects a client that read nothing between two of them.
 *
 * @returns a function that stops the heartbeats
 */
function keepAlive(raw: ServerResponse, heartbeat: Heartbeat): () => void {
  let hasDrained = true;
  const onDrain = () => (hasDrained = true);
  const stop = heartbeat(() => {
    if (!raw.writableNeedDrain) raw.write(': still here\n\n');
    else if (hasDrained) hasDrained = false;
    else raw.destroy();
  });
  raw.on('drain', onDrain);
  return () => {
    stop();
    raw.off('drain', onDrain);
  };
}

/** Returns a signal that aborts when the client disconnects. */
export function goneSignal({ raw }: FastifyReply): AbortSignal {
  const controller = new AbortController();
  raw.once('close', () => controller.abort());
  return controller.signal;
}

async function* framesOf(events: AsyncIterable<RunEvent>): AsyncGenerator<string> {
  for await (const event of events) yield frameOf(event);
}

/**
 * Writes a run's events as server-sent events, like `sendFrames`. The event id is the sequence number, so
 * that a client resumes with `Last-Event-ID`.
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
 * Writes server-sent events. Reads the next frame only when the client has accepted the previous ones (at
 * most 16 KB and one event are buffered), and disconnects a client that reads nothing.
 *
 * @param url of the request
 * @param ended aborts when the client loses access; the stream is then cut
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
