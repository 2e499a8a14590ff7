import type { NewRunEvent } from '#contracts/events.js';
import { parseWorkOrder, type WorkOrder } from '#contracts/work-order.js';
import { OfflineScribe } from '#llm/offline-scribe/offline-scribe.js';
import { failedTask, succeeded } from '#testing/default-tasks.js';
import { runDocument, type HarnessRun } from '#testing/graph-harness.js';
import { MemoryCheckpoints, memoryManuscripts } from '#testing/memory-ports.js';
import { callMalformed, callTools, say, scriptedModel } from '#testing/scripted-model.js';
import { AIMessage, HumanMessage, ToolMessage, type BaseMessage } from '@langchain/core/messages';
import { errorHandler } from './nodes/conversion.js';
import type { DocumentPorts, ModelPort } from './ports.js';
import { nextNode } from './routing.js';
import { buildInitialState, type DocumentState } from './state.js';

const INPUTS = {
  'notes.md': '# Notes\n\nThe first alarm came at 03:12.\n',
  'app.log': 'ERROR 1 down\nERROR 2 still down\n',
};
const CHAPTERS = [
  '# Notes\n\nThe first alarm came at 03:12.\n',
  '# Log\n\n```log\nERROR 1 down\nERROR 2 still down\n```\n',
];

const read = (filename: string): [string, Record<string, unknown>] => ['read_file', { filename }];
const append = (content: string): [string, Record<string, unknown>] => ['append_to_markdown', { content }];
const finish: [string, Record<string, unknown>] = ['create_checkpoint', { label: 'written' }];

const WRITE_FIRST = callTools(read('notes.md'), append(CHAPTERS[0]!), finish);
const WRITE_SECOND = callTools(read('app.log'), append(CHAPTERS[1]!), finish);

const scribe = (): ModelPort['call'] => {
  const model = new OfflineScribe();
  return async ({ messages }) => model.invoke(messages);
};

const ordersIn = (messages: BaseMessage[]): WorkOrder[] =>
  messages.flatMap((message) => {
    const order = message instanceof HumanMessage ? parseWorkOrder(message.text) : null;
    return order ? [order] : [];
  });
const lastOrder = (run: HarnessRun, call: number): WorkOrder | undefined =>
  ordersIn(run.prompts[call] ?? []).at(-1);
const typesOf = (run: HarnessRun) => run.events.map(({ type }) => type);

const GOOD_PATH = [
  ...[
    'scan_assets',
    'agent',
    'tools',
    'validate_md',
    'checkpoint',
    'agent',
    'tools',
    'validate_md',
    'checkpoint',
  ],
  ...['agent', 'parse_to_json', 'convert', 'quality_check'],
];

describe('the document graph', () => {
  it('D4 D24 D30 writes chapter by chapter: validate, checkpoint, and at the end structure, DOCX, quality check', async () => {
    const run = await runDocument({
      inputs: INPUTS,
      model: scriptedModel([WRITE_FIRST, WRITE_SECOND, say('All is written.')]),
    });
    expect(run.path).toEqual(GOOD_PATH);
    expect(run.manuscript).toBe(CHAPTERS.join('\n'));
    expect(run.state).toMatchObject({
      status: 'completed',
      coverage: 1,
      fix_attempts: 0,
      conversion_attempts: 0,
      current_file_index: 2,
      last_error: null,
      export_id: 'exp_1',
    });
    expect(run.repeatedEffects).toEqual([]);
  });

  it('D30 writes exactly one {timestamp}_chapter_{n}.md after each pass, and last_checkpoint_id names the last', async () => {
    const run = await runDocument({
      inputs: INPUTS,
      model: scriptedModel([WRITE_FIRST, WRITE_SECOND, say('All is written.')]),
    });
    const validated = run.checkpoints.filter((checkpoint) => checkpoint.validated);
    expect(validated.map(({ label }) => label)).toEqual(['chapter_1', 'chapter_2']);
    expect(validated.map(({ id }) => id)).toEqual([
      expect.stringMatching(/^\d{8}_\d{6}_chapter_1\.md$/),
      expect.stringMatching(/^\d{8}_\d{6}_chapter_2\.md$/),
    ]);
    expect(run.state.last_checkpoint_id).toBe(validated.at(-1)?.id);
    expect(run.prompts).toHaveLength(3);
  });

  it('D22 a checkpoint of the tool is no rollback target until it is validated', async () => {
    const run = await runDocument({
      inputs: INPUTS,
      model: scriptedModel([
        callTools(read('notes.md'), append('# Not from a source\n\nInvented 17.\n'), finish),
        callTools(['list_files', {}]),
        say('done'),
      ]),
      settings: { maxAgentSteps: 2 },
    });
    expect(run.checkpoints.map(({ validated }) => validated)).toEqual([false]);
    expect(run.state.last_checkpoint_id).toBeNull();
    expect(run.state.chapter_checkpoint_pending).toBe(false);
  });

  it('D4 ends with the error of a scan that failed', async () => {
    const run = await runDocument({
      inputs: INPUTS,
      model: scriptedModel([say('never')]),
      answers: { scan_assets: () => failedTask('timeout', 'The scan took too long') },
    });
    expect(run.path).toEqual(['scan_assets']);
    expect(run.state).toMatchObject({
      status: 'failed',
      error_type: 'timeout',
      last_error: 'The scan took too long',
    });
  });
});

describe('human input', () => {
  const inputs = { 'notes.md': '# Notes\n\n![a](a.png)\n\n![b](b.png)\n' };

  it('D18 D20 asks once for every missing reference, and goes on with the answers', async () => {
    const run = await runDocument({
      inputs,
      model: scribe(),
      answers: {
        human_input: () =>
          succeeded<'human_input'>({ user_decisions: { 'a.png': 'skip', 'b.png': 'other.png' } }),
      },
    });
    const asked = run.tasks.filter(({ request }) => request.task === 'human_input');
    expect(asked).toHaveLength(1);
    expect(asked[0]?.request.input).toMatchObject({
      decision_type: 'missing_references',
      question: expect.stringContaining('Upload the file or skip it?'),
      references: [{ ref: 'a.png' }, { ref: 'b.png' }],
      default_answer: { user_decisions: { 'a.png': 'skip', 'b.png': 'skip' } },
    });
    expect(run.path.slice(0, 3)).toEqual(['scan_assets', 'human_input', 'agent']);
    expect(run.state).toMatchObject({
      status: 'completed',
      pending_question: null,
      user_decisions: { 'a.png': 'skip', 'b.png': 'other.png' },
    });
    expect(lastOrder(run, 0)?.decisions).toEqual({ 'a.png': 'skip', 'b.png': 'other.png' });
  });

  it('D18 D20 skips what nobody answered for, and the agent hears of it', async () => {
    const run = await runDocument({
      inputs,
      model: scribe(),
      answers: { human_input: () => failedTask('gone', 'The task was removed') },
    });
    expect(run.state).toMatchObject({
      status: 'completed',
      user_decisions: { 'a.png': 'skip', 'b.png': 'skip' },
    });
  });

  it('D18 the agent asks the same way, and gets the answer with a new work order', async () => {
    const run = await runDocument({
      inputs: INPUTS,
      model: scriptedModel([
        callTools(['request_human_input', { question: 'Which time zone?' }]),
        callTools(['request_human_input', { question: 'And this file?', refs: ['x.csv'] }]),
        WRITE_FIRST,
        WRITE_SECOND,
        say('done'),
      ]),
    });
    const asked = run.tasks.filter(({ request }) => request.task === 'human_input');
    expect(asked.map(({ request }) => request.input)).toMatchObject([
      { decision_type: 'question', question: 'Which time zone?' },
      { decision_type: 'missing_references', references: [{ ref: 'x.csv' }] },
    ]);
    const texts = run.prompts[1]?.map(({ text }) => text) ?? [];
    expect(texts.at(-2)).toBe('A person answers your question: Go on with what the sources say.');
    expect(texts.at(-1)).toMatch(/^WORK ORDER/);
    expect(lastOrder(run, 2)?.decisions).toEqual({ 'x.csv': 'skip' });
    expect(run.state).toMatchObject({ status: 'completed', questions_asked: 2 });
  });

  it('D21 a question goes before a checkpoint of the same message, which is validated afterwards', async () => {
    const run = await runDocument({
      inputs: { 'notes.md': INPUTS['notes.md'] },
      model: scriptedModel([
        callTools(read('notes.md'), append(CHAPTERS[0]!), finish, [
          'request_human_input',
          { question: 'Fine?' },
        ]),
        callTools(['list_files', {}]),
        say('done'),
      ]),
    });
    const path = [
      'scan_assets',
      'agent',
      'tools',
      'human_input',
      'agent',
      'tools',
      'validate_md',
      'checkpoint',
    ];
    expect(run.path.slice(0, 8)).toEqual(path);
    expect(run.state.status).toBe('completed');
  });
});

describe('the agent', () => {
  it('D16 makes ONE model call per visit', async () => {
    const run = await runDocument({ inputs: INPUTS, model: scribe() });
    expect(run.prompts).toHaveLength(run.path.filter((node) => node === 'agent').length);
    expect(run.state.agent_steps).toBe(run.prompts.length);
  });

  it('D16 the work order after a failed validation carries each issue with its line number and its source', async () => {
    const run = await runDocument({
      inputs: INPUTS,
      model: scriptedModel([
        callTools(read('app.log'), append('# Log\n\n### Deep\n\n```log\nERROR 1 dawn\n```\n'), finish),
        say('done'),
      ]),
      settings: { maxAgentSteps: 2 },
    });
    const order = lastOrder(run, 1);
    expect(order).toMatchObject({ validation: 'failed', fix_attempts: 1, current_file: 'notes.md' });
    expect(order?.issues.map(({ rule, line_number }) => [rule, line_number])).toEqual(
      expect.arrayContaining([['SCR-heading-level', 3]]),
    );
    expect(order?.issues).toContainEqual(
      expect.objectContaining({
        rule: 'SCR-verbatim',
        line_number: 6,
        source_file: 'app.log',
        source_line: 1,
      }),
    );
    expect(order?.issues).toContainEqual(
      expect.objectContaining({ rule: 'SCR-missing', source_file: 'app.log', source_line: 2 }),
    );
  });

  it('D17 keeps the work order while older messages go, also after a correction', async () => {
    const look = () => callTools(['list_files', {}]);
    const run = await runDocument({
      inputs: INPUTS,
      model: scriptedModel([
        look(),
        callMalformed('read_file'),
        look(),
        look(),
        look(),
        look(),
        look(),
        look(),
      ]),
      settings: { maxAgentSteps: 8 },
    });
    for (const messages of run.prompts) expect(ordersIn(messages)).toHaveLength(1);
    const last = run.prompts.at(-1) ?? [];
    expect(last.filter((message) => message instanceof AIMessage).length).toBeLessThanOrEqual(3);
    // A tool result without the call that it answers is refused by servers.
    const called = last.flatMap((message) =>
      message instanceof AIMessage ? (message.tool_calls ?? []) : [],
    );
    for (const message of last.filter((other) => other instanceof ToolMessage))
      expect(called.map(({ id }) => id)).toContain(message.tool_call_id);
  });

  it('D17 drops the messages of a finished chapter', async () => {
    const run = await runDocument({
      inputs: INPUTS,
      model: scriptedModel([WRITE_FIRST, WRITE_SECOND, say('done')]),
    });
    for (const call of [1, 2])
      expect(run.prompts[call]?.map(({ type }) => type)).toEqual(['system', 'human']);
    expect(lastOrder(run, 1)).toMatchObject({ chapter: 2, current_file: 'app.log', validation: 'none' });
  });

  it('D16 an answer whose calls can be read only in part is run, and corrected', async () => {
    const half = callTools(['list_files', {}]);
    const mixed = new AIMessage({
      content: '',
      tool_calls: half.tool_calls,
      invalid_tool_calls: callMalformed('append_to_markdown').invalid_tool_calls,
    });
    const run = await runDocument({
      inputs: INPUTS,
      model: scriptedModel([mixed, say('done')]),
      settings: { maxAgentSteps: 2 },
    });
    const [result, correction] = run.prompts[1]?.slice(-2) ?? [];
    expect(result).toBeInstanceOf(ToolMessage);
    expect(correction?.text).toMatch(
      /^Your tool call could not be read \(append_to_markdown: .*Send it again/,
    );
    expect(run.state.malformed_calls).toBe(0);
  });

  it('D25 the step cap ends a run that loops, with a clear error and the manuscript kept', async () => {
    const run = await runDocument({
      inputs: INPUTS,
      model: scriptedModel([callTools(append(CHAPTERS[0]!)), callTools(['list_files', {}])]),
      settings: { maxAgentSteps: 5 },
    });
    expect(run.state).toMatchObject({ status: 'failed', error_type: 'step_limit', agent_steps: 5 });
    expect(run.state.last_error).toBe(
      'The agent did not finish within 5 model calls. The manuscript so far is kept.',
    );
    expect(run.manuscript).toBe(CHAPTERS[0]);
    expect(run.prompts).toHaveLength(5);
  });
});

describe('fixing a chapter', () => {
  const BAD = append('# Log\n\n```log\nERROR 1 dawn\n```\n');
  const again = () => callTools(finish);
  const bad = callTools(read('app.log'), BAD, finish);

  async function untilDecision(action: 'accept' | 'retry' | 'abort', then: AIMessage[] = [say('done')]) {
    return runDocument({
      inputs: { 'app.log': INPUTS['app.log'] },
      model: scriptedModel([bad, again(), again(), again(), ...then]),
      answers: { human_input: () => succeeded<'human_input'>({ action }) },
      settings: { maxAgentSteps: 12 },
    });
  }

  const TRIES = ['agent', 'tools', 'validate_md'];
  const UP_TO_DECISION = ['scan_assets', ...TRIES, ...TRIES, ...TRIES, ...TRIES, 'fix_decision'];

  it('D23 after three attempts a person decides, with the issues before them; abort is the default and keeps the manuscript', async () => {
    const run = await untilDecision('abort');
    expect(run.path).toEqual(UP_TO_DECISION);
    const orders = [1, 2, 3].map((call) => lastOrder(run, call)?.fix_attempts);
    expect(orders).toEqual([1, 2, 3]);
    const { request } = run.tasks.at(-1)!;
    expect(request.input).toMatchObject({
      decision_type: 'fix_exhausted',
      default_answer: { action: 'abort' },
    });
    expect(JSON.stringify(request.input)).toContain(
      'SCR-verbatim Line 4 of the manuscript differs from app.log line 1',
    );
    expect(run.state).toMatchObject({ status: 'failed', error_type: 'validation_failed', fix_attempts: 3 });
    expect(run.manuscript).toContain('ERROR 1 dawn');
    expect(run.checkpoints.some(({ validated }) => validated)).toBe(false);
  });

  it('D23 accept: the chapter is checkpointed, its issues do not come again, the export carries the figure', async () => {
    const run = await untilDecision('accept');
    expect(run.path.slice(0, 15)).toEqual([...UP_TO_DECISION, 'checkpoint']);
    expect(run.state).toMatchObject({ status: 'completed', coverage: 0, fix_attempts: 0 });
    expect(run.state.accepted_issues.length).toBeGreaterThan(0);
    const convert = run.tasks.find(({ request }) => request.task === 'convert');
    expect(convert?.request.input).toMatchObject({ coverage: 0 });
  });

  it('D23 retry: three more attempts with the same issues at hand', async () => {
    const run = await untilDecision('retry', [
      callTools(
        ['edit_markdown_line', { line_number: 4, new_content: 'ERROR 1 down\nERROR 2 still down' }],
        finish,
      ),
      say('done'),
    ]);
    expect(lastOrder(run, 4)).toMatchObject({ validation: 'failed', fix_attempts: 0 });
    expect(lastOrder(run, 4)?.issues.length).toBeGreaterThan(0);
    expect(run.state).toMatchObject({ status: 'completed', coverage: 1, fix_attempts: 0 });
  });

  it('D23 a pass resets the counter, so that the next chapter has three attempts again', async () => {
    const mended = [
      'edit_markdown_line',
      { line_number: 4, new_content: 'ERROR 1 down\nERROR 2 still down' },
    ] as const;
    const run = await runDocument({
      inputs: { 'app.log': INPUTS['app.log'], 'z.log': 'z\n' },
      model: scriptedModel([
        bad,
        again(),
        callTools([...mended], finish),
        callTools(read('z.log'), append('# Z\n\n```log\ny\n```\n'), finish),
        callTools(finish),
        callTools(finish),
        callTools(finish),
      ]),
    });
    const attempts = run.prompts.map((_, call) => lastOrder(run, call)?.fix_attempts);
    expect(attempts).toEqual([0, 1, 2, 0, 1, 2, 3]);
    expect(run.state).toMatchObject({ status: 'failed', error_type: 'validation_failed' });
    expect(run.checkpoints.filter(({ validated }) => validated).map(({ label }) => label)).toEqual([
      'chapter_1',
    ]);
  });

  it('D28 a validation that cannot run is a failed one with one synthetic issue', async () => {
    const run = await runDocument({
      inputs: INPUTS,
      model: scriptedModel([WRITE_FIRST, say('done')]),
      answers: { validate_md: () => failedTask('crashed', 'The validator crashed') },
    });
    expect(lastOrder(run, 1)?.issues).toMatchObject([{ rule: 'SCR000', message: 'The validator crashed' }]);
    expect(run.path.at(-1)).toBe('fix_decision');
  });

  it('D29 every validation is logged with verdict and number of issues', async () => {
    const run = await untilDecision('abort');
    const logged = run.events.filter(({ type }) => type === 'validation_ran');
    expect(logged.map(({ data }) => data.passed)).toEqual([false, false, false, false]);
    expect(logged[0]?.data).toMatchObject({ issue_count: run.state.validation_issues.length });
  });

  it('X1 after a failed validation a rollback to the validated text is validated again, so that the figure is its own', async () => {
    const checkpointId = '20260102_030405_chapter_1.md';
    const run = await runDocument({
      inputs: { 'app.log': INPUTS['app.log'] },
      model: scriptedModel([
        callTools(read('app.log'), append(CHAPTERS[1]!), finish),
        callTools(append('Invented 17 times.\n\n```log\nERROR 1 down\n```\n'), finish),
        callTools(['rollback_to_checkpoint', { checkpoint_id: checkpointId }]),
        say('done'),
      ]),
    });
    const verdicts = run.events
      .filter(({ type }) => type === 'validation_ran')
      .map(({ data }) => data.passed);
    expect(verdicts).toEqual([true, false, true]);
    const convert = run.tasks.find(({ request }) => request.task === 'convert');
    expect(convert?.request.input).toMatchObject({
      coverage: 1,
      ledger_path: `ledger/${run.state.temp_md_path}`,
    });
    expect(run.manuscript).toBe(CHAPTERS[1]);
  });
});

describe('recovery of a conversion', () => {
  const model = () => scriptedModel([WRITE_FIRST, WRITE_SECOND, say('done')]);

  it('D32 D33 restores the last checkpoint and goes back to the agent with the error', async () => {
    const run = await runDocument({
      inputs: INPUTS,
      model: model(),
      answers: {
        convert: (_, attempt) =>
          attempt === 1
            ? failedTask('conversion_failed', 'A table is too wide')
            : succeeded<'convert'>({ output_docx_path: 'x.docx', export_id: 'exp_2', bytes: 1 }),
      },
    });
    const handled = run.path.slice(run.path.indexOf('error_handler') - 2);
    expect(handled.slice(0, 4)).toEqual(['parse_to_json', 'convert', 'error_handler', 'agent']);
    const order = lastOrder(run, 3);
    expect(order?.error).toEqual({ type: 'conversion_failed', message: 'A table is too wide' });
    expect(order?.conversion_attempts).toBe(1);
    const validated = run.checkpoints.filter((checkpoint) => checkpoint.validated);
    expect(run.events.find(({ type }) => type === 'rollback_performed')?.data).toEqual({
      checkpoint_id: validated[1]?.id,
    });
    expect(run.manuscript).toBe(CHAPTERS.join('\n'));
  });

  it('D34 last_error and error_type stay for audit after the recovery', async () => {
    const run = await runDocument({
      inputs: INPUTS,
      model: model(),
      answers: {
        quality_check: (_, attempt) =>
          succeeded<'quality_check'>({
            passed: attempt > 1,
            issues: [{ rule: 'code', message: 'A code line differs', source_line: 7 }],
          }),
      },
    });
    expect(run.state).toMatchObject({
      status: 'completed',
      conversion_attempts: 1,
      retry_count: 1,
      error_type: 'quality_check_failed',
      last_error: 'The Word file differs from the manuscript: line 7: A code line differs',
      export_id: 'exp_2',
    });
  });

  it('D33 the agent can look and mend before the next conversion, and what it mended is validated', async () => {
    const run = await runDocument({
      inputs: INPUTS,
      model: scriptedModel([
        WRITE_FIRST,
        WRITE_SECOND,
        say('done'),
        callTools(['read_generated_file', { lines: 20 }]),
        callTools(['edit_markdown_line', { line_number: 5, new_content: '# The log' }], finish),
        say('done'),
      ]),
      answers: {
        parse_to_json: ({ manuscript }, attempt) =>
          attempt === 1
            ? failedTask('parse_failed', 'broken')
            : succeeded<'parse_to_json'>({ structure_json_path: `s/${manuscript}` }),
      },
    });
    expect(run.manuscript).toContain('# The log');
    expect(run.state).toMatchObject({ status: 'completed', conversion_attempts: 1, coverage: 1 });
    const after = run.path.slice(run.path.indexOf('error_handler'));
    expect(after.slice(0, 7)).toEqual([
      'error_handler',
      ...['agent', 'tools', 'agent', 'tools', 'validate_md', 'checkpoint'],
    ]);
  });

  it('D33 three failed attempts end the run with the last error, and no export is left as its result', async () => {
    const run = await runDocument({
      inputs: INPUTS,
      model: model(),
      answers: {
        quality_check: () =>
          succeeded<'quality_check'>({
            passed: false,
            issues: [{ rule: 'code', message: 'lost', source_line: null }],
          }),
      },
    });
    expect(run.state).toMatchObject({
      status: 'failed',
      conversion_attempts: 3,
      error_type: 'quality_check_failed',
      output_docx_path: null,
      export_id: null,
    });
    expect(run.path.filter((node) => node === 'error_handler')).toHaveLength(3);
    expect(typesOf(run).filter((type) => type === 'rollback_performed')).toHaveLength(2);
  });

  it('D34 without a checkpoint to restore the rollback is skipped, with the reason, and the agent still gets the error', async () => {
    const run = await runDocument({
      inputs: INPUTS,
      model: model(),
      forgetsCheckpoints: true,
      answers: {
        convert: (_, attempt) =>
          attempt === 1
            ? failedTask('conversion_failed', 'broken')
            : succeeded<'convert'>({ output_docx_path: 'x.docx', export_id: 'exp_2', bytes: 1 }),
      },
    });
    const skipped = run.events.filter(({ type }) => type === 'rollback_skipped');
    expect(skipped.map(({ data }) => data.reason)).toEqual(['checkpoint not found']);
    expect(typesOf(run)).not.toContain('rollback_performed');
    expect(lastOrder(run, 3)?.error?.message).toBe('broken');
    expect(run.state.status).toBe('completed');
  });

  it('D34 without any checkpoint the reason says so, and the run still goes to the agent', async () => {
    const events: NewRunEvent[] = [];
    const ports = {
      checkpoints: new MemoryCheckpoints(),
      manuscripts: memoryManuscripts('ses_1').port,
      emit: (event: NewRunEvent) => void events.push(event),
    } as unknown as DocumentPorts;
    const state = buildInitialState('ses_1', ['a.md'], ['a.md']);
    const update = await errorHandler(ports)(state, {
      metadata: { langgraph_checkpoint_ns: 'error_handler:1' },
    });
    expect(events).toMatchObject([
      { type: 'rollback_skipped', data: { checkpoint_id: null, reason: 'no checkpoint yet' } },
    ]);
    expect(nextNode('error_handler', { ...state, ...(update as Partial<DocumentState>) })).toBe('agent');
    expect(update).toMatchObject({ work_order_due: true, conversion_attempts: 1, retry_count: 1 });
  });
});
