import { createDatabase, type Database } from '#db/client.js';
import { projectRoot } from '#embedded/project-root.js';
import { sampled } from '#testing/depth.js';
import { CommitSignals, type When } from '#testing/faults/commit-signals.js';
import { TestStack } from '#testing/test-stack.js';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Findings } from './findings.js';
import { articleWork } from './other-work/article.js';
import { startCountedTool, type CountedTool } from './other-work/counted-tool.js';
import { noteLateAttempts } from './other-work/drive-other.js';
import { mcpPlanWork } from './other-work/mcp-plan.js';
import type { OtherWork } from './other-work/other-work.js';

/** A slow machine takes its time to start processes again and to let leases run out. */
const PATIENCE_MS = 400_000;

/** What the harness does for hours by chance, once for the statements that matter most. */
describe('X4 processes that end at a commit', () => {
  let stack: TestStack;
  let db: Database;
  let commits: CommitSignals;
  let tool: CountedTool;

  beforeAll(async () => {
    commits = await CommitSignals.open();
    tool = await startCountedTool();
    const hook = pathToFileURL(join(projectRoot(), 'dist/libs/testing/src/faults/commit-hook.js')).href;
    stack = await TestStack.start({
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
  });

  const drive = async (work: OtherWork): Promise<Findings['all']> => {
    const api = await stack.tenant();
    const { id, check } = await work.drive({ api, db, tool, deadline: { at: Date.now() + PATIENCE_MS } });
    const findings = new Findings(id);
    await check(findings);
    return findings.all;
  };
  const firedAt = async (point: string) =>
    (await commits.fired()).filter((fired) => fired.point === point).map(({ when }) => when);

  const both: When[] = ['before', 'after'];
  it.each([
    ['an article', articleWork, ['INSERT article_log', 'pause run']],
    ['a plan with calls of an MCP server', mcpPlanWork, ['begin attempt', 'complete task']],
  ])(
    'X4 %s loses nothing, and does nothing twice',
    async (_name, work, points) => {
      const moments = points.map((point, row) => [point, sampled(both, row, 2)] as const);
      for (const [point, at] of moments) for (const when of at) await commits.arm(when, point, 'SIGKILL');
      expect(await drive(work)).toEqual([]);
      for (const [point, at] of moments) expect((await firedAt(point)).sort()).toEqual([...at].sort());
    },
    PATIENCE_MS + 60_000,
  );
});
