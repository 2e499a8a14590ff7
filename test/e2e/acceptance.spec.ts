import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readDocx } from '#office/docx/read/read.js';
import type { ApiClient } from '#testing/api-client.js';
import { cliEnv, succeedCli } from '#testing/cli.js';
import { startModelStub, type ModelStub } from '#testing/model-stub.js';
import { leasedStack, type LeasedStack } from '#testing/shared-stack.js';

const NOTES = '# Notes\n\nThe first line.\n\nThe second line.\n\nThe third line.\n';
const BIG = `${'0123456789abcdef'.repeat(65_536)}\n`;

/** D23, X1: an export below 100 % after an accept states its coverage in lines and bytes wherever it is shown. */
describe('an accepted manuscript that lacks a file', () => {
  let stack: LeasedStack;
  let stub: ModelStub;
  let tenant: ApiClient;
  let dir: string;

  beforeAll(async () => {
    const write = { name: 'append_to_markdown', arguments: { content: NOTES } };
    stub = await startModelStub({
      replies: [{ toolCalls: [write] }, ...Array.from({ length: 16 }, () => ({ text: 'Done.' }))],
    });
    stack = await leasedStack('model', { model: stub.baseUrl });
    tenant = await stack.tenant();
    dir = await mkdtemp(join(tmpdir(), 'scriptorium-accepted-'));
  });
  afterAll(async () => {
    await stack.release();
    await stub.stop();
    await rm(dir, { recursive: true, force: true });
  });

  const cli = async (...args: string[]): Promise<string> =>
    (await succeedCli(args, { cwd: dir, env: cliEnv(tenant) })).stdout;

  it('D23 X1 names that file first, with its bytes, the person who accepted it and the time', async () => {
    const sessionId = await tenant.sessionWith({ 'notes.md': NOTES, 'z-big.txt': BIG });
    const run = await tenant.startRun(sessionId);
    const decision = await tenant.decision(run.id);
    expect(decision.context[0]).toBe('z-big.txt: not carried: 1 of 1 line(s), 1048577 of 1048577 bytes');
    await tenant.post(`/api/decisions/${decision.id}/answer`, { action: 'accept' });
    const { progress } = await tenant.completed(run.id);
    expect(progress.details['coverage']).toBeCloseTo(7 / 8);
    expect(progress.details['coverage_report']).toMatchObject({
      bytes: { total: BIG.length + NOTES.length, missing: BIG.length },
      files: [{ name: 'z-big.txt' }],
    });
    const [acceptance] = progress.details['acceptances'] as { by: string; at: string }[];
    expect(acceptance).toMatchObject({ decision_id: decision.id, issue_count: 1 });

    const shown = JSON.stringify(readDocx(await tenant.docx(sessionId)).blocks);
    expect(shown).toContain('Sources and coverage');
    expect(shown).toMatch(
      new RegExp(`Accepted below 100 % by .+ \\(${acceptance!.by}\\) on ${acceptance!.at}`),
    );
    expect(shown).toContain('z-big.txt line 1');

    const summary = await cli('follow', run.id, '-o', 'out.docx', '--md', 'out.md');
    expect(summary).toContain('87.5 % of the source lines and 0.0 % of their bytes accounted for');
    expect(summary).toContain(
      'carried nothing of z-big.txt: 1 of 1 line(s), 1048577 of 1048577 bytes missing',
    );
    expect(summary).toContain(`accepted by ${acceptance!.by} on ${acceptance!.at}`);
    expect(await readFile(join(dir, 'out.md'), 'utf8')).toMatch(
      /^# Notes[^]*\n# Sources and coverage\n[^]*\*\*Accepted below 100 %\*\*/,
    );
  });
});
