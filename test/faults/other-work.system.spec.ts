import { createDatabase, type Database } from '#db/client.js';
import { projectRoot } from '#embedded/project-root.js';
import { atDepth, sampled } from '#testing/depth.js';
import { CommitSignals, type When } from '#testing/faults/commit-signals.js';
import type { ApiClient } from '#testing/api-client.js';
import { loseJobsOnPostgres } from '#testing/lose-jobs.js';
import { TestStack } from '#testing/test-stack.js';
import { until } from '#testing/until.js';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { Findings } from './findings.js';
import { articleWork } from './other-work/article.js';
import { startCountedTool, type CountedTool } from './other-work/counted-tool.js';
import { noteLateAttempts } from './other-work/drive-other.js';
import { knowledgeWork } from './other-work/knowledge.js';
import { mcpPlanWork } from './other-work/mcp-plan.js';
import type { OtherWork } from './other-work/other-work.js';
import { planWork } from './other-work/plan.js';
import { persist, type Deadline } from './persist.js';
import { startOwnBackends, type OwnBackends } from './servers.js';

/** A slow machine needs time to restart processes and to let leases expire. */
const TIMEOUT_MS = 600_000;
const POLL_INTERVAL_MS = 100;

/** Jest's time limit: longer than any wait in the test, so that the wait reports what it waited for. */
const LIMIT_MS = TIMEOUT_MS + 120_000;

/** Every statement that puts a source into service, also a changed one, and merges its segments. */
const INGESTION = [
  'queue sources',
  'INSERT knowledge_collections',
  'INSERT knowledge_sources',
  'UPDATE knowledge_sources',
  'claim source',
  'hold source',
  'insert segment',
  'insert postings',
  'insert chunks',
  'progress of source',
  'lock collection',
  'mark passages as gone',
  'remove chunks',
  'move chunks',
  'segments in service',
  'purge old content',
  'source ready',
  'segments to merge',
  'try to lock collection',
  'move passages',
  'remove merged segments',
];
/** Every statement with which a plan accepts a command, or stops accepting commands. */
const PLAN_COMMANDS = [
  'add plan command',
  'refuse plan command',
  'close plan commands',
  'take plan commands',
];
/** Collections that are filled concurrently. */
const COLLECTIONS = atDepth({ quick: 3, full: 6 });

interface Moment {
  when: When;
  point: string;
}

/**
 * Points at which processes die: before and after each commit point in test:deep, otherwise every `stride`-th of them.
 */
const momentsAt = (points: readonly string[], stride: number): Moment[] =>
  (['before', 'after'] as const).flatMap((when, row) =>
    sampled(points, row, stride).map((point) => ({ when, point })),
  );

/**
 * Tests the most important statements once, which the harness covers at random over hours; test:system uses a sample
 * for each kind of work.
 */
describe('X4 processes that end at a commit', () => {
  let backends: OwnBackends;
  let stack: TestStack;
  let db: Database;
  let commits: CommitSignals;
  let tool: CountedTool;

  beforeAll(async () => {
    commits = await CommitSignals.open();
    tool = await startCountedTool();
    const hook = pathToFileURL(join(projectRoot(), 'dist/libs/testing/faults/commit-hook.js')).href;
    backends = await startOwnBackends('postgres');
    process.env['TEST_DATABASE_URL'] = backends.postgres.url;
    stack = await TestStack.start({
      workers: { scanner: 3 },
      longestPauseMs: 200,
      env: { NODE_OPTIONS: `--import ${hook}`, FAULTS_DIR: commits.dir, EGRESS_ALLOW_PRIVATE: 'true' },
    });
    db = createDatabase(stack.database.url, 2);
    await noteLateAttempts(db);
  });
  afterAll(async () => {
    await db.$disconnect();
    await stack.stop();
    await tool.stop();
    await commits.close();
    await backends.stop();
  });

  const drive = async (work: OtherWork, api: ApiClient): Promise<Findings['all']> => {
    const deadline = { at: Date.now() + TIMEOUT_MS };
    const { id, check } = await work.drive({ api, db, tool, deadline });
    const look = async () => {
      const findings = new Findings(id);
      await check(findings);
      return findings.all;
    };
    return persist(`the check of ${work.name} ${id}`, look, deadline);
  };
  const arm = async (moments: Moment[]) => {
    for (const { when, point } of moments) await commits.arm(when, point, 'SIGKILL');
  };
  const byName = (moments: Moment[]) => moments.map(({ when, point }) => `${when} ${point}`).sort();

  /**
   * After each kill, expires the leases of sources and requests, including those of live processes, so that two
   * processes work on a source. Attempts are not counted, because no source caused these crashes.
   */
  const runOutOfLeases = async (kills: () => Promise<number>, over: AbortSignal, deadline: Deadline) => {
    for (let seen = 0; !over.aborted; await delay(POLL_INTERVAL_MS)) {
      const dead = await kills();
      if (dead === seen) continue;
      await persist(
        'the end of every lease',
        () =>
          db.$transaction([
            db.$executeRaw`UPDATE knowledge_sources SET lease_until = now(), attempts = 0 WHERE lease_until > now()`,
            db.$executeRaw`UPDATE idempotency_keys SET created_at = created_at - interval '1 minute' WHERE status IS NULL`,
          ]),
        deadline,
      );
      seen = dead;
    }
  };

  it.each([
    ['an article', articleWork, ['INSERT article_log', 'pause run']],
    ['a plan with calls of an MCP server', mcpPlanWork, ['begin attempt', 'record call', 'complete task']],
    ['a plan with a command', planWork, PLAN_COMMANDS],
  ])(
    'X4 %s loses nothing and repeats nothing',
    async (_name, work, points) => {
      const deadline = { at: Date.now() + TIMEOUT_MS };
      const moments = momentsAt(points, 2);
      const before = (await commits.fired()).length;
      const over = new AbortController();
      const leases = runOutOfLeases(
        async () => (await commits.fired()).length - before,
        over.signal,
        deadline,
      );
      try {
        await arm(moments);
        expect(await drive(work, await stack.tenant())).toEqual([]);
        expect(byName((await commits.fired()).slice(before))).toEqual(byName(moments));
      } finally {
        over.abort();
        await leases;
      }
    },
    LIMIT_MS,
  );

  it(
    'X4 sources become ready with each passage once, despite kills at each commit, restarts of PostgreSQL and lost jobs',
    async () => {
      const deadline = { at: Date.now() + TIMEOUT_MS };
      const apis = await Promise.all(Array.from({ length: COLLECTIONS }, () => stack.tenant()));
      const before = (await commits.fired()).length;
      await arm(momentsAt(INGESTION, 4));
      const kills = async () => (await commits.fired()).length - before;
      const over = new AbortController();
      const leases = runOutOfLeases(kills, over.signal, deadline);
      const works = Promise.all(apis.map((api) => drive(knowledgeWork, api)));
      const harms = [
        () => backends.postgres.restart('killed'),
        () => loseJobsOnPostgres(stack.database.url),
        () => backends.postgres.restart('fast'),
      ];
      try {
        for (const [at, harm] of harms.entries()) {
          await until('more processes have died', kills, (dead) => dead > 2 * at);
          await harm();
        }
        expect((await works).flat()).toEqual([]);
        // Segments are merged after the sources are ready.
        await persist(
          'every commit point is reached',
          async () => expect(await commits.armed()).toEqual([]),
          deadline,
        );
      } finally {
        over.abort();
        await leases;
      }
    },
    LIMIT_MS,
  );
});
