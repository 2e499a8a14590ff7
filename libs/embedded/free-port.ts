import { createServer } from 'node:net';

/**
 * Returns a TCP port on 127.0.0.1 on which no process listens right now.
 *
 * @param preferred returned if it is free; if it is missing, 0 or in use, the system chooses
 * @param taken never returned: another server will listen on it
 */
export async function freePort(preferred = 0, taken = 0): Promise<number> {
  if (preferred > 0 && preferred !== taken) {
    const port = await tryListen(preferred).catch(() => undefined);
    if (port !== undefined) return port;
  }
  const port = await tryListen(0);
  return port === taken ? freePort(0, taken) : port;
}

function tryListen(port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      const address = server.address();
      const chosen = typeof address === 'object' && address !== null ? address.port : port;
      server.close(() => resolve(chosen));
    });
  });
}
