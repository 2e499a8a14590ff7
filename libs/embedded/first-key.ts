import { randomUUID } from 'node:crypto';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import pg from 'pg';
import { type Database, createDatabase } from '#db/client.js';
import { TenantRepository } from '#db/repositories/tenants.js';
import { keyFile, readKey } from './key-file.js';

/** Advisory lock: concurrent starts create one tenant and, per data directory, one key. */
const FIRST_KEY_LOCK = 7_370_004;
const TENANT = 'default';

export interface FirstKey {
  /** API key that the database accepts. */
  key: string;
  /** Whether the key was just created; it should be shown only then. */
  isNew: boolean;
}

/**
 * Returns the API key in `<dataDir>/api-key`. If the file is missing or the database does not accept its key,
 * creates a key for the tenant "default" (which is created if missing) and writes it to the file, readable
 * only by its owner.
 *
 * @param databaseUrl a `postgres://` URL of a migrated database
 */
export async function ensureFirstKey(databaseUrl: string, dataDir: string): Promise<FirstKey> {
  const db = createDatabase(databaseUrl, 1);
  try {
    return await oneAtATime(databaseUrl, async () => {
      const tenants = new TenantRepository(db);
      const known = await readKey(dataDir);
      if (known !== undefined && (await tenants.authenticate(known))) return { key: known, isNew: false };
      const key = await tenants.createApiKey(await defaultTenant(db, tenants), 'first key');
      await writeKey(dataDir, key);
      return { key, isNew: true };
    });
  } finally {
    await db.$disconnect();
  }
}

async function defaultTenant(db: Database, tenants: TenantRepository): Promise<string> {
  const found = await db.tenant.findFirst({ where: { name: TENANT }, orderBy: { createdAt: 'asc' } });
  return found?.id ?? tenants.create(TENANT);
}

/** Replaces the file atomically, so that readers never see half a key. */
async function writeKey(dataDir: string, key: string): Promise<void> {
  await mkdir(dataDir, { recursive: true });
  const temporary = `${keyFile(dataDir)}.${randomUUID()}`;
  await writeFile(temporary, `${key}\n`, { mode: 0o600 });
  await rename(temporary, keyFile(dataDir));
}

async function oneAtATime<T>(databaseUrl: string, work: () => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: databaseUrl });
  client.on('error', () => undefined);
  await client.connect();
  try {
    await client.query('SELECT pg_advisory_lock($1)', [FIRST_KEY_LOCK]);
    return await work();
  } finally {
    // Closing the session releases the lock.
    await client.end();
  }
}
