import type { ApiClient } from '#testing/api-client.js';
import { until } from '#testing/until.js';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GatewayInProcess } from '../api/gateway-in-process.js';
import { raw } from './raw-http.js';

const JSON_TYPE = 'content-type: application/json';
const MULTIPART_TYPE = 'content-type: multipart/form-data; boundary=b';
const partNamed = (name: string) =>
  `--b\r\ncontent-disposition: form-data; name="f"; filename="${name}"\r\n\r\n`;

/** Clients that send their body so slowly that they only hold a connection. */
describe('a slow body', () => {
  let storage: string;
  let gateway: GatewayInProcess;
  let tenant: ApiClient;
  let inputs: string;

  beforeAll(async () => {
    storage = await mkdtemp(join(tmpdir(), 'scriptorium-slow-'));
    gateway = await GatewayInProcess.start({ REQUEST_BODY_SECONDS: '2', STORAGE_DIR: storage });
    tenant = await gateway.client('slow');
    inputs = `/api/sessions/${await tenant.sessionWith({ 'a.md': '# A\n' })}/inputs`;
  });
  afterAll(async () => {
    await gateway.stop();
    await rm(storage, { recursive: true });
  });

  /** Posts headers and the start of a body, and then what `next` gives, every so often. */
  const post = (path: string, headers: string[], start: string, everyMs: number, next: () => string) => {
    const lines = [`POST ${path} HTTP/1.1`, ...headers, 'host: x', `authorization: Bearer ${tenant.key}`];
    return raw(gateway.url, `${lines.join('\r\n')}\r\n\r\n${start}`, (write) => {
      const timer = setInterval(() => write(next()), everyMs);
      return () => clearInterval(timer);
    });
  };

  it.each([
    ['a JSON body', '/api/sessions', [JSON_TYPE, 'content-length: 1000'], '{"title": "', 'x'],
    [
      'a body in chunks',
      '/api/sessions',
      [JSON_TYPE, 'transfer-encoding: chunked'],
      '1\r\n{\r\n',
      '1\r\n \r\n',
    ],
    ['an upload', '', [MULTIPART_TYPE, 'content-length: 100000'], `${partNamed('slow.md')}x`, 'x'],
  ])(
    '%s that brings a byte now and then is cut, and is held no more',
    async (_, path, headers, start, more) => {
      const answer = await post(path || inputs, headers, start, 200, () => more);
      expect(answer).toMatch(/^(HTTP\/1\.1 408 |reset$)/);
      expect((await tenant.get(inputs)).text).not.toContain('slow.md');
      // What is still being written lies here.
      await until(
        'no file is being written',
        () => readdir(join(storage, '.tmp')),
        (files) => files.length === 0,
      );
    },
  );

  it('an upload that lasts but goes on is not cut', async () => {
    const pieces = Array.from({ length: 10 }, () => 'x'.repeat(4_096));
    const [start, end] = [partNamed('steady.md'), '\r\n--b--\r\n'];
    const length = start.length + pieces.join('').length + end.length;
    const coming = [...pieces, end];
    const headers = [MULTIPART_TYPE, `content-length: ${length}`, 'connection: close'];
    const answer = await post(inputs, headers, start, 300, () => coming.shift() ?? '');
    expect(answer).toMatch(/^HTTP\/1\.1 201 /);
  });
});
