import { Counter, Gauge, Histogram, Registry } from 'prom-client';

/** Upper bounds in seconds: from a fast request to a run of several hours. */
const SECONDS = [0.01, 0.05, 0.1, 0.5, 1, 5, 15, 60, 300, 900, 3600, 4 * 3600];

/** Metrics of this process. Sum them over the processes. */
export const processRegistry = new Registry();
/**
 * Metrics of the whole service, read from their source at each scrape. Every gateway returns the same values:
 * do not sum them.
 */
export const serviceRegistry = new Registry();

const ofProcess = [processRegistry];
const ofService = [serviceRegistry];

export const processMetrics = {
  requestSeconds: new Histogram({
    name: 'scriptorium_http_request_seconds',
    help: 'HTTP requests by route and status, until the response was sent (without event streams)',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: SECONDS,
    registers: ofProcess,
  }),
  legs: new Counter({
    name: 'scriptorium_run_legs_total',
    help: 'Legs of runs by outcome; "fenced": the lease was lost, "released": the step failed or the process stopped',
    labelNames: ['end'] as const,
    registers: ofProcess,
  }),
  nodeSeconds: new Histogram({
    name: 'scriptorium_node_seconds',
    help: 'Executions of graph nodes in an agent-runner, including the commit of the previous step',
    labelNames: ['node'] as const,
    buckets: SECONDS,
    registers: ofProcess,
  }),
  taskSeconds: new Histogram({
    name: 'scriptorium_task_seconds',
    help: 'Task attempts by workers; "retried": will be retried, "failed": failed permanently, "over": cancelled',
    labelNames: ['task', 'outcome'] as const,
    buckets: SECONDS,
    registers: ofProcess,
  }),
  modelCallSeconds: new Histogram({
    name: 'scriptorium_model_call_seconds',
    help: 'Model calls, including retries',
    labelNames: ['outcome'] as const,
    buckets: SECONDS,
    registers: ofProcess,
  }),
  reconcilerActions: new Counter({
    name: 'scriptorium_reconciler_actions_total',
    help: 'Repairs by the reconciler; "takenOver": no live runner had leased the run, "requeued": the queue had lost the job',
    labelNames: ['action'] as const,
    registers: ofProcess,
  }),
  objectStoreUp: new Gauge({
    name: 'scriptorium_object_store_up',
    help: '1 if this process could use the object store at its last check, otherwise 0',
    registers: ofProcess,
  }),
  webhookAttempts: new Counter({
    name: 'scriptorium_webhook_attempts_total',
    help: 'Requests to webhooks by outcome; "retried": will be retried, "failed": was the last attempt',
    labelNames: ['outcome'] as const,
    registers: ofProcess,
  }),
};

export const serviceMetrics = {
  readable: new Gauge({
    name: 'scriptorium_metrics_readable',
    help: '1 if the last scrape could read the part (database, queue), otherwise 0',
    labelNames: ['part'] as const,
    registers: ofService,
  }),
  queueJobs: new Gauge({
    name: 'scriptorium_queue_jobs',
    help: 'Jobs by queue and BullMQ state',
    labelNames: ['queue', 'state'] as const,
    registers: ofService,
  }),
  runs: new Gauge({
    name: 'scriptorium_runs',
    help: 'Runs by status',
    labelNames: ['status'] as const,
    registers: ofService,
  }),
  waitingRuns: new Gauge({
    name: 'scriptorium_runs_waiting',
    help: 'Parked runs by what they wait for: a person (status needs_answer) or a worker (status running)',
    labelNames: ['for'] as const,
    registers: ofService,
  }),
  oldestSeconds: new Gauge({
    name: 'scriptorium_oldest_run_seconds',
    help: 'Age of the run that has been queued, waiting for a worker, or without a runner for the longest time',
    labelNames: ['state'] as const,
    registers: ofService,
  }),
  crashedRuns: new Gauge({
    name: 'scriptorium_runs_crashed',
    help: 'Active runs whose last step was interrupted at least once and has not been committed since',
    registers: ofService,
  }),
  runSeconds: new Histogram({
    name: 'scriptorium_run_seconds',
    help: 'Duration of runs that ended while this gateway was up, from creation to end, including waits for people',
    labelNames: ['status'] as const,
    buckets: [...SECONDS, 24 * 3600, 7 * 24 * 3600],
    registers: ofService,
  }),
  tokens: new Counter({
    name: 'scriptorium_model_tokens_total',
    help: 'Tokens that the model reported while this gateway was up',
    labelNames: ['model', 'direction'] as const,
    registers: ofService,
  }),
  modelCalls: new Counter({
    name: 'scriptorium_model_calls_total',
    help: 'Model calls that were recorded while this gateway was up',
    labelNames: ['model'] as const,
    registers: ofService,
  }),
};

/** Runs `work`, then calls `onEnd` with its duration in seconds and whether it threw. */
export async function timed<T>(
  work: () => Promise<T>,
  onEnd: (seconds: number, failed: boolean) => void,
): Promise<T> {
  const start = performance.now();
  let failed = true;
  try {
    const result = await work();
    failed = false;
    return result;
  } finally {
    onEnd((performance.now() - start) / 1000, failed);
  }
}
