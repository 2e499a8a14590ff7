import { gatewaySettings, loadSettings } from '#config/settings.js';
import { newId } from '#contracts/ids.js';
import { createDatabase, type Database } from '#db/client.js';
import { asTenant } from '#db/tenant-scope.js';
import { createTestDatabase, type TestDatabase } from '#testing/postgres.js';
import { startRawModel, textReply } from '#testing/raw-model.js';
import { ModelEndpoints } from './model-endpoints.js';
import { ProfileStore } from './profile-store.js';

const KEY = 'sk-of-the-tenant';
const SECRET = 'a secret of at least 32 characters';

let database: TestDatabase;
let db: Database;
beforeAll(async () => {
  database = await createTestDatabase();
  db = createDatabase(database.url, 2);
});
afterAll(async () => {
  await db.$disconnect();
  await database.drop();
});

const endpointsWith = (env: NodeJS.ProcessEnv) =>
  new ModelEndpoints(
    db,
    loadSettings(gatewaySettings, { DATABASE_URL: database.url, STORAGE_DIR: '.', ...env }),
  );
const newTenant = async () => {
  const id = newId('ten');
  await db.tenant.create({ data: { id, name: 'test' } });
  return id;
};
const row = (apiKey: string | null, baseUrl = 'https://models.example/v1') => ({
  baseUrl,
  apiKey,
  model: 'own',
  fastModel: null,
  embeddingModel: null,
  contextTokens: null,
  prices: {},
});

describe('ModelEndpoints', () => {
  it('B23 returns the endpoint of the tenant, otherwise the installation’s, otherwise none', async () => {
    const installed = endpointsWith({ OPENAI_API_KEY: 'k', OPENAI_MODEL: 'big', OPENAI_FAST_MODEL: 'small' });
    const tenantId = await newTenant();
    expect(await endpointsWith({}).of(tenantId)).toBeNull();
    expect(await installed.of(tenantId)).toMatchObject({
      owner: undefined,
      model: 'big',
      fastModel: 'small',
    });
    await installed.rows.save(tenantId, row(null));
    expect(await installed.of(tenantId)).toMatchObject({ owner: tenantId, model: 'own', fastModel: 'own' });
  });

  it('B23 seals the key for its tenant', async () => {
    const endpoints = endpointsWith({ TOKEN_SECRET: SECRET });
    const [tenantId, other] = [await newTenant(), await newTenant()];
    const sealed = endpoints.sealed(tenantId, KEY);
    expect(sealed).not.toContain(KEY);
    for (const id of [tenantId, other]) await endpoints.rows.save(id, row(sealed));
    expect(await endpoints.of(tenantId)).toMatchObject({ apiKey: KEY });
    const unreadable = { code: 'model_unauthorized', message: expect.stringContaining('Set it again') };
    await expect(endpoints.of(other)).rejects.toMatchObject(unreadable);
    await expect(endpointsWith({}).of(tenantId)).rejects.toMatchObject(unreadable);
  });
});

describe('ProfileStore', () => {
  it('B23 shares profiles with other processes, but not between tenants', async () => {
    const server = await startRawModel(() => textReply('Done.'), [{ id: 'own', max_model_len: 9_000 }]);
    try {
      const endpoints = endpointsWith({ EGRESS_ALLOW_PRIVATE: 'true' });
      const [tenantId, other] = [await newTenant(), await newTenant()];
      await endpoints.rows.save(tenantId, row(null, server.baseUrl));
      await endpoints.rows.save(other, row(null, server.baseUrl));
      const endpoint = (await endpoints.of(tenantId))!;
      const store = new ProfileStore(db);
      const profile = await asTenant(tenantId, () => store.of(endpoint, 'own'));
      expect(profile.facts).toMatchObject({ context_tokens: 9_000, tools: null });
      profile.note({ tools: true });
      await store.keep(endpoint, 'own');
      const stored = await new ProfileStore(db).read(endpoint, 'own');
      expect(stored).toMatchObject({ facts: { context_tokens: 9_000, tools: true }, checkedAt: null });
      const unknown = await new ProfileStore(db).read((await endpoints.of(other))!, 'own');
      expect(unknown.facts).toMatchObject({ context_tokens: null, tools: null });
      await endpoints.rows.remove(tenantId);
      expect(await db.modelProfile.count({ where: { tenantId } })).toBe(0);
    } finally {
      await server.stop();
    }
  });
});
