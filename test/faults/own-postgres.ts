import { startPostgres } from '#embedded/postgres.js';
import { onPostgres } from '#testing/on-postgres.js';
import { until } from '#testing/until.js';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { inTurn } from './in-turn.js';
import { mountSmallDisk, type SmallDisk } from './small-disk.js';

/** A PostgreSQL server of the harness. */
export interface OwnPostgres {
  url: string;
  /** Stops it, with SIGINT or `kill -9`, and restarts it at the same address. */
  restart(how: 'fast' | 'killed'): Promise<void>;
  /**
   * Fills its disk for this many milliseconds. A server that ended because of it is restarted once there is space. Null
   * without a separate disk.
   */
  fillDisk: ((ms: number) => Promise<void>) | null;
  stop(): Promise<void>;
}

/** Space for the data of the harness and the write-ahead log. */
const DISK_BYTES = 768 * 1024 ** 2;
const LOG_SETTINGS = { max_wal_size: '128MB', min_wal_size: '32MB' };

/** @param dir accessible to other accounts: if the tests run as root, PostgreSQL runs under another account */
export async function startOwnPostgres(dir: string): Promise<OwnPostgres> {
  const folder = join(dir, 'database');
  const disk = await mountSmallDisk(folder, DISK_BYTES);
  const dataDir = join(folder, 'postgres');
  // Tests a crash of the server, not of the machine, so data need not reach the disk.
  const settings = { max_connections: '400', fsync: 'off', ...(disk ? LOG_SETTINGS : {}) };
  const options = { dataDir, database: 'postgres', settings };
  let server = await startPostgres(options);
  const turn = inTurn();
  const startAgain = async () => {
    const { port } = server;
    await server.stop();
    server = await startPostgres({ ...options, port });
  };
  const restart = async (how: 'fast' | 'killed') => {
    if (how === 'killed') {
      const lock = await readFile(join(dataDir, 'cluster', 'postmaster.pid'), 'utf8');
      process.kill(Number(lock.split('\n')[0]), 'SIGKILL');
    }
    await startAgain();
  };
  const fillDisk = async (small: SmallDisk, ms: number) => {
    await small.fill(true);
    await delay(ms);
    await small.fill(false);
    let hasEnded = false;
    void server.own!.ended().then(() => (hasEnded = true));
    // It may be about to end, because its recovery found no space.
    const isUp = await until(
      `PostgreSQL at ${server.url} answers or ends`,
      () => answers(server.url),
      (isAnswering) => isAnswering || hasEnded,
    );
    if (!isUp) await startAgain();
  };
  return {
    url: server.url,
    restart: (how) => turn(() => restart(how)),
    fillDisk: disk && ((ms) => turn(() => fillDisk(disk, ms))),
    async stop() {
      await turn(() => server.stop());
      await disk?.unmount();
    },
  };
}

const answers = (url: string) =>
  onPostgres(url, 'SELECT 1').then(
    () => true,
    () => false,
  );
