import type { RunEvent } from '#catalogue/events.js';
import { ApiClient, type RunView } from '#testing/api-client.js';
import { sampled } from '#testing/depth.js';
import { exampleFiles, MISSING_IMAGE } from '#testing/examples.js';
import { TestStack } from '#testing/test-stack.js';
import { until } from '#testing/until.js';

interface Moment {
  process: string;
  when: string;
  isReached: (event: RunEvent) => boolean;
}

/**
 * X4: whichever process dies, a run ends as if nothing had happened. Runs whose workers are killed run concurrently,
 * because most of their time is waiting for a lock to expire. The gateway, which all of them need, is killed after they
 * have ended.
 */
describe('X4 a killed process', () => {
  let stack: TestStack;
  let tenant: ApiClient;
  let undisturbed: string;
  const disturbed = new Map<Moment, Promise<RunView>>();

  const start = async (): Promise<RunView> =>
    tenant.startRun(await tenant.sessionWith(exampleFiles('incident')));

  beforeAll(async () => {
    stack = await TestStack.start({ workers: { tools: 0 }, longestPauseMs: 200 });
    tenant = await stack.tenant();
    const run = await start();
    const { id } = await tenant.decision(run.id);
    await tenant.post(`/api/decisions/${id}/answer`, { user_decisions: { [MISSING_IMAGE]: 'skip' } });
    await tenant.completed(run.id);
    undisturbed = await tenant.manuscript(run.session_id);
    for (const moment of moments.filter(({ process }) => process !== 'gateway')) {
      const run = killedAt(moment);
      // Each test checks its own run; until then, store a failure.
      run.catch(() => undefined);
      disturbed.set(moment, run);
    }
  });
  afterAll(() => stack.stop());

  const waitsFor = (task: string) => (event: RunEvent) =>
    event.type === 'run_status' && JSON.stringify(event.data.waiting_for ?? '').includes(`"${task}"`);

  const all: Moment[] = [
    { process: 'scanner', when: 'its task is due', isReached: waitsFor('scan_assets') },
    {
      process: 'agent-runner',
      when: 'it writes the second chapter',
      isReached: (e) => e.type === 'state_updated' && e.data.current_chapter === 2,
    },
    {
      process: 'agent-runner',
      when: 'it has made a checkpoint',
      isReached: (e) => e.type === 'checkpoint_saved' && e.data.validated === false,
    },
    { process: 'validator', when: 'a chapter is to be validated', isReached: waitsFor('validate_md') },
    { process: 'converter', when: 'the document is to be converted', isReached: waitsFor('convert') },
    { process: 'gateway', when: 'a client follows the run', isReached: (e) => e.type === 'validation_ran' },
  ];
  const moments = sampled(all, 1, 2);

  /** Kills the process, unless another run's kill came first and the process is not running again yet. */
  const isKilled = (process: string): boolean => {
    if (stack.pids()[process] === undefined) return false;
    try {
      stack.kill(process);
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
      throw error;
    }
  };

  /** A run at a moment of which the process is killed, after it has ended. */
  const killedAt = async ({ process, isReached }: Moment): Promise<RunView> => {
    const run = await start();
    await tenant.events(run.id, isReached);
    await until('the process runs and is killed', () => isKilled(process));
    return tenant.completed(run.id);
  };

  it.each(moments)('$process, killed when $when, loses nothing and repeats nothing', async (moment) => {
    const run = await (disturbed.get(moment) ?? killedAt(moment));

    expect(await tenant.manuscript(run.session_id)).toBe(undisturbed);
    const events = await tenant.events(run.id);
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
    const validated = events.filter(
      ({ type, data }) => type === 'checkpoint_saved' && data.validated === true,
    );
    // The last four of seven chapters are written together.
    expect(run.progress.done).toBe(7);
    const labels = ['chapter_1', 'chapter_2', 'chapter_3', 'chapter_4'];
    expect(validated.map(({ data }) => data.label)).toEqual(labels);
    const exports = await tenant.get(`/api/sessions/${run.session_id}/exports`);
    expect(exports.json.items).toHaveLength(1);
  });

  it('D19 a paused run survives a stop of the whole stack; the answer then resumes it', async () => {
    const other = await stack.tenant('other');
    const run = await other.startRun(await other.sessionWith(exampleFiles('incident')));
    const { id } = await other.decision(run.id);
    await stack.restart();
    const again = new ApiClient(stack.url, other.key);
    expect((await again.run(run.id)).status).toBe('needs_answer');
    await again.post(`/api/decisions/${id}/answer`, { user_decisions: { [MISSING_IMAGE]: 'skip' } });
    await again.completed(run.id);
    expect(await again.manuscript(run.session_id)).toBe(undisturbed);
  });
});
