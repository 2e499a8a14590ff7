import { createDatabase, type Database } from '#db/client.js';
import { TenantRepository } from '#db/repositories/tenants.js';
import type { ApiClient } from '#testing/api-client.js';
import { sharedStack, type SharedStack } from '#testing/shared-stack.js';

/** API4: limits under concurrent requests. */
describe('quotas under a burst', () => {
  let stack: SharedStack;
  let db: Database;

  beforeAll(async () => {
    stack = await sharedStack('gateway');
    db = createDatabase(stack.database.url, 2);
  });
  afterAll(() => db.$disconnect());

  async function limited(limits: Parameters<TenantRepository['setLimits']>[1]) {
    const client = await stack.tenant('bursting');
    const tenants = new TenantRepository(db);
    const { tenantId } = (await tenants.authenticate(client.key!))!;
    await tenants.setLimits(tenantId, limits);
    return { client, tenantId, tenants };
  }
  const session = async (client: ApiClient) => String((await client.post('/api/sessions', {})).json.id);
  const upload = (client: ApiClient, id: string, name: string, content: string) =>
    client.upload(id, { [name]: content });

  it('concurrent uploads to many sessions together never exceed the storage limit', async () => {
    const { client, tenantId, tenants } = await limited({ maxStorageBytes: 1_000n });
    const sessions = await Promise.all(Array.from({ length: 30 }, () => session(client)));
    const answers = await Promise.all(
      sessions.map((id) => upload(client, id, 'a.md', `${id.slice(4, 14)}${'x'.repeat(90)}`)),
    );
    const taken = answers.filter(({ status }) => status === 201).length;
    expect(taken).toBe(10);
    expect(answers.filter(({ json }) => json.code === 'storage_quota_exceeded')).toHaveLength(20);
    expect(await tenants.storageBytes(tenantId)).toBe(1_000n);
  });

  it('concurrent uploads to one session never exceed its number of files, and each is stored completely or not at all', async () => {
    const { client } = await limited({});
    const id = await session(client);
    const pairs = Array.from({ length: 6 }, (_, index) =>
      client.upload(id, { [`${index}a.md`]: `a${index}`, [`${index}b.md`]: `b${index}` }),
    );
    const answers = await Promise.all(pairs);
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 413, 413, 413, 413]);
    const { items } = (await client.get(`/api/sessions/${id}/inputs`)).json as { items: { name: string }[] };
    expect(items).toHaveLength(4);
    for (const index of new Set(items.map(({ name }) => name[0])))
      expect(items.filter(({ name }) => name.startsWith(index!))).toHaveLength(2);
  });

  it('one of many uploads with the same name and different content is accepted', async () => {
    const { client } = await limited({});
    const id = await session(client);
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, index) => upload(client, id, 'same.md', `content ${index}`)),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ json }) => json.code === 'file_exists')).toHaveLength(7);
  });

  it('concurrently started runs are dispatched up to the limit of active runs; the others wait', async () => {
    const { client, tenantId } = await limited({ maxActiveRuns: 3 });
    const sessions = await Promise.all(
      Array.from({ length: 20 }, () => client.sessionWith({ 'a.md': '# A\n' })),
    );
    await Promise.all(sessions.map((id) => client.startRun(id)));
    const runs = await db.run.findMany({ where: { tenantId } });
    expect(runs).toHaveLength(20);
    expect(runs.filter(({ dispatchedAt }) => dispatchedAt !== null)).toHaveLength(3);
  });
});
