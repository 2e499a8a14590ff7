import { once } from 'node:events';
import { createServer, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Forwards requests with an added key, for clients that cannot be given one. The rest of a request is unchanged. */
export async function addBearer(target: string, key: string): Promise<{ url: string; stop(): void }> {
  const { hostname, port } = new URL(target);
  const server = createServer((request, response) => {
    const { method, url: path, headers } = request;
    const passed = send(
      { hostname, port, method, path, headers: { ...headers, authorization: `Bearer ${key}` } },
      (answer) => {
        response.writeHead(answer.statusCode!, answer.headers);
        answer.pipe(response);
      },
    );
    passed.on('error', () => response.destroy());
    response.once('close', () => passed.destroy());
    request.pipe(passed);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
