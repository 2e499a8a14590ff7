import { createDatabase, type Database } from '#db/client.js';
import { TenantRepository } from '#db/repositories/tenants.js';
import type { ApiClient } from '#testing/api-client.js';
import { sharedStack, type SharedStack } from '#testing/shared-stack.js';

const CONTENT = '# Notes\n\nNothing else.\n';

/** API4: copies of sessions count against the storage of their tenant before their objects are copied. */
describe('storage of forks', () => {
  let stack: SharedStack;
  let db: Database;
  let tenants: TenantRepository;

  beforeAll(async () => {
    stack = await sharedStack();
    db = createDatabase(stack.database.url, 2);
    tenants = new TenantRepository(db);
  });
  afterAll(() => db.$disconnect());

  /**
   * A session that can be forked at a checkpoint at which it had only its inputs; all runs of its tenant have ended.
   */
  async function written() {
    const client = await stack.tenant();
    const { tenantId } = (await tenants.authenticate(client.key!))!;
    const sessionId = await client.sessionWith({ 'notes.md': CONTENT });
    const { id: run_id } = await client.completed((await client.startRun(sessionId)).id);
    const { items } = (await client.get(`/api/agents/runs/${run_id}/history?limit=100`)).json;
    const { checkpoint_id } = (items as { checkpoint_id: string }[]).at(-1)!;
    const fork = () => client.post(`/api/sessions/${sessionId}/fork`, { run_id, checkpoint_id });
    const used = await tenants.storageBytes(tenantId);
    return { client, tenantId, sessionId, fork, used };
  }
  const codesOf = (answers: Awaited<ReturnType<ApiClient['post']>>[]) =>
    answers.map(({ status, json }) => (status === 201 ? 'made' : String(json.code))).sort();

  it('concurrent forks and uploads together never exceed the storage limit', async () => {
    const { client, tenantId, fork, used } = await written();
    const limit = used + BigInt(4 * CONTENT.length);
    // No fork continues, because its results would count as well.
    await tenants.setLimits(tenantId, { maxStorageBytes: limit, maxActiveRuns: 0 });
    const others = await Promise.all(
      Array.from({ length: 4 }, async () => String((await client.post('/api/sessions', {})).json.id)),
    );
    const answers = await Promise.all([
      ...Array.from({ length: 8 }, fork),
      ...others.map((id) => client.upload(id, { 'other.md': CONTENT.replace('Notes', id.slice(4, 9)) })),
    ]);
    expect(codesOf(answers)).toEqual([
      ...Array<string>(4).fill('made'),
      ...Array<string>(8).fill('storage_quota_exceeded'),
    ]);
    expect(await tenants.storageBytes(tenantId)).toBe(limit);
    expect(await db.sessionCopy.count({ where: { tenantId } })).toBe(0);
  });

  it('X5 concurrent promotions of one fork create one run and leave no reservation', async () => {
    const { client, tenantId, sessionId, fork } = await written();
    await tenants.setLimits(tenantId, { maxActiveRuns: 0 });
    const { session } = (await fork()).json as { session: { id: string } };
    const promote = () => client.post(`/api/sessions/${sessionId}/promote`, { fork_session_id: session.id });
    const answers = await Promise.all(Array.from({ length: 6 }, promote));
    expect(new Set(answers.map(({ status, json }) => `${status} ${String(json.id)}`)).size).toBe(1);
    expect(answers[0]!.status).toBe(200);
    expect(await db.sessionCopy.count({ where: { tenantId } })).toBe(0);
  });

  it('a copy counts only while it is in progress', async () => {
    const { tenantId, sessionId, fork, used } = await written();
    await tenants.setLimits(tenantId, { maxStorageBytes: used + BigInt(CONTENT.length), maxActiveRuns: 0 });
    const copy = { id: 'run_under_way', tenantId, prefix: `tenants/${tenantId}/sessions/x/`, bytes: 1n };
    await db.sessionCopy.create({ data: copy });
    expect((await fork()).json.code).toBe('storage_quota_exceeded');
    await db.sessionCopy.delete({ where: { id: copy.id } });
    const { json } = await fork();
    expect((json.session as { forked_from: string }).forked_from).toBe(sessionId);
  });
});
