import { freePort } from '#embedded/postgres.js';
import { until } from '#testing/until.js';
import { Redis } from 'ioredis';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, stat, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { inTurn } from './in-turn.js';

/** A Redis of the harness with an append-only file. */
export interface OwnRedis {
  url: string;
  /** Kills it and restarts it with its file, optionally truncated. */
  restart(cutBytes?: number): Promise<void>;
  /** Kills it. @returns starts it again */
  takeAway(): Promise<() => Promise<void>>;
  /** Pauses its process for this many milliseconds: connections stay open, responses do not arrive. */
  pause(ms: number): Promise<void>;
  /** Refuses every write for this many milliseconds, as if its memory were full. */
  fill(ms: number): Promise<void>;
  stop(): Promise<void>;
}

export async function startOwnRedis(dir: string): Promise<OwnRedis> {
  const home = join(dir, 'redis');
  await mkdir(home);
  const port = await freePort();
  const url = `redis://127.0.0.1:${port}`;
  let child = await launch(home, port, url);
  const turn = inTurn();
  const restart = async (cutBytes: number) => {
    await kill(child);
    if (cutBytes > 0) await cutTail(join(home, 'appendonlydir'), cutBytes);
    child = await launch(home, port, url);
  };
  const pause = async (ms: number) => {
    const { pid } = child;
    process.kill(pid!, 'SIGSTOP');
    await delay(ms);
    process.kill(pid!, 'SIGCONT');
  };
  const limitMemory = (bytes: string) =>
    withClient(url, (client) => client.config('SET', 'maxmemory', bytes));
  const fill = async (ms: number) => {
    await limitMemory('1');
    await delay(ms);
    await limitMemory('0');
  };
  return {
    url,
    async takeAway() {
      await turn(() => kill(child));
      return () => turn(async () => void (child = await launch(home, port, url)));
    },
    restart: (cutBytes = 0) => turn(() => restart(cutBytes)),
    pause: (ms) => turn(() => pause(ms)),
    fill: (ms) => turn(() => fill(ms)),
    stop: () => turn(() => kill(child)),
  };
}

async function launch(dir: string, port: number, url: string): Promise<ChildProcess> {
  const settings = {
    port,
    bind: '127.0.0.1',
    save: '',
    appendonly: 'yes',
    'maxmemory-policy': 'noeviction',
    dir,
  };
  const args = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)]);
  const child = spawn('redis-server', args, { stdio: 'ignore' });
  // It listens before it has loaded its file, and responds only afterwards.
  await until(
    `an answer of Redis at ${url}`,
    () => withClient(url, (client) => client.ping()).catch((error: unknown) => error),
    (seen) => seen === 'PONG',
  );
  return child;
}

async function withClient<T>(url: string, work: (client: Redis) => Promise<T>): Promise<T> {
  const client = new Redis(url, { lazyConnect: true, maxRetriesPerRequest: 1, retryStrategy: () => null });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return await work(client);
  } finally {
    client.disconnect();
  }
}

async function kill(child: ChildProcess): Promise<void> {
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}

/** Truncates the newest append-only file, like a crash of the machine. */
async function cutTail(dir: string, bytes: number): Promise<void> {
  const files = (await readdir(dir)).filter((name) => name.endsWith('.incr.aof'));
  for (const name of files) {
    const path = join(dir, name);
    const { size } = await stat(path);
    await truncate(path, Math.max(0, size - bytes));
  }
}
