import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readFile, rm, stat, unlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { locateBinaries } from './postgres-binaries.js';
import { type EmbeddedPostgres, startPostgres } from './postgres.js';
import { itWhere } from '#testing/it-where.js';
import { processIdentity } from './owner-file.js';

const { postgres: POSTGRES } = await locateBinaries();
/** The links between libraries that npm cannot pack, where this system's package has such. */
const LINKS = join(POSTGRES, '../../pg-symlinks.json');
const STARTER = join(import.meta.dirname, '../../test/setup/start-postgres.js');

async function query(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

const postmasterOf = async (dataDir: string) =>
  Number((await readFile(join(dataDir, 'cluster/postmaster.pid'), 'utf8')).split('\n')[0]);

describe('startPostgres', () => {
  let dataDir: string;
  const running: EmbeddedPostgres[] = [];
  const start = async (options: Partial<Parameters<typeof startPostgres>[0]> = {}) => {
    const server = await startPostgres({ dataDir, ...options });
    running.push(server);
    return server;
  };

  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'scriptorium-postgres-spec-'));
  });

  afterEach(async () => {
    for (const server of running.splice(0).reverse()) await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  });

  /** Another process that owns the server and can be killed. */
  const startInChild = async (): Promise<{ child: ChildProcess; url: string }> => {
    const child = fork(STARTER, [dataDir], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'], execArgv: [] });
    const [message] = (await once(child, 'message')) as [{ url: string }];
    return { child, url: message.url };
  };

  it('keeps data, port and password across restarts, and applies settings', async () => {
    const first = await start({ database: 'kept', settings: { fsync: 'off' } });
    await query(first.url, 'CREATE TABLE t AS SELECT 42 AS answer');
    expect(await query(first.url, 'SHOW fsync')).toEqual([{ fsync: 'off' }]);
    await first.stop();
    expect(existsSync(join(dataDir, 'cluster/postmaster.pid'))).toBe(false);
    const second = await start({ database: 'kept' });
    expect(second.url).toBe(first.url);
    expect(await query(second.url, 'SELECT answer FROM t')).toEqual([{ answer: 42 }]);
  });

  it('rejects a wrong password, and stores the right one for its owner only', async () => {
    const { url } = await start();
    const wrong = new URL(url);
    wrong.password = 'postgres';
    await expect(query(wrong.href, 'SELECT 1')).rejects.toMatchObject({ code: '28P01' });
    expect((await stat(join(dataDir, 'password'))).mode & 0o777).toBe(0o600);
    expect(await query(url, 'SHOW listen_addresses')).toEqual([{ listen_addresses: '127.0.0.1' }]);
    expect(await query(url, 'SHOW unix_socket_directories')).toEqual([{ unix_socket_directories: '' }]);
  });

  it('stops while a session listens for notifications', async () => {
    const server = await start();
    const client = new pg.Client({ connectionString: server.url });
    const gone = new Promise<Error>((resolve) => client.on('error', resolve));
    await client.connect();
    await client.query('LISTEN something');
    await server.stop();
    expect(await gone).toBeInstanceOf(Error);
  });

  it('takes over from an owner that was killed', async () => {
    const { child, url } = await startInChild();
    await query(url, 'CREATE TABLE t AS SELECT 7 AS answer');
    const orphan = await postmasterOf(dataDir);
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(await processIdentity(orphan)).toBeDefined();
    const server = await start();
    expect(await query(server.url, 'SELECT answer FROM t')).toEqual([{ answer: 7 }]);
    expect(await postmasterOf(dataDir)).not.toBe(orphan);
  });

  it('restarts after the server itself was killed', async () => {
    const first = await start();
    await query(first.url, 'CREATE TABLE t AS SELECT 8 AS answer');
    process.kill(await postmasterOf(dataDir), 'SIGKILL');
    await first.stop();
    const second = await start();
    expect(await query(second.url, 'SELECT answer FROM t')).toEqual([{ answer: 8 }]);
  });

  it('shares the server of a live owner and leaves it running', async () => {
    const { child, url } = await startInChild();
    const guest = await startPostgres({ dataDir });
    expect(guest.url).toBe(url);
    await guest.stop();
    expect(await query(url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    child.send('stop');
    await once(child, 'exit');
    expect(existsSync(join(dataDir, 'cluster/postmaster.pid'))).toBe(false);
  });

  it('does not mistake another program for its server when the lock file is stale', async () => {
    const first = await start();
    await first.stop();
    await writeFile(join(dataDir, 'cluster/postmaster.pid'), `${process.pid}\n${dataDir}\n0\n1\n`);
    await writeFile(join(dataDir, 'owner'), `${process.pid}@0`);
    const second = await start();
    expect(await query(second.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });

  it('recreates a cluster whose creation was interrupted, and keeps existing files', async () => {
    await mkdir(join(dataDir, 'cluster.new'));
    await mkdir(join(dataDir, 'cluster'));
    await writeFile(join(dataDir, 'cluster.new/PG_VERSION'), '18\n');
    await writeFile(join(dataDir, 'cluster/found'), 'x');
    const server = await start();
    expect(await query(server.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });

  itWhere(existsSync(LINKS))('creates missing links between the libraries', async () => {
    const entries = JSON.parse(await readFile(LINKS, 'utf8')) as { target: string }[];
    const link = join(POSTGRES, '../../..', entries.find((e) => e.target.includes('ecpg'))?.target ?? '');
    await unlink(link);
    await locateBinaries();
    expect(existsSync(link)).toBe(true);
  });

  itWhere(process.getuid?.() === 0)(
    'as root stores the data elsewhere if the PostgreSQL account cannot access the folder',
    async () => {
      const closed = await mkdtemp(join(tmpdir(), 'scriptorium-closed-'));
      await chmod(closed, 0o700);
      const said: string[] = [];
      const options = { dataDir: join(closed, 'data'), say: (text: string) => said.push(text) };
      const first = await start(options);
      await query(first.url, 'CREATE TABLE t AS SELECT 9 AS answer');
      await first.stop();
      const second = await start(options);
      expect(await query(second.url, 'SELECT answer FROM t')).toEqual([{ answer: 9 }]);
      expect(said[0]).toMatch(/does not run as root.* stored in /);
      const place = await readFile(join(closed, 'data/location'), 'utf8');
      await second.stop();
      await rm(place, { recursive: true });
      await rm(closed, { recursive: true });
    },
  );

  it('says why the server does not start', async () => {
    await expect(start({ settings: { shared_buffers: 'much' } })).rejects.toThrow(/shared_buffers/);
    const server = await start();
    expect(server.port).toBeGreaterThan(0);
  });
});
