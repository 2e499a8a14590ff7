import { startMetricsServer } from '#telemetry/metrics-server.js';
import { setTimeout as delay } from 'node:timers/promises';
import type { Infrastructure } from './infrastructure.module.js';

const HEALTH_LIMIT_MS = 2_000;

/**
 * Serves the metrics and health of a worker process on METRICS_PORT; does nothing when that is unset.
 *
 * @returns stops it
 */
export async function serveOwnMetrics(
  app: string,
  settings: { METRICS_HOST: string; METRICS_PORT?: number | undefined },
  { db, queueBackend }: Pick<Infrastructure, 'db' | 'queueBackend'>,
): Promise<() => Promise<void>> {
  const { METRICS_HOST: host, METRICS_PORT: port } = settings;
  if (port === undefined) return async () => undefined;
  const reachable = async () => {
    await Promise.all([db.$queryRaw`SELECT 1`, queueBackend.check()]);
    return true;
  };
  const server = await startMetricsServer(app, { host, port }, () =>
    Promise.race([reachable(), delay(HEALTH_LIMIT_MS, false, { ref: false })]),
  );
  return () => server.stop();
}
