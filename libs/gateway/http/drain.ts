import type { FastifyInstance, FastifyReply } from 'fastify';
import { setTimeout as delay } from 'node:timers/promises';

/** Only event streams hijack the reply; Fastify then reports it as sent. */
const isEventStream = ({ sent, raw }: FastifyReply) => sent && !raw.writableEnded;

/**
 * Tracks the open requests of a gateway that is not listening yet.
 *
 * @returns a drain function: accepts no new connections, ends event streams (their clients reconnect
 *   elsewhere) and waits for all other requests, for at most `graceMs` milliseconds
 */
export function trackRequests(fastify: FastifyInstance): (graceMs: number) => Promise<void> {
  const open = new Set<FastifyReply>();
  let isDraining = false;
  let onIdle: () => void = () => undefined;
  fastify.addHook('onRequest', async (_, reply) => {
    open.add(reply);
    reply.raw.once('close', () => {
      open.delete(reply);
      if (open.size === 0) onIdle();
    });
  });
  fastify.addHook('onSend', async (_, reply) => {
    if (isDraining) void reply.header('connection', 'close');
  });
  return async (graceMs) => {
    isDraining = true;
    fastify.server.close();
    const idle = new Promise<void>((resolve) => (onIdle = resolve));
    for (const reply of open) if (isEventStream(reply)) reply.raw.destroy();
    if (open.size > 0) await Promise.race([idle, delay(graceMs, undefined, { ref: false })]);
  };
}
