import type { WorkOrder } from '../prompts/work-order.js';
import { parseWorkOrder } from '#testing/read-work-order.js';
import { succeeded } from '#testing/default-tasks.js';
import { runDocument, type HarnessOptions, type HarnessRun } from '#testing/graph-harness.js';
import { callTools, say, scriptedModel, type ScriptedAnswer } from '#testing/scripted-model.js';
import { HumanMessage } from '@langchain/core/messages';

const NOTES = '# Notes\n\nThe first alarm came at 03:12.\nNobody restarted node 7.\n';
const LOG_LINES = Array.from(
  { length: 12 },
  (_, line) => `03:${10 + line} ERROR ${line} pool "main" saturated`,
);
const INPUTS = { 'notes.md': NOTES, 'app.log': `${LOG_LINES.join('\n')}\n` };

type Call = [string, Record<string, unknown>];
const read = (filename: string): Call => ['read_file', { filename }];
const append = (content: string): Call => ['append_to_markdown', { content }];
const finish: Call = ['create_checkpoint', { label: 'done' }];
const READ_BOTH = [read('notes.md'), read('app.log')];
const fence = (lines: string[]) => `# Log\n\n\`\`\`log\n${lines.join('\n')}\n\`\`\`\n`;
const GOOD = callTools(...READ_BOTH, append(NOTES), append(fence(LOG_LINES)), finish);

const runModel = (answers: ScriptedAnswer[], more: Partial<HarnessOptions> = {}): Promise<HarnessRun> =>
  runDocument({ inputs: INPUTS, model: scriptedModel(answers), settings: { maxAgentSteps: 20 }, ...more });

const workOrders = (run: HarnessRun): WorkOrder[] =>
  run.prompts.flatMap((messages) => {
    const last = messages.findLast((message) => message instanceof HumanMessage);
    const order = parseWorkOrder(last?.text ?? '');
    return order ? [order] : [];
  });
const issuesInEvents = (run: HarnessRun) =>
  run.events.filter(({ type }) => type === 'validation_ran').flatMap(({ data }) => data.issues);
const isNeverExported = (run: HarnessRun) => {
  expect(run.path).not.toContain('parse_to_json');
  expect(run.checkpoints.filter(({ validated }) => validated)).toEqual([]);
  expect(run.state).toMatchObject({ export_id: null, output_docx_path: null });
};

/** Writes unfaithful text, and after each issue only requests another validation. */
const unfaithful = (...content: string[]): ScriptedAnswer[] => [
  callTools(...READ_BOTH, ...content.map(append), finish),
  () => callTools(finish),
];

describe('an unfaithful model', () => {
  it.each<[string, string[], object]>([
    [
      'summarises the prose',
      ['# Notes\n\nThere was an alarm in the night.\n', fence(LOG_LINES)],
      { source_file: 'notes.md', source_line: 3 },
    ],
    [
      'summarises the log',
      [NOTES, '# Log\n\nTwelve errors say that the pool was saturated.\n'],
      { rule: 'SCR-missing', source_file: 'app.log', source_line: 1 },
    ],
    [
      'writes "..." for lines that it drops',
      [NOTES, fence([...LOG_LINES.slice(0, 3), '...', ...LOG_LINES.slice(9)])],
      { source_file: 'app.log', source_line: 4 },
    ],
    [
      'drops a line in the middle',
      [NOTES, fence(LOG_LINES.filter((_, line) => line !== 5))],
      { rule: 'SCR-missing', source_file: 'app.log', source_line: 6 },
    ],
    [
      'corrects a figure in the log',
      [NOTES, fence(LOG_LINES.with(4, LOG_LINES[4]!.replace('03:14', '03:41')))],
      { rule: 'SCR-verbatim', source_file: 'app.log', source_line: 5 },
    ],
    [
      'invents code',
      [NOTES, fence(LOG_LINES), '```ts\nexport const retry = (n: number) => n + 1;\n```\n'],
      { rule: 'SCR-added', message: expect.stringContaining('Remove what was invented') },
    ],
    [
      'invents a fact in prose',
      [`${NOTES}\nThe cause was a broken disk in rack 48.\n`, fence(LOG_LINES)],
      { rule: 'SCR-added', line_number: expect.any(Number) },
    ],
    [
      'adds a judgement without a figure',
      [`${NOTES}\nThe restart was approved by the carrier.\n`, fence(LOG_LINES)],
      { rule: 'SCR-added', message: expect.stringContaining('restart, was, approved, carrier') },
    ],
    [
      'repeats what it wrote',
      [NOTES, fence(LOG_LINES), fence(LOG_LINES)],
      { rule: 'SCR-added', message: expect.stringContaining('once more than the source has it') },
    ],
    [
      'skips a heading level',
      [NOTES, fence(LOG_LINES).replace('# Log', '# Log\n\n### Errors')],
      { rule: 'SCR-heading-level', line_number: expect.any(Number) },
    ],
    [
      'leaves a fence open',
      [NOTES, fence(LOG_LINES).replace(/```\n$/, '')],
      { message: expect.stringContaining('still open') },
    ],
  ])(
    'D23 X1 %s: the issue appears in work order and events, a person decides, nothing is exported',
    async (_, content, issue) => {
      const run = await runModel(unfaithful(...content));
      expect(
        workOrders(run)
          .slice(1)
          .map(({ validation }) => validation),
      ).toEqual(['failed', 'failed', 'failed']);
      for (const order of workOrders(run).slice(1))
        expect(order.issues).toContainEqual(expect.objectContaining(issue));
      expect(issuesInEvents(run)).toContainEqual(expect.objectContaining(issue));
      expect(run.path.at(-1)).toBe('fix_decision');
      expect(run.state).toMatchObject({ status: 'failed', error_type: 'validation_failed' });
      isNeverExported(run);
    },
  );

  it('X1 spoils the manuscript after a successful validation: it is validated again before the export', async () => {
    const run = await runModel([
      GOOD,
      callTools(['edit_markdown_line', { line_number: 9, new_content: 'nothing happened' }]),
      () => say('Done.'),
    ]);
    expect(run.path).not.toContain('parse_to_json');
    expect(workOrders(run).at(-1)?.issues).toContainEqual(
      expect.objectContaining({ rule: 'SCR-added', line_number: 9, error_detail: 'nothing happened' }),
    );
    expect(run.state).toMatchObject({ status: 'failed', error_type: 'validation_failed' });
  });

  it('X1 claims to be done after half of the files: the others are reported as missing, with file and line', async () => {
    const run = await runModel([
      callTools(read('notes.md'), append(NOTES), finish),
      () => say('All is written.'),
    ]);
    expect(run.checkpoints.filter(({ validated }) => validated)).toHaveLength(1);
    expect(workOrders(run).at(-1)?.issues).toContainEqual(
      expect.objectContaining({ rule: 'SCR-missing', source_file: 'app.log', source_line: 1 }),
    );
    expect(run.path).not.toContain('parse_to_json');
    expect(run.state).toMatchObject({ status: 'failed', error_type: 'validation_failed' });
  });

  it('D7 X1 jumps to the end of a large file instead of reading it: the omitted lines are reported as missing', async () => {
    const cursor = Buffer.byteLength(INPUTS['app.log']) - 1;
    const run = await runModel([
      callTools(read('notes.md'), ['read_file', { filename: 'app.log', cursor }], append(NOTES), finish),
      () => callTools(finish),
    ]);
    // The file is open until the model, without writing anything new, requests validation.
    expect(workOrders(run)[1]).toMatchObject({ validation: 'due', current_file: 'app.log' });
    expect(workOrders(run)[2]?.issues).toContainEqual(expect.objectContaining({ source_file: 'app.log' }));
    expect(run.path).not.toContain('parse_to_json');
    expect(run.state).toMatchObject({ status: 'failed', error_type: 'validation_failed' });
  });
});

describe('a model that never finishes', () => {
  const CAP = { settings: { maxAgentSteps: 6 } };

  it('D25 calls a harmless tool forever: the step limit ends the run', async () => {
    const run = await runModel([() => callTools(['list_files', {}])], CAP);
    expect(run.state).toMatchObject({
      status: 'failed',
      error_type: 'step_limit',
      last_error: 'The agent did not finish within 6 model calls. The manuscript so far is saved.',
    });
    expect(run.prompts).toHaveLength(6);
    isNeverExported(run);
  });

  it('D25 writes the same text forever without a checkpoint: the step limit ends the run, the manuscript is kept', async () => {
    const run = await runModel([() => callTools(append(NOTES))], CAP);
    expect(run.state).toMatchObject({ status: 'failed', error_type: 'step_limit' });
    expect(run.manuscript.split('# Notes')).toHaveLength(7);
    isNeverExported(run);
  });

  it('D23 writes the same text forever with a checkpoint each time: the repetition is an issue, a person decides', async () => {
    const run = await runModel([() => callTools(...READ_BOTH, append(fence(LOG_LINES)), finish)]);
    expect(run.state).toMatchObject({ status: 'failed', error_type: 'validation_failed' });
    expect(issuesInEvents(run)).toContainEqual(expect.objectContaining({ rule: 'SCR-added' }));
    expect(run.checkpoints.filter(({ validated }) => validated)).toHaveLength(1);
    expect(run.path).not.toContain('parse_to_json');
  });

  it('D25 is asked to try again forever: the step limit ends the run', async () => {
    const run = await runModel(unfaithful('# Notes\n'), {
      ...CAP,
      answers: { human_input: () => succeeded<'human_input'>({ action: 'retry' }) },
    });
    expect(run.state).toMatchObject({ status: 'failed', error_type: 'step_limit', agent_steps: 6 });
    isNeverExported(run);
  });

  it('D18 asks forever: questions are no progress, so a person decides about the model', async () => {
    const run = await runModel([() => callTools(['request_human_input', { question: 'Are you sure?' }])], {
      settings: { maxAgentSteps: 40 },
    });
    expect(run.prompts).toHaveLength(8);
    expect(run.state).toMatchObject({ status: 'failed', error_type: 'no_progress', questions_asked: 8 });
    isNeverExported(run);
  });

  it.each(['stop', 'retry'] as const)(
    'D16 immediately claims to be done, a person answers %s: nothing is exported without a manuscript',
    async (action) => {
      const run = await runModel([() => say('Done.')], {
        answers: { human_input: () => succeeded<'human_input'>({ action }) },
      });
      const { input } = run.tasks.find(({ request }) => request.task === 'human_input')!.request;
      expect(input).toMatchObject({ question: expect.stringContaining('The last one says: Done.') });
      const error = { stop: 'no_tool_calls', retry: 'step_limit' }[action];
      expect(run.state).toMatchObject({ status: 'failed', error_type: error });
      isNeverExported(run);
    },
  );
});
