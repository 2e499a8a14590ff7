import { createDatabase, type Database } from '#db/client.js';
import { ApiClient } from '#testing/api-client.js';
import { TestStack } from '#testing/test-stack.js';
import { rename, rm, writeFile } from 'node:fs/promises';
import { until } from '#testing/until.js';

const NO_WORKERS = { scanner: 0, validator: 0, converter: 0, tools: 0, 'agent-runner': 0 };

describe('health', () => {
  let stack: TestStack;
  let db: Database;
  let anyone: ApiClient;

  beforeAll(async () => {
    stack = await TestStack.start({ workers: NO_WORKERS });
    db = createDatabase(stack.database.url, 1);
    anyone = new ApiClient(stack.url, null);
  });
  afterAll(async () => {
    await db.$disconnect();
    await stack.stop();
  });

  const up = { postgres: 'up', queue: 'up', store: 'up', migrations: 'applied' };
  const ready = async () => {
    const { status, json } = await anyone.get('/api/health/ready');
    return [status, json];
  };

  it('reports readiness and the state of each dependency, without a key', async () => {
    expect(await ready()).toEqual([200, { status: 'ready', checks: up }]);
    const folder = stack.env.STORAGE_DIR!;
    await rename(folder, `${folder}.away`);
    await writeFile(folder, 'not a folder');
    expect(await ready()).toEqual([503, { status: 'not_ready', checks: { ...up, store: 'down' } }]);
    await rm(folder);
    await rename(`${folder}.away`, folder);
    expect(await ready()).toEqual([200, { status: 'ready', checks: up }]);
  });

  it('is alive but not ready while the database accepts no connections, and ready again afterwards', async () => {
    const name = new URL(stack.database.url).pathname.slice(1);
    const server = createDatabase(process.env['TEST_DATABASE_URL']!, 1);
    try {
      await server.$executeRawUnsafe(`ALTER DATABASE ${name} ALLOW_CONNECTIONS false`);
      await server.$executeRawUnsafe(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}'`,
      );
      const [status, body] = await ready();
      expect([status, body]).toEqual([
        503,
        { status: 'not_ready', checks: expect.objectContaining({ postgres: 'down', store: 'up' }) },
      ]);
      expect(JSON.stringify(body)).not.toMatch(/127\.0\.0\.1|postgres:|ECONN/);
      expect((await anyone.get('/api/health/live')).json).toEqual({ status: 'alive' });
      expect((await anyone.get('/api/health/')).status).toBe(503);
    } finally {
      await server.$executeRawUnsafe(`ALTER DATABASE ${name} ALLOW_CONNECTIONS true`);
      await server.$disconnect();
    }
    await until('the gateway is ready', ready, ([status]) => status === 200);
  });
});
