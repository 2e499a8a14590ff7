import { createDatabase, type Database } from '#db/client.js';
import { TenantRepository } from '#db/repositories/tenants.js';
import { startStack, type Stack } from '#embedded/stack.js';
import { ApiClient } from '#testing/api-client.js';
import { startModelStub, type ModelStub } from '#testing/model-stub.js';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { startServers, type Servers } from '../engine/bench-stack.js';

/** Milliseconds of the model per answer: short, because the service around it is measured. */
const MODEL_MS = 200;
const POLL_MS = 25;

const NOTES = `# Deploy of 3 March\n\nThe new queue went live at 14:05.\n\n    worker_processes 4;\n\n- p95 went from 410 ms to 180 ms\n- nobody was paged\n`;
const LOG = Array.from(
  { length: 40 },
  (_, index) =>
    `2026-03-03T14:05:${String(index).padStart(2, '0')}Z INFO job ${index} done in ${index * 7} ms`,
).join('\n');
/** Two small sources: the run needs no answer. */
const FILES = { 'deploy.md': NOTES, 'worker.log': `${LOG}\n` };
/** A source with a missing image, so that the run asks and waits. */
const FILES_WITH_QUESTION = { 'deploy.md': `${NOTES}\n![The dashboard](missing-dashboard.png)\n` };

/** All processes on PostgreSQL, Redis and a directory, with a fast model. */
export class LoadStack {
  private constructor(
    private readonly servers: Servers,
    private readonly stub: ModelStub,
    private readonly stack: Stack,
    private readonly dataDir: string,
    readonly db: Database,
  ) {}

  static async start(): Promise<LoadStack> {
    const servers = await startServers();
    const stub = await startModelStub({ latencyMs: MODEL_MS });
    const dataDir = await mkdtemp(join(tmpdir(), 'scriptorium-load-'));
    const stack = await startStack({
      dataDir,
      workers: { 'agent-runner': 2, scanner: 1, validator: 1, converter: 1, tools: 0 },
      env: {
        PATH: process.env['PATH'],
        HOME: process.env['HOME'],
        LOG_LEVEL: 'error',
        DATABASE_URL: servers.databaseUrl,
        QUEUE_URL: servers.redisUrl,
        OPENAI_API_KEY: 'sk-of-the-bench',
        OPENAI_BASE_URL: stub.baseUrl,
        OPENAI_MODEL: 'stub-model',
        RATE_LIMIT_PER_MINUTE: '1000000',
      },
    });
    return new LoadStack(servers, stub, stack, dataDir, createDatabase(servers.databaseUrl, 4));
  }

  get redisUrl(): string {
    return this.servers.redisUrl;
  }

  pids(): Record<string, number> {
    return this.stack.pids();
  }

  /** @param maxActiveRuns the product's own cap by default */
  async tenant(name: string, maxActiveRuns?: number): Promise<{ id: string; api: ApiClient }> {
    const tenants = new TenantRepository(this.db);
    const id = await tenants.create(name);
    if (maxActiveRuns !== undefined) await this.db.tenant.update({ where: { id }, data: { maxActiveRuns } });
    return { id, api: new ApiClient(this.stack.url, await tenants.createApiKey(id, 'bench')) };
  }

  /** Uploads the sources and starts a run, as a client does. @returns the run's id */
  async submit(api: ApiClient, asks = false): Promise<string> {
    const session = await api.sessionWith(asks ? FILES_WITH_QUESTION : FILES);
    return (await api.startRun(session)).id;
  }

  /** Waits until this many runs of a tenant have reached a status. */
  async reached(tenantId: string, status: string, count: number): Promise<void> {
    for (;;) {
      const rows = await this.db.run.groupBy({ by: ['status'], where: { tenantId }, _count: true });
      const of = (wanted: string) => rows.find((row) => row.status === wanted)?._count ?? 0;
      if (of('failed') > 0) throw new Error('a run of the bench failed');
      if (of(status) >= count) return;
      await delay(POLL_MS * 8);
    }
  }

  async isDone(tenantId: string): Promise<boolean> {
    return (await this.db.run.count({ where: { tenantId, finishedAt: null } })) === 0;
  }

  /** Milliseconds from the POST's row to the end of each of so many runs, one after the other. */
  async latencies(api: ApiClient, samples: number): Promise<number[]> {
    const values: number[] = [];
    for (let index = 0; index < samples; index++) {
      const id = await this.submit(api);
      let finishedAt: Date | null = null;
      let createdAt = new Date();
      while (!finishedAt) {
        await delay(POLL_MS);
        ({ finishedAt, createdAt } = await this.db.run.findUniqueOrThrow({ where: { id } }));
      }
      values.push(finishedAt.getTime() - createdAt.getTime());
      // The stub records requests for tests only, so drop them here.
      this.stub.requests.length = 0;
    }
    return values;
  }

  async stop(): Promise<void> {
    await this.db.$disconnect();
    await this.stack.stop();
    await this.stub.stop();
    await this.servers.stop();
    await rm(this.dataDir, { recursive: true, force: true });
  }
}
