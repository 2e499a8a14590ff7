import { createDatabase, type Database } from '#db/client.js';
import { newId } from '#contracts/ids.js';
import { startPostgres } from '#embedded/postgres.js';
import { migrate } from '#db/migrate.js';
import { NotificationListener } from '#engine/events/listener.js';
import { connectJobQueues, type ConnectedQueues } from '#testing/queues.js';
import type { Engine } from '#engine/engine.js';
import { EVENTS_CHANNEL } from '#engine/runs/event-log.js';
import { startRun } from '#engine/runs/start.js';
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { postgresPid, redisPid, type ProcessGroups } from './cpu.js';
import { startOwnRedis } from '../../faults/own-redis.js';

/** How long a run is waited for. */
const TIMEOUT_MS = 30_000;

/** The servers a bench runs on, with the settings of the product: PostgreSQL writes to the disk for every commit. */
export interface Servers {
  databaseUrl: string;
  redisUrl: string;
  stop(): Promise<void>;
}

export async function startServers(): Promise<Servers> {
  const dir = await mkdtemp(join(tmpdir(), 'scriptorium-bench-'));
  const postgres = await startPostgres({ dataDir: join(dir, 'postgres') });
  await migrate(postgres.url, fileURLToPath(new URL('../../../../prisma/migrations', import.meta.url)));
  const redis = await startOwnRedis(dir);
  return {
    databaseUrl: postgres.url,
    redisUrl: redis.url,
    async stop() {
      await redis.stop();
      await postgres.stop();
      await rm(dir, { recursive: true, force: true });
    },
  };
}

/** The engine on one queue backend: runners and a task worker in separate processes, the caller in this one. */
export class BenchStack {
  private readonly awaited = new Map<string, { status: string; reached: () => void }>();
  private watching: Promise<void> | null = null;

  private constructor(
    readonly engine: Engine,
    private readonly queues: ConnectedQueues,
    readonly listener: NotificationListener,
    private readonly children: ChildProcess[],
    readonly tenantId: string,
    private readonly redisUrl: string | null,
  ) {}

  static async start(databaseUrl: string, queueUrl: string, runners: number): Promise<BenchStack> {
    const db: Database = createDatabase(databaseUrl, 8);
    const queues = await connectJobQueues(queueUrl, { maxConnections: 5, onError: console.error });
    const listener = new NotificationListener(databaseUrl, [EVENTS_CHANNEL]);
    await listener.start();
    const tenantId = newId('ten');
    await db.tenant.create({
      data: { id: tenantId, name: 'bench', maxActiveRuns: 5_000, requestsPerMinute: 100_000_000 },
    });
    const program = fileURLToPath(new URL('./runner-process.js', import.meta.url));
    const child = async (role: string) => {
      const started = fork(program, [databaseUrl, queueUrl, role, '10'], {
        stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      });
      await once(started, 'message');
      return started;
    };
    const roles = [...Array.from({ length: runners }, () => 'runner'), 'worker'];
    const children = await Promise.all(roles.map(child));
    const isRedis = queueUrl.startsWith('redis');
    const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
    return new BenchStack(
      { db, queues, log, kinds: new Map() },
      queues,
      listener,
      children,
      tenantId,
      isRedis ? queueUrl : null,
    );
  }

  get db(): Database {
    return this.engine.db;
  }

  /** The processes of the engine and of its servers, for `cpuPerRun`. */
  async processGroups(): Promise<ProcessGroups> {
    const pids = this.children.map(({ pid }) => pid!);
    return {
      runners: pids.slice(0, -1),
      worker: pids.slice(-1),
      postgres: [await postgresPid(this.db)],
      ...(this.redisUrl === null ? {} : { redis: [await redisPid(this.redisUrl)] }),
    };
  }

  async session(): Promise<string> {
    const id = newId('ses');
    await this.db.session.create({ data: { id, tenantId: this.tenantId } });
    return id;
  }

  /** Starts a run as `POST …/runs` does. */
  async start(sessionId: string, kind: string): Promise<string> {
    const run = { tenantId: this.tenantId, sessionId, kind, mode: null, inputs: {}, graphVersion: 'bench' };
    return (await startRun(this.engine, run)).id;
  }

  /** Resolves when the run's row satisfies the condition; looks whenever the run has new events. */
  async until(runId: string, status: string): Promise<void> {
    const deadline = Date.now() + TIMEOUT_MS;
    let wake: (() => void) | null = null;
    let news = false;
    const stop = this.listener.on(EVENTS_CHANNEL, (id) => {
      if (id !== runId) return;
      news = true;
      wake?.();
    });
    try {
      for (;;) {
        news = false;
        const rows = await this.db.$queryRaw<
          { status: string }[]
        >`SELECT status FROM runs WHERE id = ${runId}`;
        if (rows[0]?.status === status) return;
        if (rows[0]?.status === 'failed') throw new Error(`the run ${runId} failed`);
        if (Date.now() > deadline) throw new Error(`the run ${runId} is still ${rows[0]?.status}`);
        if (!news) await Promise.race([new Promise<void>((resolve) => (wake = resolve)), delay(1_000)]);
      }
    } finally {
      stop();
    }
  }

  /** Resolves when the run has completed; all runs that are waited for are looked at together, every 5 ms. */
  completed(runId: string): Promise<void> {
    return this.reached(runId, 'completed');
  }

  /** Resolves when the run waits for a person. */
  paused(runId: string): Promise<void> {
    return this.reached(runId, 'waiting');
  }

  private reached(runId: string, status: string): Promise<void> {
    return new Promise((resolve) => {
      this.awaited.set(runId, { status, reached: resolve });
      this.watching ??= this.watch().finally(() => (this.watching = null));
    });
  }

  private async watch(): Promise<void> {
    while (this.awaited.size > 0) {
      const ids = [...this.awaited.keys()];
      // By their ids alone: with the status as a condition PostgreSQL reads every completed run.
      const rows = await this.db.$queryRaw<
        { id: string; status: string }[]
      >`SELECT id, status FROM runs WHERE id = ANY(${ids})`;
      for (const { id, status } of rows) {
        const awaited = this.awaited.get(id);
        if (awaited?.status !== status) continue;
        this.awaited.delete(id);
        awaited.reached();
      }
      await delay(5);
    }
  }

  /** Resolves at the next notification, about the run once its id is known. */
  onEvent(runId: () => string | null): Promise<void> {
    return new Promise((resolve) => {
      const stop = this.listener.on(EVENTS_CHANNEL, (id) => {
        if (runId() !== null && id !== runId()) return;
        stop();
        resolve();
      });
    });
  }

  async stop(): Promise<void> {
    for (const child of this.children) {
      const exited = once(child, 'exit');
      child.kill('SIGKILL');
      await exited;
    }
    await this.listener.stop();
    await this.queues.close();
    await this.db.$disconnect();
  }
}
