import { startPostgres } from '#embedded/postgres.js';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inTurn } from './in-turn.js';

/** A PostgreSQL that belongs to the harness alone. */
export interface OwnPostgres {
  url: string;
  /** Stops it, politely (SIGINT) or with `kill -9`, and starts it again at the same address. */
  restart(how: 'fast' | 'killed'): Promise<void>;
  stop(): Promise<void>;
}

/** @param dir may be entered by other accounts: as root, PostgreSQL runs under another one */
export async function startOwnPostgres(dir: string): Promise<OwnPostgres> {
  const dataDir = join(dir, 'postgres');
  // A crash of the server, not of the machine, is what is tested: nothing has to reach the disk.
  const settings = { max_connections: '400', fsync: 'off' };
  const options = { dataDir, database: 'postgres', settings };
  let server = await startPostgres(options);
  const turn = inTurn();
  const restart = async (how: 'fast' | 'killed') => {
    const { port } = server;
    if (how === 'killed') {
      const lock = await readFile(join(dataDir, 'cluster', 'postmaster.pid'), 'utf8');
      process.kill(Number(lock.split('\n')[0]), 'SIGKILL');
    }
    await server.stop();
    server = await startPostgres({ ...options, port });
  };
  return {
    url: server.url,
    restart: (how) => turn(() => restart(how)),
    stop: () => turn(() => server.stop()),
  };
}
