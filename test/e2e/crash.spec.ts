import type { RunEvent } from '#contracts/events.js';
import { ApiClient, type RunView } from '#testing/api-client.js';
import { exampleFiles, MISSING_IMAGE } from '#testing/examples.js';
import { TestStack } from '#testing/test-stack.js';
import { until } from '#testing/until.js';

/** X4: whatever process dies, a run ends as if nothing had happened. The runs go side by side: most of each is waiting for a lock to run out. */
describe('X4 a killed process', () => {
  let stack: TestStack;
  let tenant: ApiClient;
  let undisturbed: string;
  let disturbed: Promise<RunView>[];

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
    disturbed = moments.map(killedAt);
    // Each test looks at its own; until then a failure waits to be told.
    for (const one of disturbed) one.catch(() => undefined);
  });
  afterAll(() => stack.stop());

  const waitsFor = (task: string) => (event: RunEvent) =>
    event.type === 'run_status' && JSON.stringify(event.data.waiting_for ?? '').includes(`"${task}"`);

  const moments: { process: string; when: string; moment: (event: RunEvent) => boolean }[] = [
    { process: 'scanner', when: 'its task is due', moment: waitsFor('scan_assets') },
    {
      process: 'agent-runner',
      when: 'it writes the second chapter',
      moment: (e) => e.type === 'state_updated' && e.data.current_chapter === 2,
    },
    {
      process: 'agent-runner',
      when: 'it has made a checkpoint',
      moment: (e) => e.type === 'checkpoint_saved' && e.data.validated === false,
    },
    { process: 'validator', when: 'a chapter is to be validated', moment: waitsFor('validate_md') },
    { process: 'converter', when: 'the document is to be converted', moment: waitsFor('convert') },
    { process: 'gateway', when: 'a client follows the run', moment: (e) => e.type === 'validation_ran' },
  ];

  /** Kills the process, unless another run's moment came to it first and it is not back yet. */
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
  const killedAt = async ({ process, moment }: (typeof moments)[number]): Promise<RunView> => {
    const run = await start();
    await tenant.events(run.id, moment);
    await until(() => isKilled(process));
    return tenant.completed(run.id);
  };

  it.each(moments.map(({ process, when }, index) => ({ process, when, index })))(
    '$process, killed when $when, costs nothing and doubles nothing',
    async ({ index }) => {
      const run = await disturbed[index]!;

      expect(await tenant.manuscript(run.session_id)).toBe(undisturbed);
      const events = await tenant.events(run.id);
      expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
      const validated = events.filter(
        ({ type, data }) => type === 'checkpoint_saved' && data.validated === true,
      );
      const chapters = run.progress.done;
      expect(new Set(validated.map(({ data }) => data.checkpoint_id)).size).toBe(chapters);
      const exports = await tenant.get(`/api/sessions/${run.session_id}/exports`);
      expect(exports.json.items).toHaveLength(1);
    },
  );

  it('D19 a paused run survives a stop of the whole stack; the answer then resumes it', async () => {
    const other = await stack.tenant('other');
    const run = await other.startRun(await other.sessionWith(exampleFiles('incident')));
    const { id } = await other.decision(run.id);
    await stack.restart();
    const again = new ApiClient(stack.url, other.key);
    expect((await again.run(run.id)).status).toBe('waiting');
    await again.post(`/api/decisions/${id}/answer`, { user_decisions: { [MISSING_IMAGE]: 'skip' } });
    await again.completed(run.id);
    expect(await again.manuscript(run.session_id)).toBe(undisturbed);
  });
});
