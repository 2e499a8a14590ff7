import type { RunEvent } from '#catalogue/events.js';
import { createDatabase, type Database } from '#db/client.js';
import { ApiClient } from '#testing/api-client.js';
import { askingFiles, MISSING_IMAGE } from '#testing/examples.js';
import { sharedStack, type SharedStack } from '#testing/shared-stack.js';
import { until } from '#testing/until.js';
import { WebhookReceiver, type ReceivedRequest } from '#testing/webhook-receiver.js';
import { Webhook } from 'standardwebhooks';

/** Webhooks of run state changes, on the real system; the reference library checks the signatures. */
describe('webhooks', () => {
  let stack: SharedStack;
  let db: Database;
  let receiver: WebhookReceiver;

  beforeAll(async () => {
    stack = await sharedStack('private');
    db = createDatabase(stack.database.url, 2);
  });
  beforeEach(async () => {
    receiver = await WebhookReceiver.start();
  });
  afterEach(() => receiver.stop());
  afterAll(() => db.$disconnect());

  const verify = (secret: unknown, { body, headers }: ReceivedRequest) =>
    new Webhook(String(secret)).verify(body, headers as Record<string, string>);
  const create = async (tenant: ApiClient, more: object = {}) => {
    const { status, json } = await tenant.post('/api/webhooks/', { url: receiver.url, ...more });
    expect(status).toBe(201);
    return json;
  };
  const isOf = (runId: string, event: string) => (request: ReceivedRequest) =>
    request.json.type === `run.${event}` && request.json.data.run_id === runId;
  const startWaiting = async (tenant: ApiClient) => {
    const sessionId = await tenant.sessionWith(askingFiles());
    const run = await tenant.startRun(sessionId);
    return { sessionId, run, decision: await tenant.decision(run.id) };
  };

  it('report each change of a run in order, signed, with only IDs and states', async () => {
    const tenant = await stack.tenant();
    const { secret } = await create(tenant);
    const { sessionId, run, decision } = await startWaiting(tenant);
    await tenant.post(`/api/decisions/${decision.id}/answer`, {
      user_decisions: { [MISSING_IMAGE]: 'skip' },
    });
    await tenant.completed(run.id);
    const received = await receiver.until('the event done', (all) => all.some(isOf(run.id, 'done')));

    // A run that is parked at the task of a worker is still running.
    const isParked = ({ data }: RunEvent) => data.status === 'running' && data.waiting_for !== undefined;
    const expected = (await tenant.events(run.id)).filter(
      (event) => ['run_status', 'decision_required', 'done'].includes(event.type) && !isParked(event),
    );
    expect(received.map(({ json }) => json.data.seq)).toEqual(expected.map(({ seq }) => seq));
    expect(received.map(({ json }) => json.timestamp)).toEqual(expected.map(({ at }) => at));
    expect(received.map(({ json }) => json.type)).toEqual(
      expected.map(({ type, data }) => `run.${type === 'run_status' ? String(data.status) : type}`),
    );
    expect(expected.map(({ data }) => data.status)).toEqual(
      expect.arrayContaining(['running', 'needs_answer']),
    );
    for (const request of received) {
      expect(verify(secret, request)).toEqual(request.json);
      expect(request.json.data).toMatchObject({ run_id: run.id, session_id: sessionId });
      const keys = ['run_id', 'session_id', 'status', 'seq'];
      const isQuestion = request.json.type === 'run.decision_required';
      expect(Object.keys(request.json.data)).toEqual(isQuestion ? [...keys, 'decision_id', 'page'] : keys);
    }
    expect(received.at(-1)!.json.data.status).toBe('completed');
    const ids = received.map(({ headers }) => headers['webhook-id']);
    expect(new Set(ids).size).toBe(ids.length);
    expect(received.map(({ body }) => body).join()).not.toMatch(/timeline|Incident|\bpng\b/i);
  });

  it('send only the requested events of the tenant’s own runs, and none from before', async () => {
    const [tenant, other] = [await stack.tenant(), await stack.tenant('other')];
    const early = await startWaiting(tenant);
    await create(tenant, { events: ['cancelled'] });
    const foreign = await startWaiting(other);
    for (const [client, { run }] of [
      [other, foreign],
      [tenant, early],
    ] as const)
      await client.post(`/api/agents/runs/${run.id}/cancel`);
    const received = await receiver.until('the event cancelled', (all) =>
      all.some(isOf(early.run.id, 'cancelled')),
    );
    expect(received).toHaveLength(1);
  });

  it('remind of an open question before its deadline, once, with the path of its page', async () => {
    const tenant = await stack.tenant();
    await create(tenant, { events: ['decision_due', 'done'] });
    const { run, decision } = await startWaiting(tenant);
    expect(decision.reminded_at).toBeNull();
    const deadline = new Date(Date.now() + 3_600_000);
    await db.task.update({ where: { id: decision.id }, data: { deadline, createdAt: new Date(0) } });
    await receiver.until('the reminder', (all) => all.some(isOf(run.id, 'decision_due')));
    const path = `/api/decisions/${decision.id}`;
    expect((await tenant.get(path)).json.reminded_at).not.toBeNull();
    await tenant.post(`${path}/answer`, { user_decisions: { [MISSING_IMAGE]: 'skip' } });
    const received = await receiver.until('the end', (all) => all.some(isOf(run.id, 'done')));
    expect(received.map(({ json }) => json.type)).toEqual(['run.decision_due', 'run.done']);
    expect(received[0]!.json.data).toMatchObject({
      status: 'needs_answer',
      decision_id: decision.id,
      page: `/inbox?question=${decision.id}`,
    });
    const [event] = (await tenant.events(run.id)).filter(({ type }) => type === 'decision_due');
    expect(event!.data).toMatchObject({ decision_id: decision.id, deadline: deadline.toISOString() });
  });

  it('show a secret once, and store it sealed', async () => {
    const tenant = await stack.tenant();
    const body = { url: receiver.url, description: 'mine' };
    const created = await tenant.request('POST', '/api/webhooks', body, { 'idempotency-key': 'one' });
    const secret = String(created.json.secret);
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    const again = await tenant.request('POST', '/api/webhooks', body, { 'idempotency-key': 'one' });
    expect([again.status, again.json.id]).toEqual([201, created.json.id]);
    const key = secret.slice('whsec_'.length);
    for (const { text } of [
      again,
      await tenant.get('/api/webhooks'),
      await tenant.get(`/api/webhooks/${String(created.json.id)}`),
    ])
      expect(text).not.toContain(key);
    const tables = await db.$queryRaw<{ name: string }[]>`
      SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public' AND table_type = 'BASE TABLE'`;
    for (const { name } of tables) {
      const found = await db.$queryRawUnsafe<object[]>(
        `SELECT 1 FROM "${name}" t WHERE position($1 IN t::text) > 0`,
        key,
      );
      expect([name, found]).toEqual([name, []]);
    }
    expect(await stack.log()).not.toContain(key);
  });

  it('are signed with both secrets during the grace period of a rotation; a ping shows the result', async () => {
    const tenant = await stack.tenant();
    const { id, secret: old } = await create(tenant);
    const path = `/api/webhooks/${String(id)}`;
    const rotated = await tenant.post(`${path}/rotate`, { grace_seconds: 600 });
    expect(rotated.json.previous_secret_until).not.toBeNull();
    expect((await tenant.post(`${path}/test`)).json).toEqual({
      delivered: true,
      status_code: 204,
      error: null,
    });
    const [ping] = receiver.received;
    expect(ping!.json).toMatchObject({ type: 'ping', data: { webhook_id: id } });
    for (const secret of [old, rotated.json.secret]) verify(secret, ping!);

    const last = await tenant.post(`${path}/rotate`, { grace_seconds: 0 });
    receiver.answer = (_, response) => void response.writeHead(302, { location: '/elsewhere' }).end();
    const refused = await tenant.post(`${path}/test`);
    expect(refused.json).toEqual({ delivered: false, status_code: 302, error: 'bad_status' });
    expect(receiver.received).toHaveLength(2);
    verify(last.json.secret, receiver.received[1]!);
    expect(() => verify(rotated.json.secret, receiver.received[1]!)).toThrow();
  });

  it('are disabled by 410, and continue where they stopped', async () => {
    const tenant = await stack.tenant();
    const { id } = await create(tenant, { events: ['needs_answer', 'cancelled'] });
    const path = `/api/webhooks/${String(id)}`;
    receiver.answer = (_, response) => void response.writeHead(410).end();
    const { run } = await startWaiting(tenant);
    await receiver.until('one request', (all) => all.length === 1);
    const disabled = await until(
      'the webhook is disabled',
      async () => (await tenant.get(path)).json,
      ({ disabled_at }) => disabled_at !== null,
    );
    expect(disabled).toMatchObject({
      disabled_reason: expect.stringContaining('410'),
      deliveries: expect.arrayContaining([
        expect.objectContaining({ status: 'failed', status_code: 410, attempts: 1, next_attempt_at: null }),
      ]),
    });
    await tenant.post(`/api/agents/runs/${run.id}/cancel`);
    receiver.answer = (_, response) => void response.writeHead(200).end('fine');
    expect((await tenant.post(`${path}/enable`)).json.disabled_at).toBeNull();
    const received = await receiver.until('the event cancelled', (all) =>
      all.some(isOf(run.id, 'cancelled')),
    );
    const [first, again] = received.map(({ headers }) => headers['webhook-id']);
    expect(again).toBe(first);
    expect((await tenant.request('DELETE', path)).status).toBe(204);
    expect((await tenant.get(path)).status).toBe(404);
    expect(await db.webhookDelivery.count({ where: { webhookId: String(id) } })).toBe(0);
  });

  it('reject forbidden settings by name', async () => {
    const tenant = await stack.tenant();
    const reader = await tenant.post('/api/keys', { name: 'reader', scopes: ['read', 'write'] });
    const forbidden = await new ApiClient(stack.url, String(reader.json.key)).get('/api/webhooks');
    expect([forbidden.status, forbidden.json.code]).toEqual([403, 'forbidden']);
    const post = async (body: object) => {
      const { status, json } = await tenant.post('/api/webhooks', body);
      return [status, json.code];
    };
    expect(await post({ url: 'ftp://example.com/' })).toEqual([422, 'webhook_url_refused']);
    for (const event of ['token', 'waiting'])
      expect(await post({ url: receiver.url, events: [event] })).toEqual([422, 'invalid_request']);
    expect(await post({ url: receiver.url, tenant_id: 'ten_x' })).toEqual([422, 'invalid_request']);
    for (let made = 0; made < 20; made++) await create(tenant);
    expect(await post({ url: receiver.url })).toEqual([409, 'too_many_webhooks']);
    for (const path of ['rotate', 'test', 'enable'])
      expect((await tenant.post(`/api/webhooks/whk_0/${path}`, {})).json.code).toBe('not_found');
    expect((await tenant.request('DELETE', '/api/webhooks/whk_0')).json.code).toBe('not_found');
  });
});
