import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A page as returned by Exa's `/search`. */
interface StubPage {
  url: string;
  title: string | null;
  text: string;
  summary?: string;
}

export interface ExaStub {
  baseUrl: string;
  /** Bodies of the requests, each with its API key. */
  requests: { key: string | undefined; body: Record<string, unknown> }[];
  /** The stub's response: pages, or a status with headers. */
  answer: StubPage[] | { status: number; headers?: Record<string, string> };
  stop(): Promise<void>;
}

/** Starts a server on loopback that answers `POST /search` in the format of Exa's API. For tests. */
export async function startExaStub(pages: StubPage[] = []): Promise<ExaStub> {
  const stub: Omit<ExaStub, 'baseUrl'> = {
    requests: [],
    answer: pages,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = JSON.parse(Buffer.concat(chunks).toString('utf8')) as Record<string, unknown>;
      stub.requests.push({ key: request.headers['x-api-key'] as string | undefined, body });
      const { answer } = stub;
      if (!Array.isArray(answer)) return response.writeHead(answer.status, answer.headers).end('{}');
      const results = answer.map((page) => ({
        id: page.url,
        publishedDate: '2026-01-02T00:00:00.000Z',
        author: null,
        score: 0.3,
        ...page,
      }));
      response.writeHead(200, { 'content-type': 'application/json' });
      return response.end(
        JSON.stringify({
          requestId: 'req',
          resolvedSearchType: 'neural',
          results,
          costDollars: { total: 0.012 },
        }),
      );
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return Object.assign(stub, { baseUrl: `http://127.0.0.1:${port}` });
}
