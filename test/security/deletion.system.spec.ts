import { createDatabase, type Database } from '#db/client.js';
import { ApiClient } from '#testing/api-client.js';
import { queueColumns } from '#testing/columns.js';
import { exampleFiles, MISSING_IMAGE, TINY_PNG } from '#testing/examples.js';
import { TEST_ADMIN_PASSWORD, TestStack } from '#testing/test-stack.js';
import { createObjectStore } from '#storage/create-object-store.js';
import type { ObjectStore } from '#storage/object-store.js';
import { objectKeys, redisKeysWith, tablesWith } from './traces.js';

const AUTHORIZATION = `Basic ${Buffer.from(`admin:${TEST_ADMIN_PASSWORD}`).toString('base64')}`;

/** Deleted data is removed from PostgreSQL, the queue and the store, and nothing else is. */
describe('deletion', () => {
  const queue = queueColumns().at(-1)!;
  let stack: TestStack;
  let db: Database;
  let store: ObjectStore;
  let owner: ApiClient;
  let neighbour: ApiClient;

  beforeAll(async () => {
    stack = await TestStack.start({ queue, fewProcesses: true });
    db = createDatabase(stack.database.url, 2);
    store = createObjectStore({ kind: 'directory', root: stack.env.STORAGE_DIR! });
    [owner, neighbour] = [await stack.tenant('owner'), await stack.tenant('neighbour')];
  });
  afterAll(async () => {
    await db.$disconnect();
    await stack.stop();
  });

  const tables = (needle: string) => tablesWith({ db }, needle);
  const redisKeys = (needle: string) => redisKeysWith({ stack }, needle);
  const objects = (prefix?: string) => objectKeys({ store }, prefix);

  /** A session with a completed run whose missing image a person uploaded. */
  async function finished(client: ApiClient): Promise<{ sessionId: string; runId: string }> {
    const sessionId = await client.sessionWith(exampleFiles('incident'));
    const { id: runId } = await client.startRun(sessionId);
    await client.events(runId, ({ type }) => type === 'decision_required' || type === 'done');
    const [open] = (await client.get(`/api/decisions?run_id=${runId}`)).json.items as { id: string }[];
    if (open) {
      const form = new FormData();
      form.append(MISSING_IMAGE, new Blob([TINY_PNG]), MISSING_IMAGE);
      await client.post(`/api/decisions/${open.id}/answer`, form);
    }
    await client.completed(runId);
    return { sessionId, runId };
  }

  it('no table, queue, object or log line contains key material', async () => {
    const issued = await owner.post('/api/auth/token', { scopes: ['read'] });
    const token = String(issued.json.access_token);
    const created = await owner.post('/api/keys', { name: 'second' });
    await new ApiClient(stack.url, token).get('/api/sessions');
    const secrets = [owner.key!, String(created.json.key)].map((key) =>
      key.slice('scr_000000000000_'.length),
    );
    for (const secret of [...secrets, token, token.split('.')[1]!, TEST_ADMIN_PASSWORD]) {
      expect(await tables(secret)).toEqual([]);
      expect(await redisKeys(secret)).toEqual([]);
      expect((await objects()).join()).not.toContain(secret);
      expect(stack.lines.join('\n')).not.toContain(secret);
    }
  });

  it('a session is deleted with everything in it, except what other sessions took over', async () => {
    const first = await finished(owner);
    const second = await finished(owner);
    const path = `/api/sessions/${first.sessionId}`;
    const waiting = await owner.sessionWith(exampleFiles('incident'));
    const active = await owner.startRun(waiting);
    const refused = await owner.request('DELETE', `/api/sessions/${waiting}`);
    expect([refused.status, refused.json.code]).toEqual([409, 'run_active']);
    await owner.post(`/api/agents/runs/${active.id}/cancel`);

    expect((await owner.request('DELETE', path)).status).toBe(204);
    expect((await owner.get(path)).status).toBe(404);
    expect((await owner.get(`/api/agents/runs/${first.runId}`)).status).toBe(404);
    // The audit log still lists the deletion; the purge empties its folder again later.
    for (const needle of [first.sessionId, first.runId])
      expect((await tables(needle)).filter((name) => !/audit_log|purges/.test(name))).toEqual([]);
    for (const needle of [first.sessionId, first.runId]) expect(await redisKeys(needle)).toEqual([]);
    expect((await objects()).filter((key) => key.includes(first.sessionId))).toEqual([]);

    const { tenantId } = await db.session.findUniqueOrThrow({ where: { id: second.sessionId } });
    const assets = await db.sessionFile.findMany({
      where: { sessionId: second.sessionId, folder: 'assets' },
    });
    expect(assets.map(({ name }) => name)).toContain(MISSING_IMAGE);
    for (const { objectKey } of assets) {
      expect(objectKey).toContain(`tenants/${tenantId}/sessions/${second.sessionId}/`);
      expect(await store.head(objectKey)).not.toBeNull();
    }
    expect((await owner.request('DELETE', path)).status).toBe(404);
  });

  it('a tenant is deleted with all its data, and another tenant keeps everything', async () => {
    const kept = await finished(neighbour);
    const session = await owner.sessionWith({ 'secret-plans.md': '# Zanzibar-7731\n' });
    await owner.startRun(session);
    const { tenantId } = await db.session.findUniqueOrThrow({ where: { id: session } });
    const ids = (await db.run.findMany({ where: { tenantId } })).map(({ id }) => id);
    const sessions = (await db.session.findMany({ where: { tenantId } })).map(({ id }) => id);
    const others = await objects(
      `tenants/${(await db.session.findUniqueOrThrow({ where: { id: kept.sessionId } })).tenantId}/`,
    );

    const operator = new ApiClient(stack.url, null);
    const path = `/api/admin/tenants/${tenantId}`;
    const headers = { authorization: AUTHORIZATION };
    expect((await operator.request('DELETE', path, undefined, headers)).status).toBe(204);
    expect((await operator.request('DELETE', path, undefined, headers)).status).toBe(404);
    expect((await owner.get('/api/sessions')).status).toBe(401);

    for (const needle of [...sessions, ...ids, owner.key!, 'Zanzibar-7731', 'secret-plans'])
      expect([needle, await tables(needle), await redisKeys(needle)]).toEqual([needle, [], []]);
    expect(await tables(tenantId)).toEqual(['public.audit_log', 'public.purges']);
    expect(await db.auditEntry.findMany({ where: { resource: tenantId } })).toMatchObject([
      { tenantId: null, actor: 'operator', action: 'deleteTenant' },
    ]);
    expect(await redisKeys(tenantId)).toEqual([]);
    expect(await objects(`tenants/${tenantId}/`)).toEqual([]);

    expect((await neighbour.run(kept.runId)).status).toBe('completed');
    expect(await objects()).toEqual(others);
    expect((await neighbour.docx(kept.sessionId)).length).toBeGreaterThan(10_000);
  });
});
