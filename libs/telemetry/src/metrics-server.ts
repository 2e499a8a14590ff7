import { collectDefaultMetrics } from 'prom-client';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { processRegistry } from './metrics.js';

/** Marks this process's metrics with the app's name and adds those of Node itself: CPU, memory, event loop lag. */
export function nameProcess(app: string): void {
  processRegistry.setDefaultLabels({ app });
  if (!processRegistry.getSingleMetric('process_cpu_seconds_total')) {
    collectDefaultMetrics({ register: processRegistry });
  }
}

/** Serves one process's own metrics and health. */
export interface MetricsServer {
  /** The port it listens on. */
  port: number;
  stop(): Promise<void>;
}

/**
 * Serves `GET /metrics` (Prometheus text), `GET /live` (200 while the process answers) and `GET /health` (200 or 503) of
 * this process, without credentials: for scrapers and orchestrators inside the network.
 *
 * @param port 0 takes a free one
 * @param isHealthy whether what the process stands on can be reached; must not hang
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
      // It measures what it looks at, such as the object store.
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
