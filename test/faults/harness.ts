import { createDatabase, type Database } from '#db/client.js';
import { startModelStub } from '#testing/model-stub.js';
import type { QueueColumn } from '#testing/columns.js';
import { TestStack } from '#testing/test-stack.js';
import { setTimeout as delay } from 'node:timers/promises';
import { checkRun, undisturbedOf, type Undisturbed } from './check-run.js';
import { ANSWERS, driveRun, type SeenRun } from './drive-run.js';
import { FAULTS, SERVER_FAULTS, type Fault, type Target } from './faults.js';
import { Chance } from './random.js';
import type { OwnServers } from './servers.js';

export interface FaultOptions {
  seed: number;
  /** How long faults are injected. */
  seconds: number;
  queue: QueueColumn;
  /** Only these faults, by the start of their names; all by default. */
  only?: string[];
  /** Servers that may be restarted. */
  servers?: OwnServers;
  /** Compiled apps to test instead of this checkout's. */
  appsDir?: string;
  say?: (line: string) => void;
}

export interface FaultReport {
  runs: number;
  faults: Record<string, number>;
  /** What is wrong; empty when every run ended as if nothing had happened. */
  findings: string[];
  /** Requests to the model beyond those of undisturbed runs, as a share of them. */
  repeatedModelCalls: number;
}

/** Runs that are driven at the same time. */
const LANES = 4;
/** A fault that lasts longer goes on beside the next ones. */
const LONGEST_WAIT_MS = 2_000;
/** Seconds that runs may take to end once the faults are over. */
const GRACE_SECONDS = 75;
const DUPLICATE_ANSWERS = Array.from({ length: 50 }, (_, index) => ANSWERS[index % ANSWERS.length]!);

/**
 * Drives document runs on the real stack, two of each worker, while faults picked by the seed hit it; then checks every
 * run against an undisturbed one (X4).
 */
export async function injectFaults(options: FaultOptions): Promise<FaultReport> {
  const modelFaults: Target['modelFaults'] = {};
  const stub = await startModelStub({ faults: modelFaults });
  const stack = await TestStack.start({
    queue: options.queue,
    workers: { 'agent-runner': 2, scanner: 2, validator: 2, converter: 2 },
    env: { OPENAI_API_KEY: 'sk-of-the-test', OPENAI_BASE_URL: stub.baseUrl, OPENAI_MODEL: 'stub-model' },
    ...(options.appsDir ? { appsDir: options.appsDir } : {}),
  });
  const db = createDatabase(stack.database.url, 2);
  try {
    const harness = new Harness(options, stack, db, {
      stack,
      queueUrl: String(stack.env['QUEUE_URL']),
      servers: options.servers ?? null,
      modelFaults,
      modelRequests: () => stub.requests.length,
    });
    return await harness.run();
  } finally {
    await db.$disconnect();
    await stack.stop();
    await stub.stop();
  }
}

class Harness {
  private readonly chance: Chance;
  private readonly counts: Record<string, number> = {};
  private readonly undisturbed = new Map<string, Undisturbed>();

  constructor(
    private readonly options: FaultOptions,
    private readonly stack: TestStack,
    private readonly db: Database,
    private readonly target: Target,
  ) {
    this.chance = new Chance(options.seed);
  }

  async run(): Promise<FaultReport> {
    for (const choice of ANSWERS) {
      const { api, seen } = await this.drive([choice], Date.now() + GRACE_SECONDS * 1_000);
      if (seen.status !== 'completed') throw new Error(`the undisturbed run is ${seen.status}`);
      const [answer, model] = await undisturbedOf(this.db, api, seen);
      this.undisturbed.set(answer, model);
    }
    const before = this.target.modelRequests();
    const end = Date.now() + this.options.seconds * 1_000;
    const driven: Promise<{ findings: string[] }>[] = [];
    const lane = async () => {
      while (Date.now() < end) {
        const one = this.one(end + GRACE_SECONDS * 1_000);
        driven.push(one);
        await one;
      }
    };
    const lanes = Array.from({ length: LANES }, lane);
    await this.inject(end);
    await Promise.all(lanes);
    const findings = (await Promise.all(driven)).flatMap(({ findings: found }) => found);
    const requests = this.target.modelRequests() - before;
    const needed =
      driven.length * Math.max(...[...this.undisturbed.values()].map(({ modelCalls }) => modelCalls));
    return {
      runs: driven.length,
      faults: this.counts,
      findings,
      repeatedModelCalls: Math.max(0, requests - needed) / needed,
    };
  }

  /** Injects faults one after the other, with pauses, until the given time. */
  private async inject(end: number): Promise<void> {
    const faults = this.faults();
    const underWay: Promise<void>[] = [];
    while (Date.now() < end) {
      await delay(this.chance.between(100, 1_500));
      const fault = this.chance.weighted(faults);
      this.counts[fault.name] = (this.counts[fault.name] ?? 0) + 1;
      this.options.say?.(`fault: ${fault.name}`);
      const applied = fault.apply(this.target, this.chance);
      underWay.push(applied);
      await Promise.race([applied, delay(LONGEST_WAIT_MS)]);
    }
    await Promise.all(underWay);
  }

  private faults(): Fault[] {
    const all = this.options.servers ? [...FAULTS, ...SERVER_FAULTS] : FAULTS;
    const { only } = this.options;
    return only ? all.filter(({ name }) => only.some((start) => name.startsWith(start))) : all;
  }

  private async one(deadline: number): Promise<{ findings: string[] }> {
    try {
      const { api, seen } = await this.drive(DUPLICATE_ANSWERS, deadline);
      const findings = await this.settled(() => checkRun(this.db, api, seen, this.undisturbed), deadline);
      this.options.say?.(
        `run ${seen.runId}: ${findings.length === 0 ? 'as if nothing had happened' : findings.join('; ')}`,
      );
      return { findings };
    } catch (error) {
      return { findings: [`a run could not be driven: ${(error as Error).message}`] };
    }
  }

  private async drive(answers: readonly string[], deadline: number) {
    const api = await this.settled(() => this.stack.tenant(), deadline);
    const find = (sessionId: string) =>
      this.settled(async () => (await this.db.run.findFirst({ where: { sessionId } }))?.id ?? null, deadline);
    const seen: SeenRun = await driveRun(api, answers, deadline, find);
    return { api, seen };
  }

  /** Repeats what the harness itself asks of the database while that is away. */
  private async settled<T>(ask: () => Promise<T>, deadline: number): Promise<T> {
    for (;;) {
      try {
        return await ask();
      } catch (error) {
        if (Date.now() > deadline) throw error;
        await delay(200);
      }
    }
  }
}
