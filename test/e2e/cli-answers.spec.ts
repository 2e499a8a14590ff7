import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cliEnv, runCli } from '#testing/cli.js';
import { askingFiles, MISSING_IMAGE } from '#testing/examples.js';
import { sharedStack } from '#testing/shared-stack.js';

describe('answers on the command line', () => {
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'scriptorium-answers-'));
    await mkdir(join(folder, 'in'));
    for (const [name, content] of Object.entries(askingFiles()))
      await writeFile(join(folder, 'in', name), content);
  });
  afterAll(() => rm(folder, { recursive: true }));

  it('X2 take precedence over a remembered answer', async () => {
    const tenant = await (await sharedStack()).tenant();
    const answerOf = async (answer: string) => {
      const args = ['write', 'in', '-o', 'out.docx', '--answer', `${MISSING_IMAGE}=${answer}`];
      expect(await runCli(args, { cwd: folder, env: cliEnv(tenant) })).toMatchObject({ code: 0 });
      const { json: runs } = await tenant.get('/api/agents/runs?limit=1');
      const [run] = runs.items as { id: string }[];
      const asked = (await tenant.events(run!.id)).find(({ type }) => type === 'decision_required');
      if (!asked) return null;
      const { json } = await tenant.get(`/api/decisions/${String(asked.data['decision_id'])}`);
      return (json.answer as { user_decisions: Record<string, string> }).user_decisions[MISSING_IMAGE];
    };
    expect(await answerOf('skip')).toBe('skip');
    expect(await answerOf('use:dashboard.png')).toBe('dashboard.png');
    expect(await answerOf('skip')).toBe('skip');
  }, 120_000);
});
