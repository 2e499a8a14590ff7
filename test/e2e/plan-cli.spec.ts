import { cliEnv, runCli } from '#testing/cli.js';
import { sharedStack } from '#testing/shared-stack.js';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FILES, readAndParse } from './plan-bodies.js';

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- plans, read at many depths
type Answer = any;

/** P12: plans from a terminal, each command in a separate process. */
describe('scriptorium plan', () => {
  let folder: string;
  let env: NodeJS.ProcessEnv;

  beforeAll(async () => {
    const stack = await sharedStack();
    env = cliEnv(await stack.tenant());
    folder = await mkdtemp(join(tmpdir(), 'scriptorium-plan-'));
    await writeFile(join(folder, 'people.csv'), FILES['people.csv']);
    await writeFile(join(folder, 'dag.json'), JSON.stringify(readAndParse));
  });
  afterAll(() => rm(folder, { recursive: true }));

  const plan = (...args: string[]) => runCli(['plan', ...args], { cwd: folder, env });
  const json = async (...args: string[]): Promise<Answer> => {
    const { code, stdout, stderr } = await plan(...args, '--json');
    expect([code, code === 0 ? '' : stderr]).toEqual([0, '']);
    return JSON.parse(stdout);
  };

  it('P12 run follows a plan to its end and reports each task', async () => {
    const { code, stdout, stderr } = await plan('run', '--dag', 'dag.json', '--files', 'people.csv');
    expect([code, stderr]).toEqual([0, expect.stringContaining('parse (parse_csv): done')]);
    expect(stdout).toMatch(/completed[\s\S]*completed +list \(list_inputs\)/);
  });

  it('P2 run stops at a question, show displays it, approve answers it and continues', async () => {
    const asked = await json('run', '--dag', 'dag.json', '--files', 'people.csv', '--approve', 'always');
    expect(asked).toMatchObject({ status: 'approval_required', approval_required: { decision_type: 'hil' } });
    const shown = await plan('show', asked.id);
    expect(shown.stdout).toContain(`scriptorium plan approve ${asked.id}`);
    const next = await json('approve', asked.id);
    expect(next.approval_required.context.next_layer).toMatchObject([{ task_id: 'read' }]);
    const ended = await json('approve', asked.id, '--reject', '--feedback', 'not these');
    expect(ended).toMatchObject({ status: 'rejected', error: { code: 'plan_rejected' } });
    const late = await plan('approve', asked.id);
    expect([late.code, late.stderr]).toEqual([1, expect.stringContaining('has no open question')]);
  });

  it('P1 approve --replan and --continue decide instead of the agent', async () => {
    const asked = await json(
      'run',
      '--template',
      'list_files',
      '--files',
      'people.csv',
      '--ail',
      'per_layer',
    );
    expect(asked.approval_required.decision_type).toBe('ail');
    const anew = await json('approve', asked.id, '--replan', 'parse csv');
    expect(anew.tasks.map(({ tool }: Answer) => tool)).toContain('parse_csv');
    expect((await json('approve', asked.id, '--continue')).status).toMatch(/approval_required|completed/);
  });

  it('X21 templates are listed, and run with --set', async () => {
    expect((await plan('templates')).stdout).toMatch(
      /^total_by_group +Total a column by group\n +--set file=….*\n[^]*function=sum\|average\|count\|min\|max .*\(sum\)$/m,
    );
    const values = ['file=people.csv', 'column=age', 'group_by=name'].flatMap((each) => ['--set', each]);
    const ended = await json('run', '--template', 'total_by_group', ...values, '--files', 'people.csv');
    expect(ended).toMatchObject({ status: 'completed', files: [{ name: 'totals.csv' }] });
  });

  it('P12 a completed plan is saved, runs over other files, and moves as a file', async () => {
    const dag = { tasks: [{ id: 'read', tool: 'read_input', arguments: { name: 'people.csv' } }] };
    await writeFile(join(folder, 'read.json'), JSON.stringify(dag));
    await writeFile(join(folder, 'others.csv'), 'name\nEve\n');
    const first = await json('run', '--dag', 'read.json', '--files', 'people.csv');
    expect((await plan('save', first.id, 'Read', '--description', 'Reads a file.')).stdout).toBe(
      'Read  1\n  --set file=…  (file)\n',
    );
    expect((await plan('saved')).stdout).toBe('Read  1  Reads a file.\n');
    const other = ['--set', 'file=others.csv', '--files', 'others.csv'];
    expect(await json('run', '--saved', 'Read', ...other)).toMatchObject({
      status: 'completed',
      tasks: [{ arguments: { name: 'others.csv' } }],
    });
    expect(await json('again', first.id)).toMatchObject({ session_id: first.session_id });
    expect(await json('again', first.id, ...other)).toMatchObject({
      status: 'completed',
      tasks: [{ arguments: { name: 'others.csv' } }],
    });
    await writeFile(join(folder, 'saved.json'), (await plan('export', 'Read')).stdout);
    expect((await plan('import', 'saved.json')).stderr).toContain('"Read"');
    expect((await plan('forget', 'Read')).stdout).toBe('');
    expect((await plan('import', 'saved.json')).stdout).toContain('--set file=…');
    const unknown = await plan('run', '--saved', 'Unknown');
    expect([unknown.code, unknown.stderr]).toEqual([1, expect.stringContaining('"Unknown"')]);
  });

  it('P12 tools lists the tools, best matches first', async () => {
    const { items } = await json('tools', 'parse xml');
    expect(items[0].name).toBe('parse_xml');
    expect((await plan('tools')).stdout).toContain('query_tables');
  });

  it('reports invalid calls', async () => {
    for (const [args, why] of [
      [['run'], 'one of an intent, a plan'],
      [['run', 'x', '--dag', 'dag.json'], 'one of an intent, a plan'],
      [['run', 'list the files'], 'No model is configured'],
      [['run', '--dag', 'dag.json', '--set', 'file=x'], '--set gives values to a template'],
      [['run', '--template', 'x', '--set', '=x'], 'Write NAME=VALUE'],
      [['run', '--template', 'extract_text'], 'parameters.file'],
      [['run', '--dag', 'people.csv'], 'not a JSON object'],
      [['run', '--dag', 'none.json'], 'cannot be read'],
      [['show', 'run_0'], 'Plan not found'],
    ] as const) {
      const { code, stderr } = await plan(...args);
      expect([code, stderr]).toEqual([1, expect.stringContaining(why)]);
    }
  });
});
