import type { ApiClient } from '#testing/api-client.js';
import { cliEnv, runCli } from '#testing/cli.js';
import { sharedStack } from '#testing/shared-stack.js';
import { tmpdir } from 'node:os';

/** Schedules from a terminal, each command in a separate process. */
describe('scriptorium schedule', () => {
  let tenant: ApiClient;
  let env: NodeJS.ProcessEnv;

  beforeAll(async () => {
    const stack = await sharedStack();
    tenant = await stack.tenant();
    env = cliEnv(tenant);
  });

  const schedule = (...args: string[]) => runCli(['schedule', ...args], { cwd: tmpdir(), env });

  it('adds, lists, pauses, resumes, fires, shows and removes', async () => {
    expect((await schedule('list')).stdout).toContain('There are no schedules');
    const session = await tenant.sessionWith({ 'notes.md': '# Notes\n\nThe lamp was lit.\n' });
    const added = await schedule('add', 'Nightly', '--session', session, '--every', '2h', '--json');
    expect([added.code, added.stderr]).toEqual([0, '']);
    const { id } = JSON.parse(added.stdout) as { id: string };
    expect((await schedule('list')).stdout).toMatch(new RegExp(`^${id} {2}Nightly {2}7200 s {2}20`));
    expect((await schedule('pause', id)).stdout).toContain('no planned time');
    expect((await schedule('resume', id)).stdout).toMatch(/ {2}20\d\d-/);
    expect((await schedule('fire', id)).stdout).toContain('starts soon');
    expect((await schedule('show', id)).stdout.match(/^ {2}20/gm)!.length).toBeGreaterThanOrEqual(11);
    expect((await schedule('remove', id)).code).toBe(0);
    expect((await schedule('show', id)).code).toBe(1);
  });

  it('refuses what cannot be read', async () => {
    const wrong = await schedule('add', 'Wrong', '--session', 'ses_0', '--every', 'often');
    expect([wrong.code, wrong.stderr]).toEqual([1, expect.stringContaining('30m, 2h or 1d')]);
    const inputs = await schedule('add', 'Wrong', '--session', 'ses_0', '--every', '2h', '--inputs', '{');
    expect([inputs.code, inputs.stderr]).toEqual([1, expect.stringContaining('--inputs is not JSON')]);
    const cron = await schedule('add', 'Wrong', '--session', 'ses_0', '--cron', 'often');
    expect([cron.code, cron.stderr]).toEqual([1, expect.stringContaining('cron expression')]);
  });
});
