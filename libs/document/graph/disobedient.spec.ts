import { runDocument, type HarnessOptions, type HarnessRun } from '#testing/graph-harness.js';
import {
  callMalformed,
  callTools,
  say,
  scriptedModel,
  type ScriptedAnswer,
} from '#testing/scripted-model.js';
import { AIMessage, HumanMessage, ToolMessage } from '@langchain/core/messages';

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
  runDocument({ inputs: INPUTS, model: scriptedModel(answers), settings: { maxAgentSteps: 10 }, ...more });

const toolErrors = (run: HarnessRun): string[] =>
  run.prompts
    .flatMap((messages) =>
      messages.filter((message) => message instanceof ToolMessage && message.status === 'error'),
    )
    .map(({ text }) => text);

const isNeverExported = (run: HarnessRun) => {
  expect(run.path).not.toContain('parse_to_json');
  expect(run.checkpoints.filter(({ validated }) => validated)).toEqual([]);
  expect(run.state).toMatchObject({ export_id: null, output_docx_path: null });
};

describe('a disobedient model', () => {
  it('is told why a file was not placed before the chapter is complete', async () => {
    const place = (as: string): Call => ['place_source', { filename: 'app.log', as, heading: '# Log' }];
    const run = await runModel([
      callTools(['place_source', { filename: 'notes.md', as: 'prose' }], place('prose'), finish),
      callTools(place('fence'), finish),
      say('done'),
    ]);
    expect(toolErrors(run)[0]).toContain('place it as "fence"');
    expect(toolErrors(run)[1]).toContain('a call before this one failed');
    expect(run.state).toMatchObject({ status: 'completed', coverage: 1, fix_attempts: 0 });
  });

  it('D13 tries to access other sessions: each attempt is refused with an error, and reads and writes stay in its own session', async () => {
    const run = await runModel([
      callTools(
        read('../ses_2/inputs/secret.md'),
        read('tenants/ten_2/sessions/ses_2/inputs/secret.md'),
        ['rollback_to_checkpoint', { checkpoint_id: '../../ses_2/checkpoints/20260102_030405_a.md' }],
        append(NOTES),
        ['create_checkpoint', { label: '../../../ses_2/checkpoints/evil' }],
      ),
      (messages) => {
        expect(messages.at(-1)).toBeInstanceOf(HumanMessage);
        return callTools(...READ_BOTH, append(fence(LOG_LINES)), finish);
      },
      say('done'),
    ]);
    expect(run.checkpoints[0]?.id).toBe('20260102_030405_ses_2_checkpoints_evil.md');
    expect(run.state).toMatchObject({ status: 'completed', coverage: 1 });
    expect(run.state.temp_md_path).toMatch(/^tenants\/ten_test\/sessions\/ses_test\/manuscript\//);
  });

  it('D13 is told why: one message names the argument and the rule', async () => {
    const run = await runModel([callTools(read('../ses_2/inputs/secret.md')), GOOD, say('done')]);
    expect(toolErrors(run)[0]).toMatch(/must be a name as list_files gives it[\s\S]*filename/);
    expect(run.state.status).toBe('completed');
  });

  it('D16 sends three malformed tool calls in a row: each gets a correction, then a person is asked', async () => {
    const run = await runModel([() => callMalformed('append_to_markdown')]);
    expect(run.prompts).toHaveLength(3);
    const corrections = run.prompts[2]?.filter(({ text }) =>
      text.startsWith('Your tool call could not be read'),
    );
    expect(corrections).toHaveLength(2);
    expect(corrections?.[0]?.text).toMatch(
      /append_to_markdown: .*not valid JSON.*Send it again as valid JSON/,
    );
    expect(run.state).toMatchObject({
      status: 'failed',
      error_type: 'malformed_tool_calls',
      last_error: expect.stringMatching(
        /^The model sent 3 answers in a row that were empty, cut off or malformed tool calls\./,
      ) as string,
    });
    isNeverExported(run);
  });

  it('D16 sends three empty answers in a row: it is asked again twice, then a person is asked', async () => {
    const run = await runModel([() => say('')]);
    expect(run.prompts.map((messages) => messages.at(-1)?.text.slice(0, 22))).toEqual([
      expect.stringMatching(/^WORK ORDER/),
      'Your answer was empty.',
      'Your answer was empty.',
    ]);
    expect(run.state).toMatchObject({ status: 'failed', error_type: 'malformed_tool_calls' });
    isNeverExported(run);
  });

  it('X13 has an answer without calls cut off at the length limit: the document does not end', async () => {
    const cut = () =>
      new AIMessage({ content: 'All is wri', response_metadata: { finish_reason: 'length' } });
    const mended = await runModel([cut, GOOD, say('done')]);
    expect(mended.prompts[1]?.at(-1)?.text).toMatch(/^Your answer was cut off/);
    expect(mended.state).toMatchObject({ status: 'completed', coverage: 1 });
    const run = await runModel([cut]);
    expect(run.state).toMatchObject({ status: 'failed', error_type: 'malformed_tool_calls' });
    isNeverExported(run);
  });

  it('D16 sends an empty answer when all is written and validated: the document is complete', async () => {
    const run = await runModel([GOOD, say('')]);
    expect(run.prompts).toHaveLength(2);
    expect(run.state).toMatchObject({ status: 'completed', coverage: 1 });
  });

  it('D16 sends malformed calls now and then: a valid call resets the count', async () => {
    const bad = () => callMalformed('read_file');
    const run = await runModel([bad, bad, callTools(['list_files', {}]), bad, bad, GOOD, bad, say('done')]);
    expect(run.state).toMatchObject({ status: 'completed', coverage: 1, malformed_calls: 0 });
  });

  it('D5 invents tools and arguments: the run continues with its valid calls', async () => {
    const run = await runModel([
      callTools(
        ['write_file', { path: '/etc/cron.d/x', text: '' }],
        ['append_to_markdown', { text: 'wrong key' }],
      ),
      GOOD,
      say('done'),
    ]);
    expect(toolErrors(run).slice(0, 2)).toEqual([
      expect.stringContaining('there is no tool "write_file"'),
      expect.stringContaining('content'),
    ]);
    expect(run.state.status).toBe('completed');
  });
});
