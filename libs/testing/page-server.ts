import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A page of a stub server. */
interface ServedPage {
  body: string | Buffer;
  type?: string;
  status?: number;
  location?: string;
}

export interface PageServer {
  baseUrl: string;
  /** Pages by path; all others are missing. */
  pages: Record<string, ServedPage>;
  /** Requested paths with their queries. */
  requests: string[];
  stop(): Promise<void>;
}

/** Starts a web server on loopback. For tests. */
export async function startPageServer(pages: Record<string, ServedPage> = {}): Promise<PageServer> {
  const stub: Omit<PageServer, 'baseUrl'> = {
    pages,
    requests: [],
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  const server = createServer((request, response) => {
    stub.requests.push(request.url!);
    const page = stub.pages[new URL(request.url!, 'http://stub').pathname];
    if (!page) return response.writeHead(404, { 'content-type': 'text/html' }).end('<p>Not here');
    const { type = 'text/html; charset=utf-8', status = 200, location } = page;
    response.writeHead(status, { 'content-type': type, ...(location && { location }) });
    return response.end(page.body);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return Object.assign(stub, { baseUrl: `http://127.0.0.1:${port}` });
}
