import type { GatewaySettings } from '#config/settings.js';
import type { JobQueues } from '#engine/queue/job-queues.js';
import type { Infrastructure } from '#kit/runtime/infrastructure.module.js';
import { nameProcess, startNodeMetrics } from '#telemetry/metrics-server.js';
import { processMetrics, processRegistry, serviceRegistry } from '#telemetry/metrics.js';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { createHash, timingSafeEqual } from 'node:crypto';
import { countFailedLogin, isOperator } from '../auth/rate-limit.js';
import { answerFrameworkError } from '../http/client-error.js';
import { ServiceMetrics } from './service-metrics.js';

const digest = (text: string) => createHash('sha256').update(text).digest();

/** Returns whether a scraper (METRICS_TOKEN as bearer token) or the admin sent the request. */
async function maySee(
  fastify: FastifyInstance,
  request: FastifyRequest,
  reply: FastifyReply,
  settings: GatewaySettings,
): Promise<boolean> {
  const [scheme, token = ''] = (request.headers.authorization ?? '').split(' ');
  if (scheme?.toLowerCase() !== 'bearer') return isOperator(fastify, request, reply, settings);
  const { METRICS_TOKEN } = settings;
  if (METRICS_TOKEN !== undefined && timingSafeEqual(digest(token), digest(METRICS_TOKEN))) return true;
  await countFailedLogin(fastify, request, reply);
  return false;
}

/** Serves `GET /metrics` (Prometheus text): metrics of this gateway and of the whole service. */
export function serveMetrics(
  fastify: FastifyInstance,
  { db, queues, log, store }: Pick<Infrastructure, 'db' | 'log' | 'store'> & { queues: JobQueues },
  settings: GatewaySettings,
): void {
  nameProcess('gateway');
  const service = new ServiceMetrics(db, queues, log);
  fastify.get('/metrics', async (request, reply) => {
    const isAllowed = await maySee(fastify, request, reply, settings).catch((error: Error) => error);
    if (isAllowed instanceof Error) {
      answerFrameworkError(isAllowed, request, reply);
      return reply;
    }
    if (!isAllowed) {
      return reply
        .status(401)
        .header('www-authenticate', 'Bearer realm="Scriptorium metrics"')
        .send('The metrics token or admin credentials are required.\n');
    }
    startNodeMetrics();
    await Promise.all([service.refresh(), store.check().catch(() => undefined)]);
    const texts = [await processRegistry.metrics(), await serviceRegistry.metrics()];
    return reply.header('content-type', processRegistry.contentType).send(texts.join('\n'));
  });
  fastify.addHook('onResponse', measureRequest);
}

/** Measures a completed request under its route's pattern, so that ids in paths create no extra series. */
async function measureRequest(request: FastifyRequest, reply: FastifyReply): Promise<void> {
  // A stream lasts as long as its client wants.
  if (String(reply.getHeader('content-type') ?? '').startsWith('text/event-stream')) return;
  const labels = {
    method: request.method,
    route: request.routeOptions.url ?? 'unknown',
    status: String(reply.statusCode),
  };
  processMetrics.requestSeconds.observe(labels, reply.elapsedTime / 1000);
}
