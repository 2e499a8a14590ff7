import { createDatabase } from '#db/client.js';
import { TenantRepository } from '#db/repositories/tenants.js';
import { startStack, type Stack, type StackOptions } from '#embedded/stack.js';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ApiClient } from './api-client.js';
import type { QueueColumn, StoreColumn } from './columns.js';
import { createTestDatabase, type TestDatabase } from './postgres.js';
import { emptyRedis } from './redis.js';
import { createTestStorage, type TestStorage } from './storage.js';

export const TEST_ADMIN_PASSWORD = 'correct horse battery';

interface TestStackOptions {
  queue?: QueueColumn;
  store?: StoreColumn;
  env?: Record<string, string>;
  workers?: Record<string, number>;
  /** Runs all workers in one process, which halves the start-up time, for specs that neither kill nor measure workers. */
  fewProcesses?: boolean;
  /** Folder of compiled apps to run instead of this checkout's. */
  appsDir?: string;
  /** Maximum pause before a killed process is restarted. */
  longestPauseMs?: number;
}

/** Creates a tenant of a running stack with an API key. */
export async function newTenant(url: string, databaseUrl: string, name: string): Promise<ApiClient> {
  const db = createDatabase(databaseUrl, 1);
  try {
    const tenants = new TenantRepository(db);
    const key = await tenants.createApiKey(await tenants.create(name), 'test');
    return new ApiClient(url, key);
  } finally {
    await db.$disconnect();
  }
}

/** The real system as processes on real servers, with a separate database and store. */
export class TestStack {
  private constructor(
    private stack: Stack,
    readonly database: TestDatabase,
    private readonly storage: TestStorage,
    private readonly dataDir: string,
    private readonly options: Pick<
      StackOptions,
      'env' | 'workers' | 'fewProcesses' | 'appsDir' | 'longestPauseMs'
    >,
    /** Log lines of all processes. */
    readonly lines: string[],
  ) {}

  static async start(options: TestStackOptions = {}): Promise<TestStack> {
    const database = await createTestDatabase();
    const storage = await createTestStorage(options.store ?? { name: 'directory' });
    const dataDir = await mkdtemp(join(tmpdir(), 'scriptorium-stack-'));
    const queueUrl =
      options.queue?.name === 'redis' ? await emptyRedis(options.queue.queueUrl!) : database.url;
    const base = { PATH: process.env.PATH, HOME: process.env.HOME, NODE_OPTIONS: '' };
    const env = {
      ...base,
      ...storage.env,
      DATABASE_URL: database.url,
      QUEUE_URL: queueUrl,
      ADMIN_PASSWORD: TEST_ADMIN_PASSWORD,
      // The models of specs answer from a script, which requests between the runs would disturb.
      MODEL_CHECK: 'false',
      ...options.env,
    };
    const lines: string[] = [];
    const settings = {
      env,
      ...(options.workers ? { workers: options.workers } : {}),
      ...(options.fewProcesses ? { fewProcesses: true } : {}),
      ...(options.appsDir ? { appsDir: options.appsDir } : {}),
      ...(options.longestPauseMs ? { longestPauseMs: options.longestPauseMs } : {}),
    };
    const stack = await startStack({
      dataDir,
      ...settings,
      onLine: (name, line) => lines.push(`${name} ${line}`),
    });
    return new TestStack(stack, database, storage, dataDir, settings, lines);
  }

  get url(): string {
    return this.stack.url;
  }

  get env(): NodeJS.ProcessEnv {
    return this.stack.env;
  }

  log(): Promise<string> {
    return Promise.resolve(this.lines.join('\n'));
  }

  /** Creates a tenant with an API key. */
  tenant(name = 'tenant'): Promise<ApiClient> {
    return newTenant(this.url, this.database.url, name);
  }

  /** Returns the IDs of the running processes, by name. */
  pids(): Record<string, number> {
    return this.stack.pids();
  }

  /** Kills a process like a crash and returns its ID; the supervisor starts another. */
  kill(name: string): number {
    const pid = this.stack.pids()[name];
    if (pid === undefined)
      throw new Error(`no process ${name}: ${Object.keys(this.stack.pids()).join(', ')}`);
    process.kill(pid, 'SIGKILL');
    return pid;
  }

  /** Stops all processes and restarts them on the same data. */
  async restart(): Promise<void> {
    await this.stack.stop();
    this.stack = await startStack({
      dataDir: this.dataDir,
      ...this.options,
      onLine: (name, line) => this.lines.push(`${name} ${line}`),
    });
  }

  async stop(): Promise<void> {
    await this.stack.stop();
    await this.database.drop();
    await this.storage.drop();
    await rm(this.dataDir, { recursive: true, force: true });
  }
}
