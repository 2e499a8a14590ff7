import { onPostgres } from '#testing/on-postgres.js';
import { folderWithApps } from '#testing/tiny-apps.js';
import { until } from '#testing/until.js';
import { readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Stack, startStack } from './stack.js';

describe('startStack', () => {
  let dir: string;
  let stack: Stack | undefined;
  beforeEach(async () => {
    dir = await folderWithApps();
  });
  afterEach(async () => {
    await stack?.stop();
    await rm(dir, { recursive: true, force: true });
  });

  it('restarts its PostgreSQL after it was killed, and reports why it cannot', async () => {
    const told: string[] = [];
    const dataDir = join(dir, 'data');
    const options = {
      dataDir,
      appsDir: join(dir, 'apps'),
      env: {},
      onTrouble: (message: string) => told.push(message),
    };
    stack = await startStack(options);
    const url = String(stack.env['DATABASE_URL']);
    await onPostgres(url, 'CREATE TABLE kept AS SELECT 1');
    const cluster = join(dataDir, 'postgres/cluster');
    const kill = async () =>
      process.kill(
        Number((await readFile(join(cluster, 'postmaster.pid'), 'utf8')).split('\n')[0]),
        'SIGKILL',
      );
    await kill();
    const again = 'PostgreSQL is running again; runs resume where they stopped';
    await until(
      'PostgreSQL to run again',
      () => told,
      (all) => all.includes(again),
    );
    // On a slow machine, a message says in between that it takes longer.
    expect(told[0]).toBe('PostgreSQL exited unexpectedly (SIGKILL); restarting it');
    expect(told.at(-1)).toBe(again);
    await onPostgres(url, 'INSERT INTO kept VALUES (2)');

    await rename(join(cluster, 'global/pg_control'), join(dir, 'pg_control'));
    await kill();
    expect((await stack.failed).message).toMatch(
      /^PostgreSQL exited and cannot be restarted \(.*pg_control.*\)\. See its log, .+postgres\.log; /s,
    );
    await stack.stop();
    await rename(join(dir, 'pg_control'), join(cluster, 'global/pg_control'));
    stack = await startStack(options);
    await onPostgres(String(stack.env['DATABASE_URL']), 'INSERT INTO kept VALUES (3)');
  });
});
