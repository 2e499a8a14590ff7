import { newId } from '#contracts/ids.js';
import { problemCatalogue } from '#contracts/errors.js';
import { createDatabase, type Database } from '#db/client.js';
import { connectJobQueues, type ConnectedQueues } from '#testing/queues.js';
import { createObjectStore } from '#storage/create-object-store.js';
import { ManuscriptStore } from '#storage/manuscript-store.js';
import type { ApiClient } from '#testing/api-client.js';
import { leasedStack, type LeasedStack } from '#testing/shared-stack.js';
import { TEST_ADMIN_PASSWORD } from '#testing/test-stack.js';
import { until } from '#testing/until.js';
import { createHash, randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';

/** A manuscript of this size is not compared any more. */
const TOO_LARGE = 'x'
  .repeat(1_023)
  .concat('\n')
  .repeat(16 * 1_024 + 1);
const BODY_LIMIT = 1024 * 1024;

/** API8 problem codes that no other spec covers. */
describe('problems', () => {
  let stack: LeasedStack;
  let db: Database;
  let queues: ConnectedQueues;
  let tenant: ApiClient;
  let tenantId: string;

  beforeAll(async () => {
    stack = await leasedStack('own');
    db = createDatabase(stack.database.url, 2);
    queues = await connectJobQueues(stack.env.QUEUE_URL!, { onError: () => undefined });
    tenant = await stack.tenant('problems');
    tenantId = (await db.tenant.findFirstOrThrow({ where: { name: 'problems' } })).id;
  });
  afterAll(async () => {
    await queues.close();
    await db.$disconnect();
    await stack.release();
  });

  /** A session with an ended run and its results. */
  async function ended(values: { rolledBackAt?: Date; summary?: { temp_md_path: string } } = {}) {
    const sessionId = String((await tenant.post('/api/sessions', {})).json.id);
    const run = { id: newId('run'), tenantId, sessionId, kind: 'document', status: 'completed', inputs: {} };
    await db.run.create({ data: { ...run, graphVersion: '1', finishedAt: new Date(), ...values } });
    return { sessionId, runId: run.id };
  }

  /** Sends raw bytes, and returns everything received until the gateway closes the connection. */
  function send(bytes: string): Promise<string> {
    const { hostname, port } = new URL(stack.url);
    return new Promise((resolve, reject) => {
      let answer = '';
      const socket = connect(Number(port), hostname, () => socket.write(bytes));
      socket.on('data', (chunk: Buffer) => (answer += chunk.toString()));
      socket.on('error', reject).on('close', () => resolve(answer));
    });
  }

  it('checkpoint_unusable: a run that was rolled back', async () => {
    const { sessionId, runId } = await ended({ rolledBackAt: new Date() });
    const body = { run_id: runId, checkpoint_id: randomUUID() };
    for (const action of ['restore', 'fork']) {
      const { status, json } = await tenant.post(`/api/sessions/${sessionId}/${action}`, body);
      expect([status, json.code]).toEqual([409, 'checkpoint_unusable']);
    }
  });

  it('diff_too_large: manuscripts above the limit of a comparison', async () => {
    const { sessionId, runId } = await ended();
    const store = createObjectStore({ kind: 'directory', root: stack.env.STORAGE_DIR! });
    const { pointer } = await new ManuscriptStore(store, tenantId, sessionId).append(null, TOO_LARGE);
    await db.run.update({ where: { id: runId }, data: { summary: { temp_md_path: pointer } } });
    const other = await ended();
    const { status, json } = await tenant.get(`/api/sessions/${sessionId}/diff?with=${other.sessionId}`);
    expect([status, json.code]).toEqual([422, 'diff_too_large']);
  });

  it('idempotency_under_way: the first request has no response yet', async () => {
    const hash = createHash('sha256').update('POST\n/api/sessions\n{}').digest('base64url');
    const row = { tenantId, key: 'under-way', requestHash: hash, attempt: 'other' };
    await db.idempotencyKey.create({ data: row });
    const headers = { 'idempotency-key': row.key };
    const { status, json } = await tenant.request('POST', '/api/sessions', {}, headers);
    expect([status, json.code]).toEqual([409, 'idempotency_under_way']);
  });

  it('idempotency_outcome_unknown: the first request was interrupted, and a repeat could take effect twice', async () => {
    const hash = createHash('sha256').update('POST\n/api/tools/graph/reset\n{}').digest('base64url');
    const row = {
      tenantId,
      key: 'broke-off',
      requestHash: hash,
      attempt: 'other',
      createdAt: new Date(Date.now() - 3_600_000),
    };
    await db.idempotencyKey.create({ data: row });
    const headers = { 'idempotency-key': row.key };
    const { status, json } = await tenant.request('POST', '/api/tools/graph/reset', {}, headers);
    expect([status, json.code]).toEqual([409, 'idempotency_outcome_unknown']);
  });

  it('last_admin_key: the only key that can create keys', async () => {
    const key = await db.apiKey.findFirstOrThrow({ where: { tenantId } });
    const { status, json } = await tenant.request('DELETE', `/api/keys/${key.id}`);
    expect([status, json.code]).toEqual([409, 'last_admin_key']);
  });

  it('task_over: the run continued without the task', async () => {
    const { runId } = await ended();
    const place = { node: 'scan_assets', checkpointId: 'c', interruptId: 'i', input: {} };
    const task = { id: `tsk_${runId}`, tenantId, runId, name: 'scan_assets', queue: 'scanner' };
    const error = { code: 'task_poisoned' };
    await db.task.create({ data: { ...task, ...place, status: 'failed', error } });
    const data = { v: 99, run_id: runId, task_id: task.id };
    await queues.add({ queue: 'scanner', name: 'scan_assets', jobId: 'over.1', data });
    await until(
      'the job over.1 has failed',
      () => queues.state('scanner', 'over.1'),
      (state) => state === 'failed',
    );
    const authorization = `Basic ${Buffer.from(`admin:${TEST_ADMIN_PASSWORD}`).toString('base64')}`;
    const path = '/api/admin/dead-letters/scanner/over.1/retry';
    const { status, json } = await tenant.request('POST', path, undefined, { authorization });
    expect([status, json.code]).toEqual([409, 'task_over']);
  });

  it('body_too_large: JSON above the limit', async () => {
    const { status, json } = await tenant.post('/api/sessions', { title: 'x'.repeat(BODY_LIMIT) });
    expect([status, json.code]).toEqual([413, 'body_too_large']);
  });

  it.each([
    ['malformed_request', 400, 'NO HTTP\r\n\r\n'],
    ['headers_too_large', 431, `GET / HTTP/1.1\r\nhost: x\r\nx: ${'x'.repeat(32 * 1_024)}\r\n\r\n`],
  ])('%s: a request that Node cannot parse', async (code, status, bytes) => {
    const answer = await send(bytes);
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(answer).toContain(`"code":"${code}"`);
    expect(answer).toContain('cache-control: no-store');
  });

  it('request_timeout: a body that does not arrive', async () => {
    const lines = [
      'POST /api/sessions HTTP/1.1',
      'host: x',
      `authorization: Bearer ${tenant.key}`,
      'content-type: application/json',
      'content-length: 100',
    ];
    const answer = await send(`${lines.join('\r\n')}\r\n\r\n{`);
    expect(answer).toMatch(/^HTTP\/1.1 408 /);
    expect(answer).toContain(JSON.stringify('request_timeout'));
    expect(answer).toContain('cache-control: no-store');
  });

  it('internal_error: an unexpected error, without its details', async () => {
    await db.$executeRaw`ALTER TABLE webhooks RENAME TO elsewhere`;
    const { status, json, text } = await tenant.get('/api/webhooks');
    await db.$executeRaw`ALTER TABLE elsewhere RENAME TO webhooks`;
    expect([status, json.code]).toEqual([500, 'internal_error']);
    expect(text).not.toMatch(/relation|does not exist|prisma|\.[jt]s\b/i);
  });

  it('every code of the catalogue appears in a spec', () => {
    const specs = ['apps', 'libs', 'test'].flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('.spec.ts'))
        .map((name) => readFileSync(join(folder, name), 'utf8')),
    );
    const missing = Object.keys(problemCatalogue).filter(
      (code) => !specs.some((text) => text.includes(`'${code}'`)),
    );
    expect(missing).toEqual([]);
  });
});
