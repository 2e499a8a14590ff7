import { onPostgres } from '#testing/on-postgres.js';
import { setTimeout as delay } from 'node:timers/promises';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { startOwnPostgres } from './own-postgres.js';

const FULL_MS = 1_500;
const ROW_BYTES = 100_000;

/** Rows whose commit was confirmed to a client. */
async function insertWhile(url: string, goesOn: () => boolean): Promise<{ stored: number; refused: number }> {
  const counts = { stored: 0, refused: 0 };
  for (let id = 0; goesOn(); id++) {
    // Random, so that it cannot be compressed.
    const sql = `INSERT INTO rows SELECT ${id}, string_agg(md5(random()::text), '') FROM generate_series(1, ${ROW_BYTES / 32})`;
    const isStored = await onPostgres(url, sql).then(
      () => true,
      () => false,
    );
    counts[isStored ? 'stored' : 'refused'] += 1;
    if (!isStored) await delay(50);
  }
  return counts;
}

it('a PostgreSQL whose disk was full accepts statements again, and has every confirmed row', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'scriptorium-disk-'));
  // If the tests run as root, PostgreSQL runs under another account, which needs to traverse this folder.
  await chmod(dir, 0o711);
  const postgres = await startOwnPostgres(dir);
  try {
    await onPostgres(postgres.url, 'CREATE TABLE rows (id INT PRIMARY KEY, text TEXT NOT NULL)');
    let isFull = true;
    const counting = insertWhile(postgres.url, () => isFull);
    // Without a separate disk, the server is killed instead, with the same effect: sessions are lost, confirmed rows
    // are not.
    await (postgres.fillDisk ? postgres.fillDisk(FULL_MS) : postgres.restart('killed'));
    isFull = false;
    const { stored, refused } = await counting;
    if (postgres.fillDisk) expect(refused).toBeGreaterThan(0);
    const client = new pg.Client({ connectionString: postgres.url });
    await client.connect();
    const { rows } = await client.query<{ count: number }>('SELECT count(*)::int AS count FROM rows');
    await client.end();
    expect(rows[0]!.count).toBeGreaterThanOrEqual(stored);
    await onPostgres(postgres.url, "INSERT INTO rows VALUES (-1, 'afterwards')");
  } finally {
    await postgres.stop();
    await rm(dir, { recursive: true, force: true });
  }
});
