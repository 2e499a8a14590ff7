import type { Database } from '#db/client.js';
import { Redis } from 'ioredis';
import { readdir, readFile } from 'node:fs/promises';

/** Milliseconds of a clock tick of Linux. */
const TICK_MS = 10;

/** Process IDs by kind; those of PostgreSQL and Redis are looked up. */
export interface ProcessGroups {
  /** With every server process that it has or had. */
  postgres?: number[];
  [group: string]: number[] | undefined;
}

/** CPU in milliseconds that each group has used, by name. */
export type CpuByGroup = Record<string, number>;

interface Stat {
  parent: number;
  own: number;
  /** Of children that have ended. */
  children: number;
}

async function statOf(pid: number): Promise<Stat | null> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null);
  if (text === null) return null;
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const at = (index: number) => Number(fields[index]);
  return { parent: at(1), own: at(11) + at(12), children: at(13) + at(14) };
}

/** The server process whose children serve the connections of this database. */
export async function postgresPid(db: Database): Promise<number> {
  const [row] = await db.$queryRaw<{ pid: number }[]>`SELECT pg_backend_pid() AS pid`;
  return (await statOf(row!.pid))!.parent;
}

/** The process of a Redis. */
export async function redisPid(url: string): Promise<number> {
  const redis = new Redis(url);
  const info = await redis.info('server');
  redis.disconnect();
  return Number(/process_id:(\d+)/.exec(info)![1]);
}

async function used(groups: ProcessGroups): Promise<CpuByGroup> {
  const result: CpuByGroup = {};
  for (const [name, pids = []] of Object.entries(groups)) {
    let ticks = 0;
    for (const pid of pids) {
      const stat = await statOf(pid);
      ticks += (stat?.own ?? 0) + (name === 'postgres' ? (stat?.children ?? 0) : 0);
    }
    if (name === 'postgres') ticks += await ofChildren(pids);
    result[name] = ticks * TICK_MS;
  }
  return result;
}

async function ofChildren(parents: number[]): Promise<number> {
  const pids = (await readdir('/proc')).map(Number).filter((pid) => pid > 0);
  const stats = await Promise.all(pids.map(statOf));
  return stats.reduce((sum, stat) => sum + (stat && parents.includes(stat.parent) ? stat.own : 0), 0);
}

/**
 * Returns CPU milliseconds per run for each group of processes during the work, and `all` of them together (Linux only,
 * elsewhere null). On a loaded machine, they are more reliable than runs per second.
 */
export async function cpuPerRun(
  groups: ProcessGroups,
  runs: number,
  work: () => Promise<unknown>,
): Promise<CpuByGroup | null> {
  if (process.platform !== 'linux') {
    await work();
    return null;
  }
  const before = await used(groups);
  await work();
  const after = await used(groups);
  const perRun = Object.keys(groups).map(
    (name) => [name, Math.round(((after[name]! - before[name]!) / runs) * 10) / 10] as const,
  );
  const all = Math.round(perRun.reduce((sum, [, ms]) => sum + ms, 0) * 10) / 10;
  return { ...Object.fromEntries(perRun), all };
}
