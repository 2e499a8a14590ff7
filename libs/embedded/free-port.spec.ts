import { once } from 'node:events';
import { createServer } from 'node:net';
import { freePort } from './postgres.js';

describe('freePort', () => {
  it('returns the preferred port if it is free, otherwise another one', async () => {
    const port = await freePort();
    expect(await freePort(port)).toBe(port);
    const server = createServer().listen(port, '127.0.0.1');
    await once(server, 'listening');
    expect(await freePort(port)).not.toBe(port);
    server.close();
  });

  it('never returns the port that another server will take', async () => {
    const port = await freePort();
    expect(await freePort(port, port)).not.toBe(port);
  });
});
