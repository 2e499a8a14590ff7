import { createServer } from 'node:net';

/**
 * Returns a TCP port on 127.0.0.1 on which no process listens right now.
 *
 * @param preferred returned if it is free; if it is missing, 0 or in use, the system chooses
 */
export async function freePort(preferred?: number): Promise<number> {
  if (preferred !== undefined && preferred > 0) {
    const port = await tryListen(preferred).catch(() => undefined);
    if (port !== undefined) return port;
  }
  return tryListen(0);
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
