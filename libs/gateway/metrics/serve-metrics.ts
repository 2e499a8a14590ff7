import type { GatewaySettings } from '#config/settings.js';
import type { JobQueues } from '#engine/queue/job-queues.js';
import type { Infrastructure } from '#kit/runtime/infrastructure.module.js';
import { nameProcess, startNodeMetrics } from '#telemetry/metrics-server.js';
import { processMetrics, processRegistry, serviceRegistry, serviceMetrics } from '#telemetry/metrics.js';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { createHash, timingSafeEqual } from 'node:crypto';
import { countFailedLogin, isOperator } from '../http/rate-limit.js';
import { answerFrameworkError } from '../http/problem.filter.js';
import { ACTIVE_STATUSES, SHOWN_STATUS } from '#db/shown-status.js';
import type { Database } from '#db/client.js';
import type { Logger } from '#telemetry/logger.js';
import { finalRunStatuses, runStatuses } from '#contracts/runs.js';

/** Scrapes within this time share one reading. */
const FRESH_MS = 2_000;
/** Younger rows may belong to open transactions; a later scrape counts them. */
const SETTLED_SECONDS = 5;
const JOB_STATES = ['waiting', 'prioritized', 'active', 'delayed', 'waiting-children', 'failed'] as const;

/**
 * Reads the state of the whole service into `serviceMetrics`: current counts of rows, and what ended since
 * the last reading. Every gateway reports the same, whichever process did the work and however often it
 * restarted.
 */
class ServiceMetrics {
  private reading: Promise<void> | null = null;
  private readAt = 0;
  private since: Date | null = null;

  constructor(
    private readonly db: Database,
    private readonly queues: JobQueues,
    private readonly log: Logger,
  ) {}

  /** Updates the metrics. A part that cannot be read is reported as failed and shows no old values. */
  async refresh(): Promise<void> {
    if (Date.now() - this.readAt < FRESH_MS) return;
    this.reading ??= this.read().finally(() => {
      this.readAt = Date.now();
      this.reading = null;
    });
    await this.reading;
  }

  private async read(): Promise<void> {
    await Promise.all([
      this.part('database', async () => {
        await this.countRuns();
        await this.measureWaits();
        await this.countEnded();
      }),
      this.part('queue', () => this.countJobs()),
    ]);
  }

  private async part(part: string, work: () => Promise<void>): Promise<void> {
    try {
      await work();
      serviceMetrics.readable.set({ part }, 1);
    } catch (error) {
      serviceMetrics.readable.set({ part }, 0);
      this.log.warn({ err: error, part }, 'failed to read metrics');
    }
  }

  private async countJobs(): Promise<void> {
    serviceMetrics.queueJobs.reset();
    for (const queue of this.queues.all()) {
      const counts = await this.queues.ask(() => queue.getJobCounts(...JOB_STATES));
      for (const state of JOB_STATES)
        serviceMetrics.queueJobs.set({ queue: queue.name, state }, counts[state] ?? 0);
    }
  }

  private async countRuns(): Promise<void> {
    serviceMetrics.runs.reset();
    const rows = await this.db.$queryRaw<{ status: string; runs: number }[]>`
      SELECT ${SHOWN_STATUS} AS status, count(*)::int AS runs FROM runs r GROUP BY 1`;
    for (const status of runStatuses) serviceMetrics.runs.set({ status }, 0);
    for (const { status, runs } of rows) serviceMetrics.runs.set({ status }, runs);
  }

  private async measureWaits(): Promise<void> {
    const [waits] = await this.db.$queryRaw<
      { person: number; worker: number; oldest: number | null }[]
    >`SELECT count(*) FILTER (WHERE for_person)::int AS person, count(*) FILTER (WHERE NOT for_person)::int AS worker,
             extract(epoch FROM now() - min(since))::float AS oldest
      FROM (
        SELECT coalesce(bool_or(t.queue = 'human-input'), false) AS for_person,
               CASE WHEN count(t.id) = 0 THEN r.updated_at ELSE min(t.created_at) FILTER (WHERE t.queue <> 'human-input') END AS since
        FROM runs r LEFT JOIN tasks t ON t.run_id = r.id AND t.status = 'pending'
        WHERE r.status = 'waiting' GROUP BY r.id) waiting`;
    const [ages] = await this.db.$queryRaw<
      { queued: number | null; unheld: number | null; crashed: number }[]
    >`SELECT extract(epoch FROM now() - min(created_at) FILTER (WHERE status = 'queued'))::float AS queued,
             extract(epoch FROM now() - min(greatest(lease_until, updated_at))
               FILTER (WHERE status = 'running' AND lease_until < now()))::float AS unheld,
             count(*) FILTER (WHERE crashes > 0)::int AS crashed
      FROM runs WHERE status IN (${ACTIVE_STATUSES})`;
    serviceMetrics.waitingRuns.set({ for: 'person' }, waits?.person ?? 0);
    serviceMetrics.waitingRuns.set({ for: 'worker' }, waits?.worker ?? 0);
    serviceMetrics.oldestSeconds.set({ state: 'waiting_for_worker' }, waits?.oldest ?? 0);
    serviceMetrics.oldestSeconds.set({ state: 'queued' }, ages?.queued ?? 0);
    serviceMetrics.oldestSeconds.set({ state: 'without_runner' }, ages?.unheld ?? 0);
    serviceMetrics.crashedRuns.set(ages?.crashed ?? 0);
  }

  /**
   * Counts the runs that ended and the model calls recorded since the last reading; the first reading only
   * stores the time.
   */
  private async countEnded(): Promise<void> {
    const [clock] = await this.db.$queryRaw<{ settled: Date }[]>`
      SELECT date_trunc('milliseconds', now() - make_interval(secs => ${SETTLED_SECONDS})) AS settled`;
    const until = clock!.settled;
    const since = this.since ?? until;
    this.since = until;
    const runs = await this.db.$queryRaw<{ status: string; seconds: number }[]>`
      SELECT status, extract(epoch FROM finished_at - created_at)::float AS seconds FROM runs
      WHERE finished_at > ${since} AND finished_at <= ${until}`;
    for (const { status, seconds } of runs) {
      if ((finalRunStatuses as readonly string[]).includes(status))
        serviceMetrics.runSeconds.observe({ status }, Math.max(0, seconds));
    }
    const calls = await this.db.$queryRaw<{ model: string; calls: number; input: number; output: number }[]>`
      SELECT model, count(*)::int AS calls, sum(input_tokens)::float AS input, sum(output_tokens)::float AS output
      FROM model_calls WHERE created_at > ${since} AND created_at <= ${until} GROUP BY model`;
    for (const { model, calls: count, input, output } of calls) {
      serviceMetrics.modelCalls.inc({ model }, count);
      serviceMetrics.tokens.inc({ model, direction: 'in' }, input);
      serviceMetrics.tokens.inc({ model, direction: 'out' }, output);
    }
  }
}

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
