import { createDatabase, type Database } from '#db/client.js';
import type { RunEvent } from '#catalogue/events.js';
import { newId } from '#contracts/ids.js';
import type { TaskName } from '#catalogue/tasks.js';
import { eventOf, readLogs } from '#engine/events/event-feed.js';
import { NotificationListener } from '#engine/events/listener.js';
import type { HandlerMap, TaskHandlerOf } from '#engine/queue/task-handler.js';
import { deadlineProcessor } from '#engine/decisions/answer.js';
import { knownKinds } from '../known-kinds.js';
import type { Engine, EngineLogger } from '#engine/engine.js';
import type { GraphDefinition } from '#engine/kind.js';
import { CANCEL_CHANNEL, EVENTS_CHANNEL } from '#engine/runs/event-log.js';
import { RunProcessor } from '#engine/runs/advance.js';
import { startRun } from '#engine/runs/start.js';
import { taskProcessor } from '#engine/tasks/task-processor.js';
import { Redis } from 'ioredis';
import type { QueueColumn } from '../columns.js';
import { createTestDatabase, type TestDatabase } from '../postgres.js';
import { connectJobQueues, type ConnectedQueues, type TestWorker } from '../queues.js';
import { loseJobsOnPostgres } from '../lose-jobs.js';
import { emptyRedis } from '../redis.js';
import { until } from '../until.js';

/** Returns the output of the queue `converter` in a test for the task `parse_to_json` of an item. */
type Converter = (item: string, attempt: number) => Promise<string> | string;

/** The engine with its workers in this process, on a separate database and queue. */
export class EngineBed {
  private readonly closers: (() => Promise<unknown>)[] = [];

  private constructor(
    readonly engine: Engine & { queues: ConnectedQueues },
    readonly database: TestDatabase,
    readonly queueUrl: string,
    readonly listener: NotificationListener,
    /** Log entries of the engine. */
    readonly log: { level: string; fields: object; message: string }[],
  ) {}

  static async open(column: QueueColumn): Promise<EngineBed> {
    const database = await createTestDatabase();
    const queueUrl = column.name === 'redis' ? await emptyRedis(column.queueUrl!) : database.url;
    const db = createDatabase(database.url, 8);
    const queues = await connectJobQueues(queueUrl, { maxConnections: 8, onError: () => undefined });
    const listener = new NotificationListener(database.url, [EVENTS_CHANNEL, CANCEL_CHANNEL]);
    await listener.start();
    const lines: EngineBed['log'] = [];
    const write = (level: string) => (fields: object, message: string) =>
      void lines.push({ level, fields, message });
    const log: EngineLogger = { info: write('info'), warn: write('warn'), error: write('error') };
    return new EngineBed({ db, queues, log, kinds: knownKinds }, database, queueUrl, listener, lines);
  }

  get db(): Database {
    return this.engine.db;
  }

  get queues(): ConnectedQueues {
    return this.engine.queues;
  }

  /** Starts a runner of these kinds of run, which also receives cancellations; it is closed with the bed. */
  runner(graphs: Record<string, GraphDefinition>, concurrency = 8, unservedSeconds = 0): TestWorker {
    const runs = new RunProcessor(this.engine, new Map(Object.entries(graphs)), unservedSeconds);
    const worker = this.queues.work('agent-runner', runs, { concurrency });
    this.closers.push(() => worker.close());
    this.listener.on(CANCEL_CHANNEL, (runId) => runs.cancel(runId));
    return worker;
  }

  /** Starts the workers of `converter` and of deadlines; they are closed with the bed. */
  workers(converter: Converter = (item) => `done ${item}`, concurrency = 8): void {
    const handler: TaskHandlerOf<'parse_to_json'> = {
      handle: async ({ manuscript }) => ({
        structure_json_path: await converter(manuscript, await this.attemptsOf(manuscript)),
      }),
    };
    const shout = { handle: ({ word }: { word: string }) => Promise.resolve({ word: word.toUpperCase() }) };
    const handlers: HandlerMap = new Map<TaskName, TaskHandlerOf<TaskName>>([
      ['parse_to_json', handler as TaskHandlerOf<TaskName>],
      ['tiny_shout' as TaskName, shout as never],
    ]);
    const { queues, engine } = this;
    queues.work('converter', taskProcessor(engine, 'converter', handlers), { concurrency });
    queues.work('human-input', deadlineProcessor(engine), { concurrency: 4 });
  }

  async tenant(maxActiveRuns = 50): Promise<string> {
    const id = newId('ten');
    await this.db.tenant.create({ data: { id, name: 'test', maxActiveRuns } });
    return id;
  }

  /** Starts a run in a new session. */
  async start(tenantId: string, kind: string, inputs: Record<string, unknown> = {}): Promise<string> {
    const sessionId = newId('ses');
    await this.db.session.create({ data: { id: sessionId, tenantId } });
    const run = { tenantId, sessionId, kind, mode: null, inputs, graphVersion: 'tiny-1' };
    return (await startRun(this.engine, run)).id;
  }

  run(id: string) {
    return this.db.run.findUniqueOrThrow({ where: { id } });
  }

  /** Returns the tasks of a run, oldest first. */
  tasks(runId: string) {
    return this.db.task.findMany({ where: { runId }, orderBy: [{ createdAt: 'asc' }, { id: 'asc' }] });
  }

  /** Returns the first page of a run's events. */
  async events(runId: string): Promise<RunEvent[]> {
    const [rows] = await readLogs(this.db, [{ runId, after: 0 }]);
    return rows!.map((row) => eventOf(runId, row));
  }

  /** Waits until a run reaches any of these statuses (by default the final ones). */
  until(runId: string, ...statuses: string[]) {
    const expectedStatuses = statuses.length > 0 ? statuses : ['completed', 'failed', 'cancelled'];
    return until(
      `the run ${runId} is ${expectedStatuses.join(' or ')}`,
      () => this.run(runId),
      ({ status }) => expectedStatuses.includes(status),
    ).catch((error: Error) => {
      throw new Error(`${error.message}\nLast log lines: ${JSON.stringify(this.log.slice(-10))}`);
    });
  }

  /** Returns the words that the finished run's graph collected. */
  async words(runId: string): Promise<string[]> {
    return ((await this.run(runId)).summary as { details: { words: string[] } }).details.words;
  }

  /** Deletes every job, like a wiped Redis. */
  async loseJobs(): Promise<void> {
    if (this.queues.backend === 'redis') {
      const redis = new Redis(this.queueUrl);
      await redis.flushdb();
      redis.disconnect();
      return;
    }
    await loseJobsOnPostgres(this.queueUrl);
  }

  /** Expires the lease of a running run, as if its runner had died. */
  async expireLease(runId: string): Promise<void> {
    await this.db.$executeRaw`
      UPDATE runs SET lease_until = now() - interval '1 second', checked_at = now() - interval '1 minute'
      WHERE id = ${runId} AND status = 'running'`;
  }

  /** Makes every row due in the reconciler's next round. */
  async age(): Promise<void> {
    await this.db.$executeRaw`UPDATE runs SET checked_at = now() - interval '1 hour'`;
    await this.db.$executeRaw`UPDATE tasks SET completed_at = completed_at - interval '1 hour'`;
  }

  async close(): Promise<void> {
    await Promise.all(this.closers.map((close) => close()));
    await this.listener.stop();
    await this.queues.close();
    await this.db.$disconnect();
    await this.database.drop();
  }

  private async attemptsOf(item: string): Promise<number> {
    const rows = await this.db.$queryRaw<{ attempts: number }[]>`
      SELECT max(attempts) AS attempts FROM tasks WHERE input->>'manuscript' = ${item} AND status = 'pending'`;
    return rows[0]?.attempts ?? 0;
  }
}
