import { createDatabase, type Database } from '#db/client.js';
import { projectRoot } from '#embedded/project-root.js';
import { parseWorkOrder } from '#testing/read-work-order.js';
import { startModelStub, type ModelStub } from '#testing/model-stub.js';
import { checkAfterwards, checkRun, undisturbedOf, type Undisturbed } from './check-run.js';
import { CommitPointDeck, isPassed, type Work } from './commit-point-deck.js';
import { findCommitPoints } from './commit-points.js';
import { missed, notReached } from './coverage.js';
import { CommitSignals } from '#testing/faults/commit-signals.js';
import { driveRun, type SeenRun } from './drive-run.js';
import type { Counted, Target } from './fault.js';
import type { Finding } from './findings.js';
import { faultsFor, Injector } from './injector.js';
import { isAnswered } from './outside-faults.js';
import { persist, type Deadline } from './persist.js';
import { ANSWERS, planOf, QUIET, type Plan } from './plan.js';
import { Chance } from './random.js';
import { startCountedTool, type CountedTool } from './other-work/counted-tool.js';
import { driveOther, type Look, noteLateAttempts } from './other-work/drive-other.js';
import type { OwnServers } from './servers.js';
import { startStackUnderFaults } from './stack-under-faults.js';

export interface FaultOptions {
  seed: number;
  /** Duration of the fault injection; by default, until a number of runs or faults ends it. */
  seconds?: number;
  /** Concurrent runs; by default 20, because most wait for a lease to expire or a process to start. */
  lanes?: number;
  /** Number of runs after which no more are started. */
  runs?: number;
  /** Number of faults after which no more are injected and no more runs are started. */
  faults?: number;
  servers: OwnServers;
  /** Work of the clients: document runs with a model, or knowledge sources, books, plans and articles without one. */
  work?: Work;
  /** Prefixes of the faults to inject; all by default. */
  only?: string[];
  /** Compiled apps to test instead of this checkout's. */
  appsDir?: string;
  /** Once aborted, injects no fault and starts no run; started runs are checked. */
  signal?: AbortSignal;
  say?: (line: string) => void;
}

export interface FaultReport {
  runs: number;
  /** Duration from the first fault until the last run has ended. */
  seconds: number;
  counts: Record<Counted, number>;
  faults: Record<string, number>;
  /** Commit points at which a process died or slept, with counts. */
  commitPoints: Record<string, number>;
  /** Commit points of document runs at which no process died or slept. */
  notReached: string[];
  /** Extra answers of the model per entry of the model usage. */
  repeatedModelCalls: number;
  /** Findings; empty if every run ended as if nothing had happened. */
  findings: Finding[];
}

const LANES = 20;
/** Time limit for runs once the faults are over: a lease and a lock must expire, and machines may be slow. */
const GRACE_MS = 180_000;
/** Time limit for a run during faults; on a slow machine, processes need most of it to start. */
const MAX_RUN_MS = 900_000;
/**
 * Drives document runs on the real stack during faults chosen by the seed; then compares every run with an undisturbed
 * one (X4).
 */
export async function injectFaults(options: FaultOptions): Promise<FaultReport> {
  const { servers, appsDir, work = 'documents' } = options;
  const modelFaults: Target['modelFaults'] = {};
  const stub = await startModelStub({ faults: modelFaults });
  const commits = await CommitSignals.open();
  const tool = await startCountedTool();
  const stack = await startStackUnderFaults({
    servers,
    work,
    stub,
    commits,
    ...(appsDir ? { appsDir } : {}),
  });
  const db = createDatabase(stack.database.url, 4);
  try {
    const { names } = await findCommitPoints(projectRoot());
    await noteLateAttempts(db);
    const points = names.filter((name) => isPassed(name, work));
    const counts = { kills: 0, stops: 0, flushes: 0, postgresRestarts: 0, redisRestarts: 0 };
    const target: Target = {
      stack,
      db,
      servers,
      deck: new CommitPointDeck(points),
      commits,
      modelFaults,
      modelRequests: () => stub.requests.length,
      count: (what) => void counts[what]++,
    };
    return await new Harness(options, db, stub, tool, points, counts, target).run();
  } finally {
    await db.$disconnect();
    await stack.stop();
    await stub.stop();
    await tool.stop();
    await commits.close();
  }
}

interface Driven {
  seen: SeenRun | null;
  /** Checks the work other than documents again. */
  again?: Look;
  findings: Finding[];
}

class Harness {
  private readonly chance: Chance;
  private readonly injector: Injector;
  private readonly undisturbed: Undisturbed[] = [];
  private readonly driven: Driven[] = [];
  /** Time in ms at which the last fault was over. */
  private over = Infinity;

  constructor(
    private readonly options: FaultOptions,
    private readonly db: Database,
    private readonly stub: ModelStub,
    private readonly tool: CountedTool,
    private readonly points: readonly string[],
    private readonly counts: Record<Counted, number>,
    private readonly target: Target,
  ) {
    this.chance = new Chance(options.seed);
    this.injector = new Injector(target, faultsFor(options.servers, options.only), (line) => this.say(line));
  }

  async run(): Promise<FaultReport> {
    if (!this.isOther) for (const choice of ANSWERS) await this.learn(choice);
    const requestsBefore = this.stub.requests.length;
    const callsBefore = await this.db.modelCall.count();
    const from = Date.now();
    const { seconds = Infinity, runs = Infinity, faults = Infinity, signal } = this.options;
    const goesOn = () =>
      Date.now() < from + seconds * 1_000 &&
      this.driven.length < runs &&
      this.injector.injected < faults &&
      signal?.aborted !== true;
    const lanes = Promise.all(
      Array.from({ length: this.options.lanes ?? LANES }, () => this.lane(this.chance.fork(), goesOn)),
    );
    await this.injector.run(this.chance.fork(), goesOn);
    await this.target.commits.disarmAll();
    this.over = Date.now();
    await lanes;
    const findings = this.driven.flatMap((driven) => driven.findings);
    for (const { seen, again } of this.driven) {
      if (seen) findings.push(...(await checkAfterwards(this.db, seen)));
      if (again) findings.push(...(await again()));
    }
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

  /** Drives a run without faults, to learn its expected result. */
  private async learn(choice: string): Promise<void> {
    const deadline = { at: Date.now() + GRACE_MS };
    const { api, seen } = await this.drive({ ...QUIET, answers: [choice] }, deadline);
    if (seen.status !== 'completed') throw new Error(`the undisturbed run is ${seen.status}`);
    this.undisturbed.push(await undisturbedOf(this.db, api, seen));
  }

  /** Time limit for a run that starts now. */
  private deadline(): Deadline {
    const longest = Date.now() + MAX_RUN_MS;
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
      if (this.isOther) await this.other(driven, chance, this.deadline());
      else await this.one(driven, planOf(chance), this.deadline());
    }
  }

  private get isOther(): boolean {
    return this.options.work === 'others';
  }

  private async other(driven: Driven, chance: Chance, deadline: Deadline): Promise<void> {
    try {
      const api = await persist('a new tenant', () => this.target.stack.tenant(), deadline);
      const { findings, again, name } = await driveOther(
        { api, db: this.db, deadline, tool: this.tool },
        chance,
      );
      for (const { what } of findings) this.say(`${name} ${what}`);
      // A run with an immediate finding is not checked again.
      if (findings.length > 0) driven.findings = findings;
      else driven.again = again;
    } catch (error) {
      this.notDriven(driven, error as Error);
    }
  }

  private notDriven(driven: Driven, error: Error): void {
    const what = `could not be driven: ${error.message}`;
    this.say(what);
    driven.findings = [{ kind: 'lost', runId: null, what }];
  }

  private async one(driven: Driven, plan: Plan, deadline: Deadline): Promise<void> {
    try {
      const { api, seen } = await this.drive(plan, deadline);
      driven.seen = seen;
      const expected = { undisturbed: this.undisturbed, garbled: this.garbledAnswersOf(seen) };
      driven.findings = await persist(
        `the check of the run ${seen.runId}`,
        () => checkRun(this.db, api, seen, expected),
        deadline,
      );
      for (const { what } of driven.findings) this.say(`run ${seen.runId} ${what}`);
    } catch (error) {
      this.notDriven(driven, error as Error);
    }
  }

  /** Number of unusable answers of the model to a run. */
  private garbledAnswersOf({ sessionId }: SeenRun): number {
    return this.stub.garbled.filter(({ messages }) =>
      messages.some(
        ({ content }) => typeof content === 'string' && parseWorkOrder(content)?.session_id === sessionId,
      ),
    ).length;
  }

  private async drive(plan: Plan, deadline: Deadline) {
    const api = await persist('a new tenant', () => this.target.stack.tenant(), deadline);
    const find = (sessionId: string) =>
      persist(
        `the runs of ${sessionId}`,
        () => this.db.run.findMany({ where: { sessionId }, select: { id: true } }),
        deadline,
      );
    const idsOf = async (sessionId: string) => (await find(sessionId)).map(({ id }) => id);
    return { api, seen: await driveRun(api, plan, deadline, idsOf) };
  }
}
