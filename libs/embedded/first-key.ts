import { randomUUID } from 'node:crypto';
import { mkdir, rename, writeFile, readFile } from 'node:fs/promises';
import type pg from 'pg';
import { newId } from '#contracts/ids.js';
import { createSecret, hasSecret, prefixOf } from '#db/secrets.js';
import { join } from 'node:path';

/** Advisory lock: concurrent starts create one tenant and, per data directory, one key. */
const FIRST_KEY_LOCK = 7_370_004;
const TENANT = 'default';

interface FirstKey {
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
  return oneAtATime(databaseUrl, async (client) => {
    const known = await readKey(dataDir);
    if (known !== undefined && (await isAccepted(client, known))) return { key: known, isNew: false };
    const key = await createKey(client, await defaultTenant(client));
    await writeKey(dataDir, key);
    return { key, isNew: true };
  });
}

// Statements without Prisma: its query engine alone takes half a second of CPU time to load.

async function isAccepted(client: pg.Client, key: string): Promise<boolean> {
  const { rows } = await client.query<{ hash: string }>(
    `SELECT hash FROM api_keys
     WHERE prefix = $1 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now())`,
    [prefixOf(key)],
  );
  return rows[0] !== undefined && hasSecret(key, rows[0].hash);
}

async function defaultTenant(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ id: string }>(
    'SELECT id FROM tenants WHERE name = $1 ORDER BY created_at LIMIT 1',
    [TENANT],
  );
  if (rows[0]) return rows[0].id;
  const id = newId('ten');
  await client.query('INSERT INTO tenants (id, name) VALUES ($1, $2)', [id, TENANT]);
  return id;
}

/** Creates a key that has every scope, the default of the column. */
async function createKey(client: pg.Client, tenantId: string): Promise<string> {
  const { key, prefix, hash } = createSecret();
  await client.query('INSERT INTO api_keys (id, tenant_id, prefix, hash, name) VALUES ($1, $2, $3, $4, $5)', [
    newId('key'),
    tenantId,
    prefix,
    hash,
    'first key',
  ]);
  return key;
}

/** Replaces the file atomically, so that readers never see half a key. */
async function writeKey(dataDir: string, key: string): Promise<void> {
  await mkdir(dataDir, { recursive: true });
  const temporary = `${keyFile(dataDir)}.${randomUUID()}`;
  await writeFile(temporary, `${key}\n`, { mode: 0o600 });
  await rename(temporary, keyFile(dataDir));
}

async function oneAtATime<T>(databaseUrl: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  // Loaded only here: most commands read a key and connect to no database.
  const { default: postgres } = await import('pg');
  const client = new postgres.Client({ connectionString: databaseUrl });
  client.on('error', () => undefined);
  await client.connect();
  try {
    await client.query('SELECT pg_advisory_lock($1)', [FIRST_KEY_LOCK]);
    return await work(client);
  } finally {
    // Closing the session releases the lock.
    await client.end();
  }
}

/** Returns the path of the file with the data directory's API key. */
export const keyFile = (dataDir: string) => join(dataDir, 'api-key');

/** Reads the data directory's API key without checking it; undefined if the file is missing or empty. */
export async function readKey(dataDir: string): Promise<string | undefined> {
  const key = (await readFile(keyFile(dataDir), 'utf8').catch(() => '')).trim();
  return key === '' ? undefined : key;
}
