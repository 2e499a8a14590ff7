import { jest } from '@jest/globals';
import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import multipart from '@fastify/multipart';
import fastify from 'fastify';
import type { RunEvent } from '#catalogue/events.js';
import { ProblemError } from '#contracts/errors.js';
import { CliError } from '../cli-error.js';
import { unwrap } from '#contracts/api/responses.js';
import { type ApiClient, createApiClient, OPEN_ENDED } from './api-client.js';
import { download } from './download-result.js';
import { followRun } from './follow-run.js';
import { upload } from './multipart.js';

const servers: Server[] = [];

async function serve(
  handler: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<ApiClient> {
  const server = createServer(handler);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return createApiClient(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, 'scr_test');
}

afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

describe('ApiClient', () => {
  it('turns a problem into one sentence with its stable code', async () => {
    const problem = new ProblemError('invalid_request', 'The body does not fit.', [
      { path: 'inputs.title', message: 'too long' },
    ]);
    const client = await serve((request, response) => {
      expect(request.headers.authorization).toBe('Bearer scr_test');
      response
        .writeHead(422, { 'content-type': 'application/problem+json' })
        .end(JSON.stringify(problem.toProblem()));
    });
    const failure = await unwrap(client.POST('/api/sessions', { body: {} })).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(CliError);
    expect(failure).toMatchObject({
      message: 'The body does not fit. (inputs.title: too long)',
      code: 'invalid_request',
    });
  });

  it('reports a server that is not Scriptorium or does not respond', async () => {
    const client = await serve((_, response) => void response.writeHead(404).end('<html>'));
    await expect(unwrap(client.GET('/api/sessions'))).rejects.toThrow(
      /responded with HTTP status 404 and no problem details\. Is it a Scriptorium service\?/,
    );
    const nobody = createApiClient('http://127.0.0.1:1', 'scr_test');
    await expect(unwrap(nobody.GET('/api/sessions'))).rejects.toThrow(
      /^http:\/\/127\.0\.0\.1:1 cannot be reached \(/,
    );
  });

  it('limits the duration of JSON calls, but not of downloads', async () => {
    const client = await serve((_, response) => void response.end('{}'));
    const late = AbortSignal.abort(new DOMException('late', 'TimeoutError'));
    const timeout = jest.spyOn(AbortSignal, 'timeout').mockReturnValue(late);
    try {
      await expect(unwrap(client.GET('/api/sessions'))).rejects.toThrow(/ did not respond in time\.$/);
      expect((await client.GET('/api/sessions', OPEN_ENDED)).response.status).toBe(200);
    } finally {
      timeout.mockRestore();
    }
  });

  it('only compiles for operations in the OpenAPI document', async () => {
    const client = await serve((_, response) => void response.writeHead(404).end());
    const calls = [
      // @ts-expect-error there is no such path
      client.GET('/api/nothing'),
      // @ts-expect-error the path has no such method
      client.DELETE('/api/decisions'),
      // @ts-expect-error the path needs its parameter
      client.GET('/api/agents/runs/{run_id}'),
      // @ts-expect-error the body is of another type
      client.POST('/api/sessions', { body: { title: 1 } }),
      // @ts-expect-error the operation takes no files
      upload(client, '/api/sessions', { params: {}, parts: [] }),
      unwrap(client.GET('/api/agents/runs/{run_id}', { params: { path: { run_id: 'r' } } }))
        // @ts-expect-error the answer has no such field
        .then((run) => run.nothing),
    ];
    const results = await Promise.allSettled(calls);
    expect(results.every(({ status }) => status === 'rejected')).toBe(true);
  });

  it('uploads files and values under any name', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'scriptorium-upload-'));
    const path = join(dir, 'x.bin');
    await writeFile(path, Buffer.alloc(300_000, 7));
    const app = fastify();
    await app.register(multipart);
    const seen: unknown[] = [];
    app.post('/api/sessions/:id/inputs', async (request) => {
      for await (const part of request.parts()) {
        const content = part.type === 'file' ? (await part.toBuffer()).length : part.value;
        seen.push([part.fieldname, part.type === 'file' ? part.filename : null, content]);
      }
      return { items: [] };
    });
    const url = await app.listen({ host: '127.0.0.1', port: 0 });
    const name = 'images\\"Übersicht" 100%25; a=b.png';
    const parts = [
      { name, value: 'skip' },
      { name: 'file', filename: 'ż "q" %41.bin', path },
    ];
    try {
      await upload(createApiClient(url, 'scr_test'), '/api/sessions/{session_id}/inputs', {
        params: { path: { session_id: 's/1' } },
        parts,
      });
    } finally {
      await app.close();
      await rm(dir, { recursive: true });
    }
    expect(seen).toEqual([
      [name, null, 'skip'],
      ['file', 'ż "q" %41.bin', 300_000],
    ]);
  });

  it('downloads a file complete or not at all', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'scriptorium-download-'));
    let cut = true;
    const client = await serve((_, response) => {
      response.writeHead(200, { 'content-length': 10 });
      response.write('01234', () => (cut ? response.destroy() : response.end('56789')));
    });
    const manuscript = () =>
      client.GET('/api/sessions/{session_id}/manuscript', {
        params: { path: { session_id: 's' } },
        ...OPEN_ENDED,
      });
    await expect(download(manuscript(), join(dir, 'out/a.md'))).rejects.toThrow();
    expect(await readdir(join(dir, 'out'))).toEqual([]);
    cut = false;
    expect(await download(manuscript(), join(dir, 'out/a.md'))).toBe(10);
    expect(await readFile(join(dir, 'out/a.md'), 'utf8')).toBe('0123456789');
    await rm(dir, { recursive: true });
  });
});

describe('followRun', () => {
  const event = (seq: number, type: RunEvent['type'] = 'state_updated') =>
    `id: ${seq}\nevent: ${type}\ndata: ${JSON.stringify({ seq, at: '2026-01-01T00:00:00.000Z', run_id: 'r', type, data: {} })}\n\n`;

  it('resumes with Last-Event-ID after interrupted streams and outages, and returns each event once', async () => {
    const asked: (string | undefined)[] = [];
    const streams = [
      (response: ServerResponse) => response.end(event(1) + event(2) + 'id: 3\nda'),
      (response: ServerResponse) => response.destroy(),
      (response: ServerResponse) => {
        const problem = new ProblemError('unavailable', 'Later.').toProblem();
        response.statusCode = 503;
        response.end(JSON.stringify(problem));
      },
      (response: ServerResponse) =>
        response.end(
          `: still here\n\n${event(2)}event: news\ndata: {"type":"news"}\n\n${event(3)}${event(4, 'done')}`,
        ),
    ];
    const client = await serve((request, response) => {
      asked.push(request.headers['last-event-id'] as string | undefined);
      streams.shift()!(response);
    });
    const seen: number[] = [];
    for await (const { seq } of followRun(client, 'r')) seen.push(seq);
    expect(seen).toEqual([1, 2, 3, 4]);
    expect(asked).toEqual(['0', '2', '2', '2']);
  });

  it('does not retry permanent errors', async () => {
    const problem = new ProblemError('not_found', 'Run not found.');
    const client = await serve(
      (_, response) => void response.writeHead(404).end(JSON.stringify(problem.toProblem())),
    );
    await expect(followRun(client, 'r').next()).rejects.toThrow('Run not found.');
  });
});
