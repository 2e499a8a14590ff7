import { once } from 'node:events';
import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { type TestDatabase, createEmptyDatabase } from '#testing/postgres.js';
import { folderWithApps, TINY_WORKER } from '#testing/tiny-apps.js';
import { until } from '#testing/until.js';
import { compileCacheDir } from './project-root.js';
import { MB } from './disk-space.js';
import { findRunningStack, writeStackState, isRunning, processIdentity } from './owner-file.js';
import { type Stack, startStack } from './stack.js';

describe('startStack', () => {
  let dir: string;
  let database: TestDatabase;
  let stack: Stack | undefined;
  const lines: [string, string][] = [];

  const start = async (env: NodeJS.ProcessEnv, workers?: Record<string, number>) =>
    (stack = await startStack({
      dataDir: join(dir, 'data'),
      appsDir: join(dir, 'apps'),
      env,
      workers,
      onLine: (name, line) => lines.push([name, line]),
    }));

  beforeEach(async () => {
    dir = await folderWithApps();
    database = await createEmptyDatabase();
  });

  afterEach(async () => {
    await stack?.stop();
    stack = undefined;
    lines.length = 0;
    await database.drop();
    await rm(dir, { recursive: true, force: true });
  });

  it('runs on its own PostgreSQL and leaves no process running', async () => {
    const { url, env, pids, stop } = await start({}, { 'agent-runner': 2, converter: 0 });
    expect(Object.keys(pids()).sort()).toEqual([
      'agent-runner',
      'agent-runner-2',
      'gateway',
      'scanner',
      'tools',
      'validator',
    ]);
    expect(env).toMatchObject({
      DATABASE_URL: expect.stringMatching(/^postgres:\/\/postgres:.+@127\.0\.0\.1:\d+\/scriptorium$/),
      QUEUE_URL: env['DATABASE_URL'],
      STORAGE_DIR: join(dir, 'data/objects'),
      GATEWAY_HOST: '127.0.0.1',
    });
    const seen = (await (await fetch(`${url}/env`)).json()) as NodeJS.ProcessEnv;
    expect(seen['DATABASE_URL']).toBe(env['DATABASE_URL']);
    expect(seen['NODE_COMPILE_CACHE']).toBe(compileCacheDir());
    const identities = await Promise.all(Object.values(pids()).map(processIdentity));
    await stop();
    expect(await Promise.all(identities.map((identity) => isRunning(identity ?? '')))).not.toContain(true);
    await expect(stat(join(dir, 'data/postgres/cluster/postmaster.pid'))).rejects.toThrow('ENOENT');
  });

  it('runs the workers in one process on request, and waits for each of them', async () => {
    stack = await startStack({
      dataDir: join(dir, 'data'),
      appsDir: join(dir, 'apps'),
      env: { DATABASE_URL: database.url },
      fewProcesses: true,
      onLine: (name, line) => lines.push([name, line]),
    });
    expect(Object.keys(stack.pids()).sort()).toEqual(['gateway', 'workers']);
    const ready = lines.filter(([name, line]) => name === 'workers' && line.includes('"ready"'));
    expect(ready).toHaveLength(5);
    expect(lines.some(([name, line]) => name === 'stack' && line.includes('database migrated'))).toBe(true);
  });

  it('runs all apps in one process on request', async () => {
    stack = await startStack({
      dataDir: join(dir, 'data'),
      appsDir: join(dir, 'apps'),
      env: { DATABASE_URL: database.url },
      oneProcess: true,
      onLine: (name, line) => lines.push([name, line]),
    });
    expect(Object.keys(stack.pids())).toEqual(['scriptorium']);
    expect((await fetch(`${stack.url}/api/health/`)).ok).toBe(true);
    expect(lines.filter(([, line]) => line.includes('"ready"'))).toHaveLength(6);
  });

  it('gives each worker its own metrics port', async () => {
    await start({ DATABASE_URL: database.url, METRICS_PORT: '9461' });
    const ports = lines.flatMap(([, line]) => /"metrics":"(\d+)"/.exec(line)?.[1] ?? []);
    expect(ports.sort()).toEqual(['9461', '9462', '9463', '9464', '9465']);
  });

  it('rejects an invalid or used port before it starts anything', async () => {
    for (const port of ['abc', '70000', '1.5'])
      await expect(start({ GATEWAY_PORT: port })).rejects.toThrow(`GATEWAY_PORT is "${port}": it must be`);
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    await expect(start({ GATEWAY_PORT: String(port) })).rejects.toThrow(
      `Port ${port} is in use by another program`,
    );
    other.close();
    await expect(start({ GATEWAY_PORT: '5999', POSTGRES_PORT: '5999' })).rejects.toThrow(
      'GATEWAY_PORT and POSTGRES_PORT are both 5999',
    );
    await expect(stat(join(dir, 'data/postgres'))).rejects.toThrow('ENOENT');
    expect(lines).toEqual([]);
  });

  it('uses the configured servers', async () => {
    const { env } = await start({
      DATABASE_URL: database.url,
      QUEUE_URL: 'redis://127.0.0.1:1',
      S3_ENDPOINT: 'http://127.0.0.1:2',
    });
    expect(env).toMatchObject({ DATABASE_URL: database.url, QUEUE_URL: 'redis://127.0.0.1:1' });
    expect(env['STORAGE_DIR']).toBeUndefined();
    await expect(stat(join(dir, 'data/postgres'))).rejects.toThrow('ENOENT');
  });

  it('is found while it runs by a file that only its owner can read, and rejects a second stack', async () => {
    const { url, stop } = await start({ DATABASE_URL: database.url });
    const file = join(dir, 'data/stack.json');
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const state = JSON.parse(await readFile(file, 'utf8')) as unknown;
    expect(state).toEqual({ url, pid: process.pid, started_at: expect.any(String) });
    expect(await findRunningStack(join(dir, 'data'))).toEqual(state);
    const second = startStack({ dataDir: join(dir, 'data'), appsDir: join(dir, 'apps'), env: {} });
    await expect(second).rejects.toThrow(`Process ${process.pid} already runs a stack`);
    await stop();
    expect(await findRunningStack(join(dir, 'data'))).toBeUndefined();
  });

  it('is not found when its file is stale', async () => {
    const state = { url: 'http://127.0.0.1:1', pid: process.pid, started_at: new Date().toISOString() };
    await mkdir(join(dir, 'data'));
    await writeStackState(join(dir, 'data'), state);
    expect(await findRunningStack(join(dir, 'data'))).toBeUndefined();
    await writeStackState(join(dir, 'data'), { ...state, pid: 999_999_999 });
    expect(await findRunningStack(join(dir, 'data'))).toBeUndefined();
    await start({ DATABASE_URL: database.url });
  });

  it('stops all started parts when one fails', async () => {
    await writeFile(join(dir, 'apps/scanner/src/main.js'), `console.error('broken'); process.exit(1);`);
    await expect(start({ DATABASE_URL: database.url })).rejects.toThrow(
      /scanner stopped before it was ready \(code 1.*\nbroken/s,
    );
    await writeFile(join(dir, 'apps/scanner/src/main.js'), TINY_WORKER);
    await start({ DATABASE_URL: database.url });
  });

  it('warns when the disk is nearly full, stops before it is full, and does not start on a full disk', async () => {
    const space = { free: 500 * MB, total: 1_000 * MB };
    const told: string[] = [];
    const options = {
      dataDir: join(dir, 'data'),
      appsDir: join(dir, 'apps'),
      env: { DATABASE_URL: database.url },
      spaceOf: () => Promise.resolve({ ...space }),
      onTrouble: (message: string) => told.push(message),
    };
    stack = await startStack(options);
    space.free = 90 * MB;
    await until('a word about the disk', () => told.length);
    expect(told).toEqual([
      expect.stringMatching(/^the disk of .+ is nearly full: 90 MB left\. Free some space: /),
    ]);
    space.free = 10 * MB;
    const reason =
      /the disk of .+ is full: 10 MB left, at least 64 MB required\. Free some space .+ nothing is lost/;
    expect((await stack.failed).message).toMatch(reason);
    await stack.stop();
    await expect(startStack(options)).rejects.toThrow(reason);
    space.free = 500 * MB;
    stack = await startStack(options);
  });

  it('reports what to do when DATABASE_URL is unreachable', async () => {
    await expect(start({ DATABASE_URL: 'postgres://a:b@127.0.0.1:1/c' })).rejects.toThrow(
      'PostgreSQL is not reachable at 127.0.0.1:1: check DATABASE_URL, or unset it.',
    );
  });
});
