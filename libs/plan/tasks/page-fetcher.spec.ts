import type { Resolver } from '#egress/destination.js';
import { ExtractionPool } from '#kit/runtime/extraction-pool.js';
import { ParsingProcesses } from '#kit/runtime/parsing-processes.js';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PageFetcher } from './session-tool-ports.js';

describe('fetching pages', () => {
  let server: Server;
  let base: string;
  const port = () => (server.address() as AddressInfo).port;
  const signal = new AbortController().signal;

  beforeAll(async () => {
    server = createServer(({ url }, response) => {
      const html = { 'content-type': 'text/html; charset=utf-8' };
      if (url === '/page') response.writeHead(200, html).end('<h1>Tea</h1><p>Honey</p>');
      else if (url === '/there') response.writeHead(302, { location: '/page' }).end();
      else if (url === '/elsewhere')
        response.writeHead(302, { location: `http://localhost:${port()}/page` }).end();
      else if (url === '/inside') response.writeHead(302, { location: 'http://inside.example/' }).end();
      else if (url === '/round') response.writeHead(302, { location: '/round' }).end();
      else if (url === '/image') response.writeHead(200, { 'content-type': 'image/png' }).end('x');
      else if (url === '/large') response.writeHead(200, html).end('x'.repeat(9 * 1024 * 1024));
      else response.destroy();
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    base = `http://127.0.0.1:${port()}`;
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  const settings = { FETCH_URL: true, EGRESS_ALLOW_PRIVATE: true, EGRESS_PORTS: [80, 443] };
  const processes = new ParsingProcesses({ WORKER_THREADS: 1 });
  const extraction = new ExtractionPool(processes);
  afterAll(() => processes.close());
  /** Longer than needed on any machine, in ms. */
  const UNLIMITED = 3_600_000;
  const nowhere: Resolver = () => Promise.resolve([]);
  const codeOf = (url: string, changed = {}) =>
    new PageFetcher({ ...settings, ...changed }, extraction, nowhere, UNLIMITED).fetch('a', url, signal).then(
      () => 'fetched',
      (error: { code?: string }) => error.code ?? String(error),
    );

  it('P12 returns the text of a page, after redirects', async () => {
    const page = await new PageFetcher(settings, extraction, nowhere, UNLIMITED).fetch(
      'a',
      `${base}/there`,
      signal,
    );
    expect(page).toMatchObject({ status: 200, mediaType: 'text/html' });
    expect(page.text).toContain('# Tea');
  });

  it('LLM01 follows no redirect to another host for a page that a model chose', async () => {
    const local: Resolver = () => Promise.resolve([{ address: '127.0.0.1', family: 4 }]);
    const fetcher = new PageFetcher(settings, extraction, local, UNLIMITED);
    const fetch = (path: string, staysOnHost: boolean) =>
      fetcher.fetch('a', `${base}${path}`, signal, staysOnHost).then(
        () => 'fetched',
        (error: { code?: string }) => error.code,
      );
    expect(await fetch('/elsewhere', false)).toBe('fetched');
    expect(await fetch('/elsewhere', true)).toBe('refused_address');
    expect(await fetch('/there', true)).toBe('fetched');
  });

  it('API7 is off unless the operator allows it, and checks the address of each redirect', async () => {
    expect(await codeOf(`${base}/page`, { FETCH_URL: false })).toBe('not_allowed');
    expect(await codeOf(`${base}/page`, { EGRESS_ALLOW_PRIVATE: false })).toBe('refused_address');
    expect(await codeOf(`${base}/inside`)).toBe('refused_address');
    const asked: string[] = [];
    const resolve: Resolver = (host) => {
      asked.push(host);
      return Promise.resolve([{ address: '10.0.0.1', family: 4 }]);
    };
    const strict = new PageFetcher(
      { ...settings, EGRESS_ALLOW_PRIVATE: false },
      extraction,
      resolve,
      UNLIMITED,
    );
    await expect(strict.fetch('a', 'https://inside.example/', signal)).rejects.toMatchObject({
      code: 'refused_address',
    });
    expect(asked).toEqual(['inside.example']);
  });

  it('API4 rejects pages that are too large or not text, and endless redirects', async () => {
    expect(await codeOf(`${base}/large`)).toBe('too_large');
    expect(await codeOf(`${base}/image`)).toBe('not_text');
    expect(await codeOf(`${base}/round`)).toBe('too_many_redirects');
    expect(await codeOf(`${base}/broken`)).toBe('unreachable');
  });
});
