import { until } from '#testing/until.js';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { watchService } from './watch-service.js';

const TOLD_MS = 10_000;

describe('a service that the command line uses', () => {
  it('is said to be unusable within ten seconds, with the part that is down, and usable again', async () => {
    let postgres = 'down';
    const server = createServer((_, response) => {
      response.statusCode = postgres === 'up' ? 200 : 503;
      response.end(JSON.stringify({ checks: { postgres, queue: 'up', store: 'up', migrations: 'applied' } }));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const said: string[] = [];
    const from = Date.now();
    const end = watchService(url, (message) => said.push(message));
    await until(
      'the first message',
      () => said,
      ({ length }) => length === 1,
    );
    expect(Date.now() - from).toBeLessThan(TOLD_MS);
    expect(said[0]).toBe(
      'PostgreSQL does not answer. The run waits until that is mended and then goes on; nothing is lost',
    );
    postgres = 'up';
    await until(
      'the message after PostgreSQL is back',
      () => said,
      ({ length }) => length === 2,
    );
    expect(said[1]).toBe('the service can be used again');
    server.closeAllConnections();
    server.close();
    await until(
      'the message after the server is closed',
      () => said,
      ({ length }) => length === 3,
    );
    expect(said[2]).toContain(`${url} cannot be reached (`);
    await end();
  });
});
