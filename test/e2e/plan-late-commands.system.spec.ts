import { projectRoot } from '#embedded/project-root.js';
import type { ApiClient } from '#testing/api-client.js';
import { CommitSignals } from '#testing/faults/commit-signals.js';
import { TestStack } from '#testing/test-stack.js';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { FILES, task } from './plan-bodies.js';

const TIMEOUT_MS = 20_000;

/** Commands that reach a plan whose runner is stopped on its last steps. */
describe('P4 commands at the end of a plan', () => {
  let stack: TestStack;
  let tenant: ApiClient;
  let commits: CommitSignals;

  beforeAll(async () => {
    commits = await CommitSignals.open();
    const hook = join(projectRoot(), 'dist/libs/testing/faults/commit-hook.js');
    stack = await TestStack.start({
      workers: { scanner: 0, validator: 0, converter: 0 },
      env: { NODE_OPTIONS: `--import ${pathToFileURL(hook).href}`, FAULTS_DIR: commits.dir },
    });
    tenant = await stack.tenant();
  });
  afterAll(async () => {
    await stack.stop();
    await commits.close();
  });

  /** Starts a plan with one task and sends a command while its runner is paused just before a statement. */
  async function commandBefore(point: string) {
    const session_id = await tenant.sessionWith(FILES);
    await commits.arm('before', point, 'SIGSTOP');
    const config = { hil: { approval_required: 'never' } };
    const dag = { tasks: [task('list', 'list_inputs')] };
    const { json } = await tenant.post('/api/plans', { session_id, dag, config });
    const id = String(json.id);
    const stopped = await commits.next('before', point, 0, TIMEOUT_MS);
    if (!stopped) {
      const { status } = await tenant.run(id);
      throw new Error(
        `a runner at "${point}": not within ${TIMEOUT_MS / 1_000} s. Last seen: the run is ${status}`,
      );
    }
    const given = await tenant.post(`/api/plans/${id}/commands`, { type: 'abort', reason: 'too late' });
    process.kill(stopped.pid, 'SIGCONT');
    await tenant.completed(id);
    const refused = (await tenant.events(id)).filter(({ type }) => type === 'command_refused');
    return { given, refused: refused.map(({ data }) => data['command_id']) };
  }

  it('P4 are rejected if the plan no longer reads commands', async () => {
    const { given, refused } = await commandBefore('finish run');
    expect([given.status, given.json.code]).toEqual([409, 'run_finished']);
    expect(refused).toEqual([]);
  });

  it('P4 are reported as rejected if the plan was about to read them for the last time', async () => {
    const { given, refused } = await commandBefore('close plan commands');
    expect(given.status).toBe(202);
    expect(refused).toEqual([given.json.command_id]);
  });
});
