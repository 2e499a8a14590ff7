import type { ApiClient } from '#testing/api-client.js';
import { askingFiles } from '#testing/examples.js';
import { createDatabase } from '#db/client.js';
import { sharedStack, type SharedStack } from '#testing/shared-stack.js';

describe('X3 an Idempotency-Key', () => {
  let stack: SharedStack;
  let tenant: ApiClient;
  beforeAll(async () => {
    stack = await sharedStack();
    tenant = await stack.tenant();
  });

  const post = (path: string, body: unknown, key: string) =>
    tenant.request('POST', path, body, { 'idempotency-key': key });

  it('creates one session and one run for fifty equal requests', async () => {
    const made = await Promise.all(Array.from({ length: 50 }, () => post('/api/sessions', {}, 'make')));
    expect(made.filter(({ status }) => status === 201).length).toBeGreaterThan(0);
    expect(made.every(({ status }) => status === 201 || status === 409)).toBe(true);
    const ids = new Set(made.filter(({ status }) => status === 201).map(({ json }) => json.id));
    expect(ids.size).toBe(1);

    const again = await post('/api/sessions', {}, 'make');
    expect(again.status).toBe(201);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect([...ids]).toEqual([again.json.id]);
    expect((await post('/api/sessions', { title: 'other' }, 'make')).json.code).toBe(
      'idempotency_key_reused',
    );
  });

  it('is released if the request failed, and belongs to one tenant', async () => {
    const session = await post('/api/sessions', {}, 'session');
    const run = { session_id: session.json.id, inputs: {} };
    expect((await post('/api/agents/runs', run, 'run')).json.code).toBe('no_inputs');
    await tenant.upload(String(session.json.id), askingFiles());
    const started = await post('/api/agents/runs', run, 'run');
    expect(started.status).toBe(202);
    expect((await post('/api/agents/runs', run, 'run')).json.id).toBe(started.json.id);
    const other = await stack.tenant('other');
    const theirs = await other.request('POST', '/api/sessions', {}, { 'idempotency-key': 'session' });
    expect(theirs.json.id).not.toBe(session.json.id);
  });

  it('finds the created resource if the gateway ended before its response', async () => {
    const session = await post('/api/sessions', {}, 'crash-session');
    const sessionId = String(session.json.id);
    await tenant.upload(sessionId, askingFiles());
    const body = { session_id: sessionId, inputs: {}, on_conflict: 'interrupt' };
    const run = await post('/api/agents/runs', body, 'crash-run');
    await tenant.decision(String(run.json.id));
    // Leaves requests like a killed gateway: executed, without a response, with an expired lease.
    const db = createDatabase(stack.database.url, 1);
    await db.$executeRaw`
      UPDATE idempotency_keys SET status = NULL, body = NULL, created_at = now() - interval '1 minute'
      WHERE key LIKE 'crash-%'`;
    await db.$disconnect();
    const sessionAgain = await post('/api/sessions', {}, 'crash-session');
    const runAgain = await post('/api/agents/runs', body, 'crash-run');
    expect([sessionAgain.status, sessionAgain.json.id]).toEqual([201, sessionId]);
    expect([runAgain.status, runAgain.json.id]).toEqual([202, run.json.id]);
    expect(runAgain.headers.get('idempotent-replayed')).toBeNull();
    expect(runAgain.json.status).toBe('needs_answer');
    // The first attempt has written the entries.
    const entries = (await tenant.get('/api/audit?limit=100')).json.items as Record<string, unknown>[];
    const made = entries.filter(({ resource }) => [sessionId, run.json.id].includes(String(resource)));
    expect(made.map(({ action }) => action).sort()).toEqual(['createSession', 'startRun', 'uploadInputs']);
    await tenant.post(`/api/agents/runs/${String(run.json.id)}/cancel`);
  });

  it('must be valid', async () => {
    expect((await post('/api/sessions', {}, 'two words')).json.code).toBe('invalid_request');
  });

  it('on_conflict lets a second run wait for or replace the first', async () => {
    const sessionId = await tenant.sessionWith(askingFiles());
    const first = await tenant.startRun(sessionId);
    await tenant.decision(first.id);
    const start = (on_conflict: string) =>
      tenant.post('/api/agents/runs', { session_id: sessionId, inputs: {}, on_conflict });
    expect((await start('reject')).json.code).toBe('run_active');
    const waiting = await start('enqueue');
    expect(waiting.json.status).toBe('queued');
    const third = await start('interrupt');
    expect(third.status).toBe(202);
    expect((await tenant.run(first.id)).status).toBe('cancelled');
    const fourth = await start('rollback');
    expect((await tenant.run(String(third.json.id))).error?.code).toBe('rolled_back');
    await tenant.post(`/api/agents/runs/${String(fourth.json.id)}/cancel`);
    expect((await tenant.decision(String(waiting.json.id))).run_id).toBe(waiting.json.id);
  });
});
