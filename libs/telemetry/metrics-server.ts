import { collectDefaultMetrics } from 'prom-client';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { processRegistry } from './metrics.js';

/** Labels this process's metrics with the app's name. */
export function nameProcess(app: string): void {
  processRegistry.setDefaultLabels({ app });
}

/**
 * Starts Node's own metrics (CPU, memory, event loop lag) unless they have started. Call it at the beginning of
 * each scrape: a process without a scraper need not wake 100 times a second to measure its lag.
 */
export function startNodeMetrics(): void {
  if (processRegistry.getSingleMetric('process_cpu_seconds_total')) return;
  collectDefaultMetrics({ register: processRegistry });
}

/** Server of one process's own metrics and health. */
export interface MetricsServer {
  /** Port it listens on. */
  port: number;
  stop(): Promise<void>;
}

/**
 * Serves `GET /metrics` (Prometheus text), `GET /live` (200 while the process responds) and `GET /health`
 * (200 or 503) of this process, without credentials: for scrapers and orchestrators inside the network.
 *
 * @param port 0 selects a free port
 * @param isHealthy returns whether the dependencies of the process are reachable; must not hang
 * @throws Error EADDRINUSE and the like
 */
export async function startMetricsServer(
  app: string,
  { host, port }: { host: string; port: number },
  isHealthy: () => Promise<boolean>,
): Promise<MetricsServer> {
  nameProcess(app);
  const answer = async (path: string, response: ServerResponse) => {
    if (path === '/metrics') {
      startNodeMetrics();
      // The health check updates metrics, such as the object store's.
      await isHealthy().catch(() => false);
      response.setHeader('content-type', processRegistry.contentType).end(await processRegistry.metrics());
    } else if (path === '/live') {
      response.end('ok\n');
    } else if (path === '/health') {
      const healthy = await isHealthy().catch(() => false);
      response.writeHead(healthy ? 200 : 503).end(healthy ? 'ok\n' : 'unavailable\n');
    } else response.writeHead(404).end();
  };
  const server = createServer((request, response) => {
    answer(request.url?.split('?')[0] ?? '', response).catch(() => response.destroy());
  });
  server.listen(port, host);
  await once(server, 'listening');
  server.unref();
  return {
    port: (server.address() as AddressInfo).port,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
