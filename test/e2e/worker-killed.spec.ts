import { createDatabase, type Database } from '#db/client.js';
import { projectRoot } from '#embedded/project-root.js';
import { readDocx } from '#office/docx/read/read.js';
import type { RunView } from '#testing/api-client.js';
import { CommitSignals } from '#testing/faults/commit-signals.js';
import { TestStack } from '#testing/test-stack.js';
import { until } from '#testing/until.js';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** The only spec of `npm test` that kills a process; test:system kills processes at every commit point. */
describe('X4 a killed worker', () => {
  let stack: TestStack;
  let db: Database;
  let commits: CommitSignals;

  beforeAll(async () => {
    commits = await CommitSignals.open();
    const hook = join(projectRoot(), 'dist/libs/testing/faults/commit-hook.js');
    stack = await TestStack.start({
      fewProcesses: true,
      longestPauseMs: 200,
      env: { NODE_OPTIONS: `--import ${pathToFileURL(hook).href}`, FAULTS_DIR: commits.dir },
    });
    db = createDatabase(stack.database.url, 1);
  });
  afterAll(async () => {
    await db.$disconnect();
    await stack.stop();
    await commits.close();
  });

  it('X4 ends before it commits a step, and the run ends as without the crash', async () => {
    const tenant = await stack.tenant();
    const files = { 'notes.md': '# Notes\n\nThe first line.\n', 'build.log': 'one\n\ttwo\n' };
    const undisturbed = await tenant.startRun(await tenant.sessionWith(files));
    await tenant.completed(undisturbed.id);
    await commits.arm('before', 'commit step', 'SIGKILL');
    const run = await tenant.startRun(await tenant.sessionWith(files));
    await until(
      'the worker has killed itself',
      () => commits.fired(),
      ({ length }) => length === 1,
    );
    await db.$executeRaw`UPDATE runs SET lease_until = now() WHERE lease_until > now()`;
    const { progress } = await tenant.completed(run.id);
    expect(progress.details['coverage']).toBe(1);
    expect(await tenant.manuscript(run.session_id)).toBe(await tenant.manuscript(undisturbed.session_id));
    const blocksOf = async ({ session_id }: RunView) => readDocx(await tenant.docx(session_id)).blocks;
    expect(await blocksOf(run)).toEqual(await blocksOf(undisturbed));
    const seqs = (await tenant.events(run.id)).map(({ seq }) => seq);
    expect(seqs).toEqual(seqs.map((_, index) => index + 1));
  });
});
