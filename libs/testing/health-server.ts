import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A server that answers health requests like a gateway. */
interface HealthServer {
  readonly url: string;
  postgres: 'up' | 'down';
  /** Number of received requests. */
  readonly requests: number;
  close(): void;
}

/** Starts a server that reports PostgreSQL as up. */
export async function startHealth(): Promise<HealthServer> {
  let requests = 0;
  const server = createServer((_, response) => {
    requests += 1;
    response.statusCode = health.postgres === 'up' ? 200 : 503;
    const checks = { postgres: health.postgres, queue: 'up', store: 'up', migrations: 'applied' };
    response.end(JSON.stringify({ checks }));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const health: HealthServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    postgres: 'up',
    get requests() {
      return requests;
    },
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
  return health;
}
