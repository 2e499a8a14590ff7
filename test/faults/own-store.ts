import { projectRoot } from '#embedded/project-root.js';
import type { StoreColumn } from '#testing/columns.js';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { mountSmallDisk } from './small-disk.js';
import { startFaultProxy, type ProxyFault } from './fault-proxy.js';

/** An object store of the harness. */
export interface OwnStore {
  column: StoreColumn;
  /** Settings of the apps that override those of the column. */
  env: Record<string, string>;
  /** Disturbs connections; null if the store has none. */
  setFault: ((fault: ProxyFault | null) => void) | null;
  /** Fills the disk, and frees the space; null if the store has no separate disk. */
  fillDisk: ((full: boolean) => Promise<void>) | null;
  stop(): Promise<void>;
}

type StartMinio = (dir: string) => Promise<{ env: Record<string, string>; child?: ChildProcess }>;

/** MinIO behind a fault proxy, jest's server if there is one; null if MinIO is not installed. */
export async function startOwnMinio(dir: string): Promise<OwnStore | null> {
  // The same start function as in the tests, in plain JavaScript because jest's set-up is.
  const servers = pathToFileURL(join(projectRoot(), 'test/setup/servers.js')).href;
  const { startMinio } = (await import(servers)) as { startMinio: StartMinio };
  const running =
    process.env['TEST_S3_ENDPOINT'] === undefined ? null : { env: process.env, child: undefined };
  const { env, child } = running ?? (await startMinio(dir));
  if (env['TEST_S3_ENDPOINT'] === undefined) return null;
  const proxy = await startFaultProxy(Number(new URL(env['TEST_S3_ENDPOINT']).port));
  return {
    column: {
      name: 's3',
      endpoint: `http://127.0.0.1:${proxy.port}`,
      accessKey: env['TEST_S3_ACCESS_KEY']!,
      secretKey: env['TEST_S3_SECRET_KEY']!,
    },
    env: {},
    setFault: (fault) => proxy.set(fault),
    fillDisk: null,
    async stop() {
      await proxy.stop();
      if (!child) return;
      const exited = once(child, 'exit');
      child.kill('SIGKILL');
      await exited;
    },
  };
}

const DISK_BYTES = 512 * 1024 ** 2;

/** A directory on a small separate disk that can be filled; on the main disk if this account may not mount one. */
export async function startOwnDirectory(dir: string): Promise<OwnStore> {
  const folder = join(dir, 'disk');
  const disk = await mountSmallDisk(folder, DISK_BYTES);
  const column: StoreColumn = { name: 'directory' };
  if (!disk) return { column, env: {}, setFault: null, fillDisk: null, stop: () => Promise.resolve() };
  return {
    column,
    env: { STORAGE_DIR: join(folder, 'objects') },
    setFault: null,
    fillDisk: disk.fill,
    stop: disk.unmount,
  };
}
