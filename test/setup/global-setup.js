/**
 * Starts, once for the whole jest run, the real servers that specs use: a PostgreSQL from npm always; in test:system and test:deep also
 * Redis when `redis-server` is installed and MinIO when its program is found. Prints which queues and stores the tests run on, and why not.
 *
 * Sets TEST_DATABASE_URL, TEST_SHARED_STACKS, TEST_REDIS_URL, TEST_S3_ENDPOINT, TEST_S3_ACCESS_KEY and
 * TEST_S3_SECRET_KEY for the specs. Needs dist/ (`npm run build`).
 */
import { chmod, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres } from '../../dist/libs/embedded/postgres.js';
import globalTeardown from './global-teardown.js';
import { onPath, startMinio, startRedis } from './servers.js';
import { keepSharedStacks } from './shared-stacks.js';

/** `npm test` needs only programs from npm. */
const NOT_HERE = { env: {} };

export default async function globalSetup(_, { globals }) {
  const dir = await mkdtemp(join(tmpdir(), 'scriptorium-test-'));
  // If the tests run as root, PostgreSQL runs under another account, which needs to traverse this folder.
  await chmod(dir, 0o711);
  const stack = { dir, postgres: undefined, shared: undefined, children: [] };
  globalThis.__scriptoriumTestStack = stack;
  for (const signal of ['SIGINT', 'SIGTERM']) {
    process.once(signal, () => void globalTeardown().finally(() => process.exit(1)));
  }
  // The data is temporary, so it need not reach the disk.
  stack.postgres = await startPostgres({
    dataDir: join(dir, 'postgres'),
    database: 'postgres',
    settings: { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '400' },
  });
  process.env.TEST_DATABASE_URL = stack.postgres.url;
  const isFast = globals.testTier === undefined;
  const [redis, s3] = isFast ? [NOT_HERE, NOT_HERE] : await Promise.all([startRedis(dir), startMinio(dir)]);
  for (const server of [redis, s3]) {
    if (server.child) stack.children.push(server.child);
    Object.assign(process.env, server.env);
  }
  stack.shared = await keepSharedStacks();
  process.env.TEST_SHARED_STACKS = stack.shared.url;
  requirePrograms();
  if (!isFast) process.stderr.write(`\n${summary(redis, s3)}\n`);
}

/** Servers that CI installs must start: a skipped column is a failure. */
function requirePrograms() {
  const missing = (process.env.SCRIPTORIUM_TEST_REQUIRED ?? '')
    .split(' ')
    .filter((name) => name !== '' && name !== 'minio' && !onPath(name));
  if ((process.env.SCRIPTORIUM_TEST_REQUIRED ?? '').includes('minio') && !process.env.TEST_S3_ENDPOINT)
    missing.push('minio');
  if (missing.length > 0) throw new Error(`These programs are required and missing: ${missing.join(', ')}`);
}

function summary(redis, s3) {
  const queue = ['postgres', ...(redis.missing ? [] : ['redis'])].join(', ');
  const store = ['directory', ...(s3.missing ? [] : ['s3'])].join(', ');
  const missing = [redis.missing, s3.missing].filter(Boolean).map((text) => ` · ${text}`);
  return `columns: queue: ${queue} · store: ${store}${missing.join('')}`;
}
