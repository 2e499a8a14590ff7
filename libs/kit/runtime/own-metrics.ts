import { nameProcess, startMetricsServer, type MetricsServer } from '#telemetry/metrics-server.js';
import type { Migrations } from './migration-check.js';
import { setTimeout as delay } from 'node:timers/promises';

/** Dependencies that a healthy app can reach. */
interface Servers {
  db: { $queryRaw(query: TemplateStringsArray): PromiseLike<unknown> };
  queueBackend: { check(): Promise<void> };
  store: { check(): Promise<void> };
  migrations: { state(): Promise<Migrations> };
}

const HEALTH_LIMIT_MS = 2_000;

/** Health checks of the apps in this process, which share one server. */
const checks = new Set<() => Promise<boolean>>();
let serving: Promise<MetricsServer> | undefined;
/** Name of a process that runs several apps. */
const TOGETHER = 'workers';

/**
 * Serves the metrics and health of a worker process on METRICS_PORT; does nothing if it is unset. Apps in one
 * process share a server, which is healthy if all of them are.
 *
 * @returns a function that stops serving
 */
export async function serveOwnMetrics(
  app: string,
  settings: { METRICS_HOST: string; METRICS_PORT?: number | undefined },
  { db, queueBackend, store, migrations }: Servers,
): Promise<() => Promise<void>> {
  const { METRICS_HOST: host, METRICS_PORT: port } = settings;
  if (port === undefined) return async () => undefined;
  const reachable = async () => {
    await Promise.all([db.$queryRaw`SELECT 1`, queueBackend.check(), store.check()]);
    return (await migrations.state()) === 'applied';
  };
  checks.add(reachable);
  if (serving) nameProcess(TOGETHER);
  serving ??= startMetricsServer(app, { host, port }, areAllReachable);
  const server = await serving;
  return async () => {
    checks.delete(reachable);
    if (checks.size > 0) return;
    serving = undefined;
    await server.stop();
  };
}

async function areAllReachable(): Promise<boolean> {
  const late = delay(HEALTH_LIMIT_MS, [false], { ref: false });
  const answers = await Promise.race([Promise.all([...checks].map((check) => check())), late]);
  return answers.every((isReachable) => isReachable);
}
