import { freePort } from '#embedded/free-port.js';
import { startPostgres } from '#embedded/postgres.js';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

/** A PostgreSQL and a Redis that belong to the harness alone, so that it may restart them. */
export interface OwnServers {
  databaseUrl: string;
  redisUrl: string;
  restartPostgres(): Promise<void>;
  restartRedis(): Promise<void>;
  stop(): Promise<void>;
}

export async function startOwnServers(): Promise<OwnServers> {
  const dir = await mkdtemp(join(tmpdir(), 'scriptorium-faults-'));
  await chmod(dir, 0o711);
  const options = {
    dataDir: join(dir, 'postgres'),
    database: 'postgres',
    settings: { max_connections: '400', fsync: 'off' },
  };
  let postgres = await startPostgres(options);
  const redisPort = await freePort();
  let redis = await launchRedis(dir, redisPort);
  return {
    databaseUrl: postgres.url,
    redisUrl: `redis://127.0.0.1:${redisPort}`,
    async restartPostgres() {
      const { port } = postgres;
      await postgres.stop();
      postgres = await startPostgres({ ...options, port });
    },
    async restartRedis() {
      await end(redis);
      redis = await launchRedis(dir, redisPort);
    },
    async stop() {
      await end(redis);
      await postgres.stop();
      await rm(dir, { recursive: true, force: true });
    },
  };
}

async function launchRedis(dir: string, port: number): Promise<ChildProcess> {
  const args = [
    '--port',
    `${port}`,
    '--bind',
    '127.0.0.1',
    '--save',
    '',
    '--appendonly',
    'yes',
    '--dir',
    dir,
  ];
  const child = spawn('redis-server', [...args, '--maxmemory-policy', 'noeviction'], { stdio: 'ignore' });
  while (!(await isOpen(port))) await delay(20);
  return child;
}

async function end(child: ChildProcess): Promise<void> {
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}

function isOpen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    const tell = (open: boolean) => {
      socket.destroy();
      resolve(open);
    };
    socket.once('connect', () => tell(true));
    socket.once('error', () => tell(false));
  });
}
