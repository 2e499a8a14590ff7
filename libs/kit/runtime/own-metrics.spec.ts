import { StorageUnavailableError, type ObjectStore } from '#storage/object-store.js';
import { createLogger } from '#telemetry/logger.js';
import { freePort } from '#embedded/postgres.js';
import { MigrationCheck } from './migration-check.js';
import { serveOwnMetrics } from './own-metrics.js';
import { watchStore } from './infrastructure.module.js';

const connections = (check: () => Promise<void>) => ({
  db: { $queryRaw: async () => [] },
  queueBackend: { check },
  store: { check: async () => undefined },
  migrations: { state: async () => 'applied' as const },
});

it('apps in one process share one server for metrics and health, which runs until the last app stops', async () => {
  const port = await freePort(0);
  const settings = { METRICS_HOST: '127.0.0.1', METRICS_PORT: port };
  let isUp = true;
  const get = (path: string) => fetch(`http://127.0.0.1:${port}${path}`);
  const stopScanner = await serveOwnMetrics(
    'scanner',
    settings,
    connections(async () => undefined),
  );
  const stopValidator = await serveOwnMetrics(
    'validator',
    settings,
    connections(() => (isUp ? Promise.resolve() : Promise.reject(new Error('down')))),
  );
  expect((await get('/health')).status).toBe(200);
  expect(await (await get('/metrics')).text()).toContain('app="workers"');
  isUp = false;
  expect((await get('/health')).status).toBe(503);
  await stopValidator();
  expect((await get('/health')).status).toBe(200);
  await stopScanner();
  await expect(get('/live')).rejects.toThrow('fetch failed');
});

it('an app with an unusable object store is unhealthy, logs the reason once, and shows it in its metrics', async () => {
  const port = await freePort(0);
  let refusal: Error | null = null;
  const lines: { level: string; msg: string; reason?: string }[] = [];
  const log = createLogger('validator', {
    level: 'info',
    destination: { write: (line) => void lines.push(JSON.parse(line) as never) },
  });
  const store = watchStore(
    { check: () => (refusal ? Promise.reject(refusal) : Promise.resolve()) } as ObjectStore,
    log,
  );
  const stop = await serveOwnMetrics(
    'validator',
    { METRICS_HOST: '127.0.0.1', METRICS_PORT: port },
    { ...connections(async () => undefined), store },
  );
  const get = (path: string) => fetch(`http://127.0.0.1:${port}${path}`);
  const isUp = async () =>
    /^scriptorium_object_store_up\{.*\} (\d)$/m.exec(await (await get('/metrics')).text())?.[1];
  expect([(await get('/health')).status, await isUp()]).toEqual([200, '1']);
  refusal = new StorageUnavailableError('The bucket files cannot be used: AccessDenied');
  expect(await isUp()).toBe('0');
  expect((await get('/health')).status).toBe(503);
  expect(lines).toEqual([
    expect.objectContaining({
      level: 'error',
      msg: 'the object store is unavailable',
      reason: 'The bucket files cannot be used: AccessDenied',
    }),
  ]);
  refusal = null;
  expect([(await get('/health')).status, await isUp()]).toEqual([200, '1']);
  expect(lines.map(({ msg }) => msg)).toEqual([
    'the object store is unavailable',
    'the object store is available again',
  ]);
  await stop();
});

it('a process with an unmigrated database is unhealthy, and logs once which command to run', async () => {
  const lines: { msg: string }[] = [];
  const log = createLogger('validator', {
    level: 'info',
    destination: { write: (line) => void lines.push(JSON.parse(line) as never) },
  });
  let applied: string[] | null = null;
  const absent = Object.assign(new Error('relation does not exist'), { meta: { code: '42P01' } });
  const db = {
    $queryRaw: async () => (applied === null ? Promise.reject(absent) : applied.map((name) => ({ name }))),
  };
  const migrations = new MigrationCheck(db as never, log, ['1_first', '2_second']);
  expect([await migrations.state(), await migrations.state()]).toEqual(['pending', 'pending']);
  applied = ['1_first'];
  expect(await migrations.state()).toBe('pending');
  expect(lines.map(({ msg }) => msg)).toEqual(['the database is not migrated: run "scriptorium migrate"']);
  applied = ['1_first', '2_second'];
  expect(await migrations.state()).toBe('applied');

  applied = [];
  const port = await freePort(0);
  const again = new MigrationCheck(db as never, log, ['1_first']);
  const settings = { METRICS_HOST: '127.0.0.1', METRICS_PORT: port };
  const stop = await serveOwnMetrics('validator', settings, {
    ...connections(async () => undefined),
    migrations: again,
  });
  expect((await fetch(`http://127.0.0.1:${port}/health`)).status).toBe(503);
  await stop();
});
