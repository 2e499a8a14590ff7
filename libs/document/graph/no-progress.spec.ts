import type { StructuredToolInterface } from '@langchain/core/tools';
import { parseWorkOrder } from '#testing/read-work-order.js';
import { succeeded } from '#testing/default-tasks.js';
import { runDocument, type HarnessRun } from '#testing/graph-harness.js';
import {
  callMalformed,
  callTools,
  say,
  scriptedModel,
  type ScriptedAnswer,
} from '#testing/scripted-model.js';
import { estimateInputTokens } from '#llm/estimate.js';
import { tokensOf } from '#llm/tokens.js';
import {
  afterTools,
  afterTyping,
  afterValidation,
  callsWithoutProgress,
  NO_PROGRESS_YET,
} from './progress.js';
import type { SourceLines } from './tools/source-lines.js';

const NOTES = '# Notes\n\nThe first alarm came at 03:12.\nNobody restarted node 7.\n';
const LOG = Array.from(
  { length: 12 },
  (_, line) => `03:${10 + line} ERROR ${line} pool "main" saturated\n`,
).join('');
const SETS = {
  'two files': { 'notes.md': NOTES, 'app.log': LOG },
  'a file of 30 bytes': { 'notes.md': '# Notes\n\nNode 7 is down.\n' },
  'six files': Object.fromEntries(
    [1, 2, 3, 4, 5, 6].map((at) => [`log-${at}.log`, LOG.replaceAll('pool', `pool-${at}`)]),
  ),
};

type Call = [string, Record<string, unknown>];
const finish: Call = ['create_checkpoint', { label: 'done' }];
const place = (filename: string, more: object = {}): Call => [
  'place_source',
  {
    filename,
    as: filename.endsWith('.md') ? 'prose' : 'fence',
    ...(filename.endsWith('.md') ? {} : { heading: `# ${filename}` }),
    ...more,
  },
];

/** What careless models do, given the name of the first file. */
const CARELESS: Record<string, (file: string) => ScriptedAnswer[]> = {
  'lists the files again and again': () => [() => callTools(['list_files', {}])],
  'reads one file again and again': (file) => [() => callTools(['read_file', { filename: file }])],
  'asks for the outline again and again': (file) => [
    () => callTools(['read_file', { filename: file, outline: true }]),
  ],
  'looks at the manuscript again and again': () => [() => callTools(['read_generated_file', { lines: 20 }])],
  'names lines that do not exist': (file) => [
    () => callTools(place(file, { from_line: 90, to_line: 99 }), finish),
  ],
  'names a file that does not exist': () => [() => callTools(place('missing.md'), finish)],
  'types the same text again and again': () => [() => callTools(['append_to_markdown', { content: NOTES }])],
  'types another invention each time': () => {
    let at = 0;
    return [() => callTools(['append_to_markdown', { content: `Invention ${(at += 1)}.\n` }])];
  },
  'places a file and rolls back again and again': (file) => [
    () => callTools(place(file), ['rollback_to_checkpoint', { checkpoint_id: 'start' }]),
  ],
  'edits one line to and fro': (file) => {
    let at = 0;
    return [
      callTools(place(file)),
      () => callTools(['edit_markdown_line', { line_number: 1, new_content: `# Title ${(at += 1) % 2}` }]),
    ];
  },
  'validates one part again and again': (file) => [callTools(place(file), finish), () => callTools(finish)],
  'asks a person again and again': () => [
    () => callTools(['request_human_input', { question: 'Are you sure?' }]),
  ],
  'answers in words': () => [() => say('I would first read the notes, then place them.')],
  'says that all is done after the first file': (file) => [
    callTools(place(file), finish),
    () => say('All is written.'),
  ],
  'answers nothing': () => [() => say('')],
  'calls no tool that can be read': () => [() => callMalformed('place_source')],
};

/** What a model does that places each file in one call. */
const clean = (files: string[]) => [...files.map((file) => callTools(place(file), finish)), say('Done.')];

/** Wraps a model; `tokens` counts those of its prompts, with the definitions of the tools, and of its answers. */
function counted(call: ReturnType<typeof scriptedModel>) {
  const counter = { tokens: 0, call };
  counter.call = async (request) => {
    counter.tokens += await estimateInputTokens(
      request.messages,
      request.tools as StructuredToolInterface[],
      undefined,
      1,
    );
    const answer = await call(request);
    counter.tokens += tokensOf(answer.text + JSON.stringify(answer.tool_calls));
    return answer;
  };
  return counter;
}

const cases = Object.keys(SETS).flatMap((set) => Object.keys(CARELESS).map((model) => [model, set] as const));

describe('a careless model', () => {
  const cleanCosts = new Map<string, number>();
  beforeAll(async () => {
    for (const [set, inputs] of Object.entries(SETS)) {
      const model = counted(scriptedModel(clean(Object.keys(inputs))));
      expect((await runDocument({ inputs, model: model.call })).state).toMatchObject({
        status: 'completed',
        coverage: 1,
      });
      cleanCosts.set(set, model.tokens);
    }
  });

  const run = async (
    model: string,
    set: string,
    action = 'stop',
  ): Promise<HarnessRun & { tokens: number }> => {
    const inputs = SETS[set as keyof typeof SETS];
    let asked = 0;
    const counter = counted(scriptedModel(CARELESS[model]!(Object.keys(inputs)[0]!)));
    const ended = await runDocument({
      inputs,
      model: counter.call,
      settings: { maxAgentSteps: 100 },
      answers: {
        human_input: (request) => {
          if (request.decision_type === 'question') return succeeded<'human_input'>({ text: 'Yes.' });
          asked += 1;
          const answer = asked > 1 ? 'stop' : action;
          return succeeded<'human_input'>({
            action: request.decision_type === 'fix_exhausted' ? 'abort' : answer,
          });
        },
      },
    });
    return { ...ended, tokens: counter.tokens };
  };

  it.each(cases)(
    'that %s ends at 100 %% or with a question within 20 calls and five times the cost of a clean run: %s',
    async (model, set) => {
      const { prompts, state, tasks, tokens } = await run(model, set);
      expect(prompts.length).toBeLessThanOrEqual(20);
      expect(tokens / cleanCosts.get(set)!).toBeLessThanOrEqual(5);
      const isWhole = state.status === 'completed' && state.coverage === 1;
      const decided = tasks.filter(
        ({ request: { task, input } }) =>
          task === 'human_input' && 'decision_type' in input && input.decision_type !== 'question',
      );
      expect(isWhole || decided.length === 1).toBe(true);
    },
  );

  it('is told after eight calls, and a person is asked after sixteen, with the cost so far', async () => {
    const { prompts, tasks, state } = await run('lists the files again and again', 'six files');
    const orders = prompts.map((messages) =>
      parseWorkOrder(messages.findLast(({ text }) => text.startsWith('WORK ORDER'))!.text)!,
    );
    expect(orders.map(({ idle_calls: calls }) => calls)).toEqual([
      ...Array<number>(8).fill(0),
      ...Array<number>(8).fill(8),
    ]);
    const { input } = tasks.find(({ request }) => request.task === 'human_input')!.request;
    expect(input).toMatchObject({
      decision_type: 'model_failed',
      question: expect.stringMatching(/no progress in 16 calls.* 16000 tokens/),
    });
    expect(state).toMatchObject({ status: 'failed', error_type: 'no_progress' });
  });

  it('that calls no tool is quoted to the person, and can be asked again', async () => {
    const stopped = await run('answers in words', 'two files');
    expect(stopped.prompts).toHaveLength(3);
    expect(stopped.path).not.toContain('validate_md');
    expect(stopped.state).toMatchObject({
      status: 'failed',
      error_type: 'no_tool_calls',
      last_error: expect.stringMatching(
        /called no tool in 3 answers\. The last one says: I would first read the notes/,
      ),
    });
    expect((await run('answers in words', 'two files', 'retry')).prompts).toHaveLength(6);
  });

  it('that refuses to repair is quoted in the question', async () => {
    const { tasks } = await run('says that all is done after the first file', 'six files');
    const { input } = tasks.find(({ request }) => request.task === 'human_input')!.request;
    expect(input).toMatchObject({
      decision_type: 'fix_exhausted',
      context: expect.arrayContaining(['The model called no tool, but answered: All is written.']),
    });
  });

  it('that places a part of a file is told which lines are not placed', async () => {
    const { prompts } = await runDocument({
      inputs: { 'app.log': LOG },
      model: scriptedModel([
        callTools(place('app.log', { to_line: 5 }), finish),
        callTools(place('app.log', { from_line: 6, heading: undefined, after_line: 8 }), finish),
        say('done'),
      ]),
    });
    const order = prompts[1]!.findLast(({ text }) => text.startsWith('WORK ORDER'))!.text;
    const { issues, files } = parseWorkOrder(order)!;
    expect(issues).toEqual([]);
    expect(files).toMatchObject([
      { written: false, about: expect.stringMatching(/; not placed: lines 6-12$/) },
    ]);
    expect(prompts).toHaveLength(3);
  });

  it('goes on for as many calls again if a person wants it', async () => {
    const { prompts } = await run('lists the files again and again', 'six files', 'retry');
    expect(prompts).toHaveLength(32);
  });
});

describe('progress', () => {
  const calls = (count: number) => ({ ...NO_PROGRESS_YET, calls: count });
  const part = (first: number, last: number) => ({ what: 'placed a', first, last });

  it('is a part of a source that was not placed or read before', () => {
    const once = afterTools(calls(5), [part(1, 10)]);
    expect(once).toMatchObject({ calls: 0, seen: { 'placed a': [[1, 10]] } });
    expect(afterTools({ ...once, calls: 5 }, [part(3, 9)])).toMatchObject({ calls: 5 });
    expect(afterTools({ ...once, calls: 5 }, [part(8, 12)])).toMatchObject({
      calls: 0,
      seen: { 'placed a': [[1, 12]] },
    });
  });

  it('may fail for fewer calls in small sources', () => {
    const sizes = (...all: number[]) => ({
      fix_attempts: 0,
      file_sizes: Object.fromEntries(all.map((bytes, at) => [`${at}.md`, { bytes, lines: 1 }])),
    });
    const counts = [sizes(), sizes(30), sizes(30, 30), sizes(16_000), sizes(900_000)].map(
      callsWithoutProgress,
    );
    expect(counts).toEqual([8, 3, 4, 6, 8]);
  });

  it('is a source line that is typed, but not one that a tool placed before', async () => {
    const sources = { read: () => Promise.resolve(['one', 'two', 'three']) } as unknown as SourceLines;
    const typed = (progress: typeof NO_PROGRESS_YET, ...lines: string[]) =>
      afterTyping(progress, lines, ['a'], sources, 'verbatim');
    const first = await typed(calls(5), 'one');
    expect(first).toMatchObject({ calls: 0, carried: 1 });
    expect(await typed({ ...first, calls: 5 }, 'one', 'other')).toMatchObject({ calls: 5 });
    const placed = { ...afterTools(calls(0), [part(1, 2)]), calls: 5 };
    const edited = await typed(placed, 'one', 'two', 'other');
    expect(edited).toMatchObject({ calls: 5, carried: 2 });
    expect(await typed(edited, 'one', 'two', 'three')).toMatchObject({ calls: 0 });
  });

  it('is a new line of a retelling, but not a blank or repeated one', async () => {
    const sources = { read: () => Promise.reject(new Error('not read')) } as unknown as SourceLines;
    const typed = (progress: typeof NO_PROGRESS_YET, ...lines: string[]) =>
      afterTyping(progress, lines, ['a'], sources, 'narrative');
    const first = await typed(calls(5), 'In March, the service failed.');
    expect(first).toMatchObject({ calls: 0, carried: 1 });
    const repeated = ['In March, the service failed.', '', ' In March, the service failed.'];
    expect(await typed({ ...first, calls: 5 }, ...repeated)).toMatchObject({ calls: 5 });
    expect(await typed({ ...first, calls: 5 }, ...repeated, 'It was repaired.')).toMatchObject({ calls: 0 });
  });

  it('is an issue that is gone for the first time, but not that a validation passes', () => {
    const issue = {
      line_number: 3,
      rule: 'SCR-added',
      rule_description: '',
      message: '',
      error_detail: null,
    };
    expect(afterValidation(calls(5), [], [])).toEqual(calls(5));
    const repaired = afterValidation(calls(5), [issue], []);
    expect(repaired.calls).toBe(0);
    expect(afterValidation({ ...repaired, calls: 5 }, [issue], [])).toMatchObject({ calls: 5 });
  });
});
