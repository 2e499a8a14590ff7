import { nameProcess, startMetricsServer, type MetricsServer } from '#telemetry/metrics-server.js';
import type { Migrations } from './migration-check.js';
import { setTimeout as delay } from 'node:timers/promises';

/** What has to be reached for an app to be healthy. */
interface Servers {
  db: { $queryRaw(query: TemplateStringsArray): PromiseLike<unknown> };
  queueBackend: { check(): Promise<void> };
  store: { check(): Promise<void> };
  migrations: { state(): Promise<Migrations> };
}

const HEALTH_LIMIT_MS = 2_000;

/** What the apps of this process share, which is one of them or several. */
const checks = new Set<() => Promise<boolean>>();
let serving: Promise<MetricsServer> | undefined;
/** How several apps in one process are called. */
const TOGETHER = 'workers';

/**
 * Serves the metrics and health of a worker process on METRICS_PORT; does nothing when that is unset. Apps that run
 * together have one server, which is healthy when each of them is.
 *
 * @returns stops it
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
