import type { Resolver } from '#egress/destination.js';
import { SecretSeal } from '#egress/secret-seal.js';
import { ExtractionPool } from '#kit/runtime/extraction-pool.js';
import { ParsingProcesses } from '#kit/runtime/parsing-processes.js';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { ToolSecret } from '../store/secrets.js';
import type { HttpCall } from '../tools/ports.js';
import { HttpCaller } from './http-caller.js';
import { OpenedSecrets } from './opened-secrets.js';

const TOKEN_SECRET = 's'.repeat(32);
const VALUE = 'key-"of"-the/tenant';

/** A page in ISO 8859-2. */
const POLISH = Buffer.from('<p>Za\xbf\xf3\xb3\xe6 g\xea\xb6l\xb1 ja\xbc\xf1</p>', 'latin1');

/** JSON that escapes every character that is neither a letter nor a digit, in values and names. */
const escaped = (said: string): string => {
  const hex = (character: string) =>
    `\\u${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`;
  const text = said.replace(/[^A-Za-z0-9]/g, hex);
  const json = JSON.stringify(said).replaceAll('/', '\\/');
  return `{"said":"${text}","${text}":[{"nested":${json}}]}`;
};

describe('HTTP requests of plans', () => {
  let server: Server;
  let host: string;
  const received: { head: IncomingMessage; body: string }[] = [];
  const signal = new AbortController().signal;

  beforeAll(async () => {
    server = createServer((head, response) => {
      void text(head).then((body) => {
        received.push({ head, body });
        const json = { 'content-type': 'application/json; charset=utf-8' };
        const html = { 'content-type': 'text/html; charset=utf-8' };
        const { port } = server.address() as AddressInfo;
        const said = String(head.headers.authorization);
        if (head.url === '/echo') response.writeHead(201, json).end(JSON.stringify({ said, id: '7', n: 1 }));
        else if (head.url === '/escaped') response.writeHead(200, json).end(escaped(said));
        else if (head.url === '/escaped-error') response.writeHead(400, json).end(escaped(said));
        else if (head.url === '/lines')
          response.writeHead(200, { 'content-type': 'application/x-ndjson' }).end(escaped(said));
        else if (head.url === '/there')
          response.writeHead(302, { location: `/x?k=${encodeURIComponent(VALUE)}` }).end();
        else if (head.url === '/page')
          response.writeHead(200, html).end(`<h1>Tea</h1><p>${said.replaceAll('"', '&quot;')}</p>`);
        else if (head.url === '/polish')
          response.writeHead(200, { 'content-type': 'text/html; charset=ISO-8859-2' }).end(POLISH);
        else if (head.url === '/unnamed')
          response.writeHead(200, { 'content-type': 'text/html' }).end(POLISH);
        else if (head.url === '/utf16')
          response
            .writeHead(200, { 'content-type': 'text/html; charset=utf-16le' })
            .end(Buffer.from(`<p>${said}</p>`, 'utf16le'));
        else if (head.url === '/no-type') response.writeHead(200).end('tea');
        else if (head.url === '/here') response.writeHead(302, { location: '/page' }).end();
        else if (head.url === '/elsewhere')
          response.writeHead(302, { location: `http://localhost:${port}/page` }).end();
        else if (head.url === '/port') response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end();
        else if (head.url === '/inside')
          response.writeHead(302, { location: 'http://inside.example/' }).end();
        else if (head.url === '/round') response.writeHead(302, { location: '/round' }).end();
        else if (head.url?.startsWith('/none')) response.writeHead(204).end();
        else if (head.url === '/image') response.writeHead(200, { 'content-type': 'image/png' }).end('x');
        else if (head.url === '/wrong') response.writeHead(404, json).end(`{"error":"no ${said}"}`);
        else if (head.url === '/failed') response.writeHead(503, json).end('{}');
        else if (head.url === '/large') response.writeHead(200, json).end('1'.repeat(9 * 1024 * 1024));
        else if (head.url === '/broken-json') response.writeHead(200, json).end('{"a');
        else if (head.url !== '/silent') response.destroy();
      });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  const seal = new SecretSeal(TOKEN_SECRET, 'tool');
  const row = (name: string, hosts: string[], id = `sec_${name}`): ToolSecret => {
    const common = { tenantId: 'a', createdAt: new Date(0) };
    return { ...common, id, name, hosts, secret: seal.seal(VALUE, `sec_${name}`) };
  };
  const secrets = {
    named: (tenant: string, names: readonly string[]) =>
      Promise.resolve(
        tenant === 'a'
          ? [row('crm', [host]), row('other', ['api.example']), row('moved', [host], 'sec_else')].filter(
              ({ name }) => names.includes(name),
            )
          : [],
      ),
  };
  const settings = { FETCH_URL: true, EGRESS_ALLOW_PRIVATE: true, EGRESS_PORTS: [80, 443], TOKEN_SECRET };
  const nowhere: Resolver = () => Promise.resolve([]);
  /** Longer than needed on any machine, in ms. */
  const UNLIMITED = 3_600_000;
  const processes = new ParsingProcesses({ WORKER_THREADS: 1 });
  const extraction = new ExtractionPool(processes);
  afterAll(() => processes.close());
  const caller = (changed = {}, limit = UNLIMITED, resolve = nowhere) =>
    new HttpCaller(
      { ...settings, ...changed },
      new OpenedSecrets({ ...settings, ...changed }, secrets),
      extraction,
      resolve,
      limit,
    );
  const send = (path: string, call: Partial<HttpCall> = {}, changed = {}, tenant = 'a', limit = UNLIMITED) =>
    caller(changed, limit).send(
      tenant,
      { method: 'GET', url: `http://${host}${path}`, headers: {}, body: null, ...call },
      signal,
    );
  const failure = (sent: Promise<unknown>) =>
    sent.then(
      () => 'sent',
      (error: { code?: string; constructor: { name: string } }) => [error.code, error.constructor.name],
    );
  const headers = { authorization: 'Bearer {{crm}}' };

  it('P12 sends JSON with a secret, and returns JSON without it', async () => {
    const answer = await send('/echo', { method: 'POST', headers, body: '{"a":1}' });
    expect(answer).toEqual({
      status: 201,
      mediaType: 'application/json',
      location: null,
      body: { said: 'Bearer [removed]', id: '7', n: 1 },
      text: null,
    });
    const { head, body } = received.at(-1)!;
    expect([head.method, head.headers.authorization, head.headers['content-type'], body]).toEqual([
      'POST',
      `Bearer ${VALUE}`,
      'application/json',
      '{"a":1}',
    ]);
  });

  it('P12 P13 sends forms, and secrets in the query and in the body, to their hosts only', async () => {
    const form = { form: { a: '1 & 2', b: 'ż' } };
    const secretsIn = { query: { key: 'crm' }, body: { token: 'crm' } };
    await send('/none?x=1', { method: 'POST', body: form, secrets: secretsIn });
    const { head, body } = received.at(-1)!;
    expect(head.headers['content-type']).toBe('application/x-www-form-urlencoded');
    expect(Object.fromEntries(new URL(head.url!, 'http://x').searchParams)).toEqual({ x: '1', key: VALUE });
    expect(Object.fromEntries(new URLSearchParams(body))).toEqual({ ...form.form, token: VALUE });
    await send('/none', { method: 'POST', body: '{"a":1}', secrets: { query: {}, body: { token: 'crm' } } });
    expect(JSON.parse(received.at(-1)!.body)).toEqual({ a: 1, token: VALUE });
    for (const where of ['query', 'body'] as const) {
      const other = { query: {}, body: {}, [where]: { key: 'other' } };
      const sent = received.length;
      expect(await failure(send('/none', { method: 'POST', body: '{}', secrets: other }))).toEqual([
        'secret_not_allowed',
        'ToolCallError',
      ]);
      expect(received).toHaveLength(sent);
    }
  });

  it('P13 removes the secret from redirects and errors, and follows no redirect', async () => {
    expect(await send('/there', { headers })).toMatchObject({ status: 302, location: '/x?k=[removed]' });
    const error: unknown = await send('/wrong', { headers }).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: 'http_status', message: expect.stringContaining('404') });
    expect(String(error)).not.toContain('tenant');
    expect(received.at(-1)!.head.url).toBe('/wrong');
  });

  it('P13 removes a secret that a response escapes, from every value and name of a field', async () => {
    expect(await send('/escaped', { headers })).toMatchObject({
      body: { said: 'Bearer [removed]', 'Bearer [removed]': [{ nested: 'Bearer [removed]' }] },
    });
    const error: unknown = await send('/escaped-error', { headers }).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ message: expect.stringContaining('[removed]') });
    expect(String(error)).not.toContain('tenant');
    expect(JSON.stringify(await send('/lines', { headers }))).not.toContain('tenant');
  });

  it('P13 sends a secret only to its hosts, and only to requests of its tenant', async () => {
    const count = received.length;
    const named = (name: string) => ({ headers: { authorization: `{{${name}}}` } });
    expect(await failure(send('/echo', named('other')))).toEqual(['secret_not_allowed', 'ToolCallError']);
    expect(await failure(send('/echo', named('none')))).toEqual(['unknown_secret', 'ToolCallError']);
    expect(await failure(send('/echo', named('crm'), {}, 'b'))).toEqual(['unknown_secret', 'ToolCallError']);
    expect(await failure(send('/echo', named('moved')))).toEqual(['unreadable_secret', 'ToolCallError']);
    const rotated = { TOKEN_SECRET: 't'.repeat(32) };
    expect(await failure(send('/echo', named('crm'), rotated))).toEqual([
      'unreadable_secret',
      'ToolCallError',
    ]);
    expect(received).toHaveLength(count);
  });

  it('API7 are off unless the operator allows them, and never reach private addresses', async () => {
    expect(await failure(send('/echo', {}, { FETCH_URL: false }))).toEqual(['not_allowed', 'ToolCallError']);
    expect(await failure(send('/echo', {}, { EGRESS_ALLOW_PRIVATE: false }))).toEqual([
      'refused_address',
      'ToolCallError',
    ]);
    expect(await failure(send('', { url: 'http://inside.example/' }))).toEqual([
      'refused_address',
      'ToolCallError',
    ]);
  });

  it('API4 abort responses that are too large or too slow; such a request may have taken effect', async () => {
    expect(await failure(send('/large'))).toEqual(['too_large', 'BrokenOffCallError']);
    expect(await failure(send('/silent', {}, {}, 'a', 1))).toEqual(['timeout', 'BrokenOffCallError']);
    expect(await failure(send('/broken-json'))).toEqual(['invalid_answer', 'BrokenOffCallError']);
    expect(await failure(send('/closed'))).toEqual(['unreachable', 'BrokenOffCallError']);
    expect(await failure(send('/failed'))).toEqual(['http_status', 'BrokenOffCallError']);
    expect(await failure(send('/wrong'))).toEqual(['http_status', 'ToolCallError']);
  });

  it('P12 P13 returns the text of a page, after redirects, and without secrets', async () => {
    const page = await send('/here');
    expect(page).toMatchObject({
      status: 200,
      mediaType: 'text/html',
      body: expect.stringContaining('<h1>'),
    });
    expect(page.text).toContain('# Tea');
    const secret = await send('/page', { headers });
    expect(secret.text).toContain('# Tea\n\nBearer');
    expect(JSON.stringify(secret)).not.toContain('tenant');
    expect((await send('/page', { method: 'POST', body: '{}' })).text).toContain('<h1>');
  });

  it('P12 P13 reads pages in other encodings, and removes secrets from them', async () => {
    const polish = 'Zażółć gęślą jaźń';
    expect(await send('/polish')).toMatchObject({ body: `<p>${polish}</p>`, text: `${polish}\n` });
    expect((await send('/unnamed')).text).toContain('Za');
    expect(await send('/utf16', { headers })).toMatchObject({ text: expect.stringContaining('removed]') });
    expect(JSON.stringify(await send('/utf16', { headers }))).not.toContain('tenant');
  });

  it('P12 returns errors and JSON as text to the older plans that ask for it', async () => {
    const any = { isAnyAnswer: true };
    expect(await send('/wrong', any)).toMatchObject({ status: 404, text: '{"error":"no undefined"}' });
    expect(await send('/failed', any)).toMatchObject({ status: 503, text: '{}' });
    expect(await send('/broken-json', any)).toMatchObject({ status: 200, text: '{"a' });
    expect(await send('/no-type', any)).toMatchObject({ mediaType: 'text/plain', text: 'tea' });
    expect(await send('/image', any)).toMatchObject({ text: null });
  });

  it('LLM01 follows no redirect to another host for a page that a model chose, and sends it no headers', async () => {
    const local: Resolver = () => Promise.resolve([{ address: '127.0.0.1', family: 4 }]);
    const follow = (path: string, staysOnHost: boolean) =>
      failure(
        caller({}, UNLIMITED, local).send(
          'a',
          { method: 'GET', url: `http://${host}${path}`, headers: { 'x-a': 'b' }, body: null },
          signal,
          staysOnHost,
        ),
      );
    expect(await follow('/here', true)).toBe('sent');
    expect(received.at(-1)!.head.headers['x-a']).toBe('b');
    const count = received.length;
    expect(await follow('/elsewhere', true)).toEqual(['refused_address', 'ToolCallError']);
    expect(received).toHaveLength(count + 1);
    expect(await follow('/port', true)).toEqual(['refused_address', 'ToolCallError']);
    expect(await follow('/elsewhere', false)).toBe('sent');
    expect(received.at(-1)!.head.headers['x-a']).toBeUndefined();
  });

  it('API4 API7 checks the address of each redirect, and follows three', async () => {
    expect(await failure(send('/inside'))).toEqual(['refused_address', 'ToolCallError']);
    expect(await failure(send('/round'))).toEqual(['too_many_redirects', 'BrokenOffCallError']);
    const asked: string[] = [];
    const resolve: Resolver = (name) => {
      asked.push(name);
      return Promise.resolve([{ address: '10.0.0.1', family: 4 }]);
    };
    const call = { method: 'GET', url: 'https://inside.example/', headers: {}, body: null };
    const strict = caller({ EGRESS_ALLOW_PRIVATE: false }, UNLIMITED, resolve);
    expect(await failure(strict.send('a', call, signal))).toEqual(['refused_address', 'ToolCallError']);
    expect(asked).toEqual(['inside.example']);
  });

  it('P12 return no body if the response has none or is not text', async () => {
    expect(await send('/none')).toMatchObject({ status: 204, body: null });
    expect(await send('/image')).toMatchObject({ mediaType: 'image/png', body: null });
  });
});
