import { createDatabase, type Database } from '#db/client.js';
import { projectRoot } from '#embedded/project-root.js';
import { startModelStub } from '#testing/model-stub.js';
import { TestStack } from '#testing/test-stack.js';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { checkAfterwards, checkRun, undisturbedOf, type Undisturbed } from './check-run.js';
import { CommitPointDeck, COVERED_ELSEWHERE } from './commit-point-deck.js';
import { findCommitPoints } from './commit-points.js';
import { CommitSignals } from '#testing/faults/commit-signals.js';
import { ANSWERS, driveRun, type Plan, type SeenRun } from './drive-run.js';
import type { Counted, Fault, Target } from './fault.js';
import type { Finding } from './findings.js';
import { MODEL_TIMEOUT_SECONDS, OUTSIDE_FAULTS } from './outside-faults.js';
import { PROCESS_FAULTS } from './process-faults.js';
import { persist } from './persist.js';
import { Chance } from './random.js';
import { SERVER_FAULTS } from './server-faults.js';
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
  say?: (line: string) => void;
}

export interface FaultReport {
  runs: number;
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

/** Runs that are driven at the same time. */
const LANES = 12;
/** A fault that lasts longer goes on beside the next ones. */
const LONGEST_WAIT_MS = 1_500;
const PAUSE_MS = { least: 300, most: 1_700 };
/** Seconds that runs may take to end once the faults are over: a lease and a lock run out, and slow machines are slow. */
const GRACE_SECONDS = 120;
/** A killed process is back soon: what is tested is the product, not the patience of its supervisor. */
const LONGEST_RESTART_PAUSE_MS = 300;
const FAULTS = [...PROCESS_FAULTS, ...SERVER_FAULTS, ...OUTSIDE_FAULTS];
const QUIET: Plan = { answers: [ANSWERS[0]], starts: 1, cutsUpload: false, cancelAfterMs: null };

/**
 * Drives document runs on the real stack, two of each worker, while faults picked by the seed hit it; then checks every
 * run against an undisturbed one (X4).
 */
export async function injectFaults(options: FaultOptions): Promise<FaultReport> {
  const { servers, appsDir } = options;
  const modelFaults: Target['modelFaults'] = {};
  const stub = await startModelStub({ faults: modelFaults });
  const commits = await CommitSignals.open();
  const hook = pathToFileURL(join(projectRoot(), 'dist/libs/testing/src/faults/commit-hook.js')).href;
  process.env['TEST_DATABASE_URL'] = servers.postgres.url;
  const stack = await TestStack.start({
    queue: servers.queue,
    store: servers.store.column,
    workers: { 'agent-runner': 2, scanner: 2, validator: 2, converter: 2 },
    longestPauseMs: LONGEST_RESTART_PAUSE_MS,
    env: {
      OPENAI_API_KEY: 'sk-of-the-test',
      OPENAI_BASE_URL: stub.baseUrl,
      OPENAI_MODEL: 'stub-model',
      MODEL_TIMEOUT_SECONDS: String(MODEL_TIMEOUT_SECONDS),
      NODE_OPTIONS: `--import ${hook}`,
      FAULTS_DIR: commits.dir,
      ...servers.store.env,
    },
    ...(appsDir ? { appsDir } : {}),
  });
  const db = createDatabase(stack.database.url, 4);
  try {
    const { names } = await findCommitPoints(projectRoot());
    const counts = { kills: 0, stops: 0, flushes: 0, postgresRestarts: 0, redisRestarts: 0 };
    const harness = new Harness(options, db, names, counts, {
      stack,
      db,
      servers,
      deck: new CommitPointDeck(names),
      commits,
      modelFaults,
      modelRequests: () => stub.requests.length,
      count: (what) => void counts[what]++,
    });
    return await harness.run();
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
  private readonly faultCounts: Record<string, number> = {};
  private readonly undisturbed: Undisturbed[] = [];
  private readonly driven: Driven[] = [];
  private isOver = false;

  constructor(
    private readonly options: FaultOptions,
    private readonly db: Database,
    private readonly points: readonly string[],
    private readonly counts: Record<Counted, number>,
    private readonly target: Target,
  ) {
    this.chance = new Chance(options.seed);
  }

  async run(): Promise<FaultReport> {
    for (const choice of ANSWERS) await this.learn(choice);
    const requestsBefore = this.target.modelRequests();
    const callsBefore = await this.db.modelCall.count();
    const end = Date.now() + this.options.seconds * 1_000;
    const lanes = Promise.all(Array.from({ length: LANES }, () => this.lane(this.chance.fork(), end)));
    void lanes.finally(() => (this.isOver = true));
    await this.inject(this.chance.fork(), end);
    await this.target.commits.disarmAll();
    await lanes;
    const findings = this.driven.flatMap((driven) => driven.findings);
    for (const { seen } of this.driven) if (seen) findings.push(...(await checkAfterwards(this.db, seen)));
    const calls = (await this.db.modelCall.count()) - callsBefore;
    return this.report(findings, this.target.modelRequests() - requestsBefore, calls);
  }

  private async report(findings: Finding[], requests: number, calls: number): Promise<FaultReport> {
    const fired = await this.target.commits.fired();
    const commitPoints: Record<string, number> = {};
    for (const { point } of fired) commitPoints[point] = (commitPoints[point] ?? 0) + 1;
    const answered = requests - Object.keys(this.target.modelFaults).length;
    return {
      runs: this.driven.length,
      counts: { ...this.counts, kills: this.counts.kills + fired.length - this.counts.stops },
      faults: this.faultCounts,
      commitPoints,
      notReached: this.points.filter((point) => !(point in commitPoints || point in COVERED_ELSEWHERE)),
      repeatedModelCalls: Math.max(0, answered - calls) / Math.max(1, calls),
      findings,
    };
  }

  /** Drives a run without faults, to know what one leaves behind. */
  private async learn(choice: string): Promise<void> {
    const { api, seen } = await this.drive({ ...QUIET, answers: [choice] }, this.deadlineAfter(Date.now()));
    if (seen.status !== 'completed') throw new Error(`the undisturbed run is ${seen.status}`);
    this.undisturbed.push(await undisturbedOf(this.db, api, seen));
  }

  private deadlineAfter(time: number): number {
    return time + GRACE_SECONDS * 1_000;
  }

  /** Drives runs one after the other. */
  private async lane(chance: Chance, end: number): Promise<void> {
    const { runs = Infinity } = this.options;
    while (Date.now() < end && this.driven.length < runs) {
      const driven: Driven = { seen: null, findings: [] };
      this.driven.push(driven);
      await this.one(
        driven,
        planOf(chance),
        this.deadlineAfter(Math.min(end, Date.now() + GRACE_SECONDS * 1_000)),
      );
    }
  }

  /** Injects faults one after the other, with pauses, until the given time or the last run. */
  private async inject(chance: Chance, end: number): Promise<void> {
    const faults = this.faults();
    const underWay: Promise<void>[] = [];
    while (Date.now() < end && !this.isOver) {
      await delay(chance.between(PAUSE_MS.least, PAUSE_MS.most));
      const fault = chance.weighted(faults);
      this.faultCounts[fault.name] = (this.faultCounts[fault.name] ?? 0) + 1;
      this.options.say?.(`fault: ${fault.name}`);
      const applied = fault
        .apply(this.target, chance.fork())
        .catch((error: unknown) => this.options.say?.(`fault not applied: ${(error as Error).message}`));
      underWay.push(applied);
      await Promise.race([applied, delay(LONGEST_WAIT_MS)]);
    }
    await Promise.all(underWay);
  }

  private faults(): Fault[] {
    const { only, servers } = this.options;
    const possible = FAULTS.filter(({ isPossible }) => isPossible?.(servers) ?? true);
    return only ? possible.filter(({ name }) => only.some((start) => name.startsWith(start))) : possible;
  }

  private async one(driven: Driven, plan: Plan, deadline: number): Promise<void> {
    try {
      const { api, seen } = await this.drive(plan, deadline);
      driven.seen = seen;
      driven.findings = await persist(() => checkRun(this.db, api, seen, this.undisturbed), deadline);
      for (const { what } of driven.findings) this.options.say?.(`run ${seen.runId} ${what}`);
    } catch (error) {
      const what = `could not be driven: ${(error as Error).message}`;
      this.options.say?.(`a run ${what}`);
      driven.findings = [{ kind: 'lost', runId: null, what }];
    }
  }

  private async drive(plan: Plan, deadline: number) {
    const api = await persist(() => this.target.stack.tenant(), deadline);
    const find = (sessionId: string) =>
      persist(() => this.db.run.findMany({ where: { sessionId }, select: { id: true } }), deadline);
    const idsOf = async (sessionId: string) => (await find(sessionId)).map(({ id }) => id);
    return { api, seen: await driveRun(api, plan, deadline, idsOf) };
  }
}

/** One run in so many is answered and started fifty times at once, has its first upload cut, or is cancelled. */
const ONE_IN = { storm: 8, cut: 6, cancel: 12 };
const STORM = 50;
const COPIES = 4;
const LATEST_CANCEL_MS = 4_000;

function planOf(chance: Chance): Plan {
  const oneIn = (count: number) => chance.next() < 1 / count;
  const copies = oneIn(ONE_IN.storm) ? STORM : COPIES;
  return {
    answers: Array.from({ length: copies }, (_, index) => ANSWERS[index % ANSWERS.length]!),
    starts: oneIn(ONE_IN.storm) ? STORM : 1,
    cutsUpload: oneIn(ONE_IN.cut),
    cancelAfterMs: oneIn(ONE_IN.cancel) ? chance.between(0, LATEST_CANCEL_MS) : null,
  };
}
