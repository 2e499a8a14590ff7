import type { ApiClient } from '#testing/api-client.js';
import { until } from '#testing/until.js';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GatewayInProcess } from '../api/gateway-in-process.js';
import { TimersOf } from './timers-of.js';
import { raw } from './raw-http.js';

const JSON_TYPE = 'content-type: application/json';
const MULTIPART_TYPE = 'content-type: multipart/form-data; boundary=b';
const partNamed = (name: string) =>
  `--b\r\ncontent-disposition: form-data; name="f"; filename="${name}"\r\n\r\n`;

/** A window that only the spec ends. */
const WINDOW_SECONDS = 3_333;

/** Clients that send their body so slowly that they only occupy a connection. */
describe('a slow body', () => {
  let storage: string;
  let gateway: GatewayInProcess;
  let tenant: ApiClient;
  let inputs: string;
  const windows = new TimersOf(WINDOW_SECONDS * 1_000);
  /** The last request that the gateway received. */
  let received: IncomingMessage | undefined;

  beforeAll(async () => {
    storage = await mkdtemp(join(tmpdir(), 'scriptorium-slow-'));
    gateway = await GatewayInProcess.start({
      REQUEST_BODY_SECONDS: String(WINDOW_SECONDS),
      STORAGE_DIR: storage,
    });
    gateway.app.getHttpServer().on('request', (request: IncomingMessage) => (received = request));
    tenant = await gateway.client('slow');
    inputs = `/api/sessions/${await tenant.sessionWith({ 'a.md': '# A\n' })}/inputs`;
  });
  afterAll(async () => {
    windows.restore();
    await gateway.stop();
    await rm(storage, { recursive: true });
  });

  /**
   * Posts headers and the start of a body. Then sends the pieces; after each, once the gateway has read it, the window ends.
   *
   * @returns the response, or `reset`
   */
  async function post(path: string, headers: string[], start: string, pieces: string[]): Promise<string> {
    const lines = [`POST ${path} HTTP/1.1`, ...headers, 'host: x', `authorization: Bearer ${tenant.key}`];
    const text = `${lines.join('\r\n')}\r\n\r\n${start}`;
    received = undefined;
    let sending = Promise.resolve();
    const answer = await raw(gateway.url, text, (write) => {
      sending = send(write, text.length, pieces);
      return () => undefined;
    });
    await sending;
    return answer;
  }

  async function send(write: (text: string) => void, sentBefore: number, pieces: string[]): Promise<void> {
    let sent = sentBefore;
    const isRead = () =>
      received !== undefined && received.socket.bytesRead >= sent && received.readableLength === 0;
    await until('the gateway reads the start of the body', isRead);
    for (const piece of pieces) {
      write(piece);
      sent += piece.length;
      await until('the gateway reads the piece', () => received!.complete || isRead());
      windows.end();
    }
  }

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
    '%s that sends one byte per window is aborted, and its data is deleted',
    async (_, path, headers, start, more) => {
      const answer = await post(path || inputs, headers, start, [more]);
      expect(answer).toMatch(/^(HTTP\/1\.1 408 |reset$)/);
      expect((await tenant.get(inputs)).text).not.toContain('slow.md');
      // The gateway writes incomplete uploads here.
      await until(
        'the gateway deletes what it has written',
        () => readdir(join(storage, '.tmp')),
        (names) => names.length === 0,
      );
    },
  );

  it('a long upload that makes progress is not aborted', async () => {
    const pieces = Array.from({ length: 10 }, () => 'x'.repeat(4_096));
    const [start, end] = [partNamed('steady.md'), '\r\n--b--\r\n'];
    const length = start.length + pieces.join('').length + end.length;
    const headers = [MULTIPART_TYPE, `content-length: ${length}`, 'connection: close'];
    const answer = await post(inputs, headers, start, [...pieces, end]);
    expect(answer).toMatch(/^HTTP\/1\.1 201 /);
  });
});
