import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Database, createDatabase } from '#db/client.js';
import { TenantRepository } from '#db/repositories/tenants.js';
import { type TestDatabase, createTestDatabase } from '#testing/postgres.js';
import { ensureFirstKey, keyFile, readKey } from './first-key.js';

describe('ensureFirstKey', () => {
  let dir: string;
  let database: TestDatabase;
  let db: Database;

  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'scriptorium-key-'));
    database = await createTestDatabase();
    db = createDatabase(database.url, 2);
  });

  afterEach(async () => {
    await db.$disconnect();
    await database.drop();
    await rm(dir, { recursive: true, force: true });
  });

  it('creates a tenant and a valid key, once', async () => {
    const first = await ensureFirstKey(database.url, dir);
    expect(first).toEqual({ key: expect.stringMatching(/^scr_[0-9a-f]{12}_/), isNew: true });
    expect(await new TenantRepository(db).authenticate(first.key)).not.toBeNull();
    expect(await ensureFirstKey(database.url, dir)).toEqual({ key: first.key, isNew: false });
    expect(await db.tenant.findMany({ select: { name: true } })).toEqual([{ name: 'default' }]);
    expect(await db.apiKey.count()).toBe(1);
  });

  it('stores the key in a file that only its owner can read', async () => {
    const { key } = await ensureFirstKey(database.url, join(dir, 'new', 'folder'));
    const file = keyFile(join(dir, 'new', 'folder'));
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await readKey(join(dir, 'new', 'folder'))).toBe(key);
    expect(await readKey(dir)).toBeUndefined();
  });

  it('creates another key for the same tenant if the stored key is lost, unknown or revoked', async () => {
    const { key: first } = await ensureFirstKey(database.url, dir);
    await rm(keyFile(dir));
    const second = await ensureFirstKey(database.url, dir);
    await writeFile(
      keyFile(dir),
      first.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')),
    );
    const third = await ensureFirstKey(database.url, dir);
    await db.apiKey.updateMany({ data: { revokedAt: new Date() } });
    const fourth = await ensureFirstKey(database.url, dir);
    expect([second, third, fourth].map(({ isNew }) => isNew)).toEqual([true, true, true]);
    expect(new Set([first, second.key, third.key, fourth.key]).size).toBe(4);
    expect(await db.tenant.count()).toBe(1);
  });

  it('creates one tenant and one key when several processes start concurrently', async () => {
    const keys = await Promise.all(Array.from({ length: 4 }, () => ensureFirstKey(database.url, dir)));
    expect(new Set(keys.map(({ key }) => key)).size).toBe(1);
    expect(keys.filter(({ isNew }) => isNew)).toHaveLength(1);
    expect(await db.tenant.count()).toBe(1);
  });
});
