import { createDatabase, type Database } from '#db/client.js';
import { projectRoot } from '#embedded/project-root.js';
import { parseWorkOrder } from '#contracts/kinds/document/work-order.js';
import { startModelStub, type ModelStub } from '#testing/model-stub.js';
import { TestStack } from '#testing/test-stack.js';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { checkAfterwards, checkRun, undisturbedOf, type Undisturbed } from './check-run.js';
import { CLOCK_SHIFTS_MS } from './clock-shifts.js';
import { CommitPointDeck } from './commit-point-deck.js';
import { findCommitPoints } from './commit-points.js';
import { missed, notReached } from './coverage.js';
import { CommitSignals } from '#testing/faults/commit-signals.js';
import { driveRun, type SeenRun } from './drive-run.js';
import type { Counted, Target } from './fault.js';
import type { Finding } from './findings.js';
import { faultsFor, Injector } from './injector.js';
import { isAnswered, MODEL_TIMEOUT_SECONDS } from './outside-faults.js';
import { persist, type Deadline } from './persist.js';
import { ANSWERS, planOf, QUIET, type Plan } from './plan.js';
import { Chance } from './random.js';
import type { OwnServers } from './servers.js';

export interface FaultOptions {
  seed: number;
  /** How long faults are injected; for ever when a number of runs ends it. */
  seconds: number;
  /** Runs after which no more are started. */
  runs?: number;
  servers: OwnServers;
  /** Only these faults, by the start of their names; all by default. */
  only?: string[];
  /** Compiled apps to test instead of this checkout's. */
  appsDir?: string;
  /** Once aborted no fault is injected and no run started any more; those that were are checked. */
  signal?: AbortSignal;
  say?: (line: string) => void;
}

export interface FaultReport {
  runs: number;
  /** From the first fault until the last run had ended. */
  seconds: number;
  counts: Record<Counted, number>;
  faults: Record<string, number>;
  /** Commit points at which a process died or slept, and how often. */
  commitPoints: Record<string, number>;
  /** Commit points at which none did, of those that document runs pass. */
  notReached: string[];
  /** Answers of the model beyond one for each entry of the ledger, as a share of these. */
  repeatedModelCalls: number;
  /** What is wrong; empty when every run ended as if nothing had happened. */
  findings: Finding[];
}

/** Runs that are driven at the same time: most wait for a lease to run out or a process to start. */
const LANES = 20;
/** How long runs may take to end once the faults are over: a lease and a lock run out, and slow machines are slow. */
const GRACE_MS = 180_000;
/** How long a run may take while faults go on. */
const LONGEST_RUN_MS = 400_000;
/** A killed process is back soon: what is tested is the product, not the patience of its supervisor. */
const LONGEST_RESTART_PAUSE_MS = 300;

/**
 * Drives document runs on the real stack, two of each worker, while faults picked by the seed hit it; then checks every
 * run against an undisturbed one (X4).
 */
export async function injectFaults(options: FaultOptions): Promise<FaultReport> {
  const { servers, appsDir } = options;
  const modelFaults: Target['modelFaults'] = {};
  const stub = await startModelStub({ faults: modelFaults });
  const commits = await CommitSignals.open();
  const hooks = ['clock-hook', 'commit-hook'].map(
    (name) => pathToFileURL(join(projectRoot(), `dist/libs/testing/src/faults/${name}.js`)).href,
  );
  process.env['TEST_DATABASE_URL'] = servers.postgres.url;
  const stack = await TestStack.start({
    queue: servers.queue,
    store: servers.store.column,
    workers: { 'agent-runner': 2, scanner: 2, validator: 2, converter: 2, tools: 2 },
    longestPauseMs: LONGEST_RESTART_PAUSE_MS,
    env: {
      OPENAI_API_KEY: 'sk-of-the-test',
      OPENAI_BASE_URL: stub.baseUrl,
      OPENAI_MODEL: 'stub-model',
      MODEL_TIMEOUT_SECONDS: String(MODEL_TIMEOUT_SECONDS),
      NODE_OPTIONS: hooks.map((hook) => `--import ${hook}`).join(' '),
      FAULTS_CLOCK_SHIFTS: CLOCK_SHIFTS_MS.join(','),
      FAULTS_DIR: commits.dir,
      ...servers.store.env,
    },
    ...(appsDir ? { appsDir } : {}),
  });
  const db = createDatabase(stack.database.url, 4);
  try {
    const { names } = await findCommitPoints(projectRoot());
    const counts = { kills: 0, stops: 0, flushes: 0, postgresRestarts: 0, redisRestarts: 0 };
    const target: Target = {
      stack,
      db,
      servers,
      deck: new CommitPointDeck(names),
      commits,
      modelFaults,
      modelRequests: () => stub.requests.length,
      count: (what) => void counts[what]++,
    };
    return await new Harness(options, db, stub, names, counts, target).run();
  } finally {
    await db.$disconnect();
    await stack.stop();
    await stub.stop();
    await commits.close();
  }
}

interface Driven {
  seen: SeenRun | null;
  findings: Finding[];
}

class Harness {
  private readonly chance: Chance;
  private readonly injector: Injector;
  private readonly undisturbed: Undisturbed[] = [];
  private readonly driven: Driven[] = [];
  /** When the last fault was over, in milliseconds. */
  private over = Infinity;

  constructor(
    private readonly options: FaultOptions,
    private readonly db: Database,
    private readonly stub: ModelStub,
    private readonly points: readonly string[],
    private readonly counts: Record<Counted, number>,
    private readonly target: Target,
  ) {
    this.chance = new Chance(options.seed);
    this.injector = new Injector(target, faultsFor(options.servers, options.only), (line) => this.say(line));
  }

  async run(): Promise<FaultReport> {
    for (const choice of ANSWERS) await this.learn(choice);
    const requestsBefore = this.stub.requests.length;
    const callsBefore = await this.db.modelCall.count();
    const from = Date.now();
    const { seconds, runs = Infinity, signal } = this.options;
    const goesOn = () =>
      Date.now() < from + seconds * 1_000 && this.driven.length < runs && signal?.aborted !== true;
    const lanes = Promise.all(Array.from({ length: LANES }, () => this.lane(this.chance.fork(), goesOn)));
    await this.injector.run(this.chance.fork(), goesOn);
    await this.target.commits.disarmAll();
    this.over = Date.now();
    await lanes;
    const findings = this.driven.flatMap((driven) => driven.findings);
    for (const { seen } of this.driven) if (seen) findings.push(...(await checkAfterwards(this.db, seen)));
    const calls = (await this.db.modelCall.count()) - callsBefore;
    return this.report(findings, this.stub.requests.length - requestsBefore, calls, from);
  }

  private async report(
    findings: Finding[],
    requests: number,
    calls: number,
    from: number,
  ): Promise<FaultReport> {
    const fired = await this.target.commits.fired();
    const commitPoints: Record<string, number> = {};
    for (const { point } of fired) commitPoints[point] = (commitPoints[point] ?? 0) + 1;
    const unanswered = Object.values(this.target.modelFaults).filter((fault) => !isAnswered(fault)).length;
    const unreached = notReached(this.points, commitPoints);
    return {
      runs: this.driven.length,
      seconds: (Date.now() - from) / 1_000,
      counts: { ...this.counts, kills: this.counts.kills + fired.length - this.counts.stops },
      faults: this.injector.counts,
      commitPoints,
      notReached: unreached,
      repeatedModelCalls: Math.max(0, requests - unanswered - calls) / Math.max(1, calls),
      findings: [...findings, ...missed(unreached, this.target.deck.dealt, from, this.over)],
    };
  }

  private say(line: string): void {
    this.options.say?.(line);
  }

  /** Drives a run without faults, to know what one leaves behind. */
  private async learn(choice: string): Promise<void> {
    const deadline = { at: Date.now() + GRACE_MS };
    const { api, seen } = await this.drive({ ...QUIET, answers: [choice] }, deadline);
    if (seen.status !== 'completed') throw new Error(`the undisturbed run is ${seen.status}`);
    this.undisturbed.push(await undisturbedOf(this.db, api, seen));
  }

  /** For a run that starts now. */
  private deadline(): Deadline {
    const longest = Date.now() + LONGEST_RUN_MS;
    const graceEnd = () => this.over + GRACE_MS;
    return {
      get at() {
        return Math.min(longest, graceEnd());
      },
    };
  }

  /** Drives runs one after the other. */
  private async lane(chance: Chance, goesOn: () => boolean): Promise<void> {
    while (goesOn()) {
      const driven: Driven = { seen: null, findings: [] };
      this.driven.push(driven);
      await this.one(driven, planOf(chance), this.deadline());
    }
  }

  private async one(driven: Driven, plan: Plan, deadline: Deadline): Promise<void> {
    try {
      const { api, seen } = await this.drive(plan, deadline);
      driven.seen = seen;
      const expected = { undisturbed: this.undisturbed, garbled: this.garbledAnswersOf(seen) };
      driven.findings = await persist(() => checkRun(this.db, api, seen, expected), deadline);
      for (const { what } of driven.findings) this.say(`run ${seen.runId} ${what}`);
    } catch (error) {
      const what = `a run could not be driven: ${(error as Error).message}`;
      this.say(what);
      driven.findings = [{ kind: 'lost', runId: null, what }];
    }
  }

  /** How often the model answered a run with garbage. */
  private garbledAnswersOf({ sessionId }: SeenRun): number {
    return this.stub.garbled.filter(({ messages }) =>
      messages.some(
        ({ content }) => typeof content === 'string' && parseWorkOrder(content)?.session_id === sessionId,
      ),
    ).length;
  }

  private async drive(plan: Plan, deadline: Deadline) {
    const api = await persist(() => this.target.stack.tenant(), deadline);
    const find = (sessionId: string) =>
      persist(() => this.db.run.findMany({ where: { sessionId }, select: { id: true } }), deadline);
    const idsOf = async (sessionId: string) => (await find(sessionId)).map(({ id }) => id);
    return { api, seen: await driveRun(api, plan, deadline, idsOf) };
  }
}
