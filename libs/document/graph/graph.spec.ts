import { failedTask, succeeded } from '#testing/default-tasks.js';
import { runDocument, TEST_SETTINGS } from '#testing/graph-harness.js';
import { callTools, say, scriptedModel } from '#testing/scripted-model.js';
import {
  INPUTS,
  CHAPTERS,
  read,
  append,
  finish,
  WRITE_FIRST,
  WRITE_SECOND,
  writer,
  lastOrder,
} from '#testing/two-chapters.js';
import type { TaskInput } from '#catalogue/tasks.js';
import { MemorySaver } from '@langchain/langgraph';
import { buildDocumentGraph } from './definition.js';
import { type DocumentPorts } from './ports.js';
import { buildInitialState } from './state.js';

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
  it('D4 D24 D30 validates and checkpoints each chapter, then writes structure and DOCX and checks their quality', async () => {
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

  it('D26 X1 validates a chapter alone once others have passed, and the whole manuscript at the end', async () => {
    const names = ['a.md', 'b.md', 'c.md', 'd.md'];
    const sources = names.map((name) => `# ${name}\n\nWords of ${name}.\n`);
    const chapters = names.map((name, index) => callTools(read(name), append(sources[index]!), finish));
    const run = await runDocument({
      inputs: Object.fromEntries(names.map((name, index) => [name, sources[index]!])),
      model: scriptedModel([...chapters, say('All is written.')]),
    });
    expect(run.state).toMatchObject({ status: 'completed', coverage: 1, validated_files: names });
    const proven = run.tasks.flatMap(({ request }) =>
      request.task === 'validate_md' ? [(request.input as TaskInput<'validate_md'>).since?.sources] : [],
    );
    expect(proven).toEqual([undefined, ['a.md'], ['a.md', 'b.md'], undefined]);
  });

  it('D30 writes exactly one {timestamp}_chapter_{n}.md after each successful validation, and stores it in last_checkpoint_id', async () => {
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

  it('D22 does not roll back to a checkpoint of the tool until it is validated', async () => {
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

  it('D4 ends with the error of a failed scan', async () => {
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

describe('pauses', () => {
  it('D19 a run cannot pause without a durable checkpointer and a thread id', async () => {
    const ports = {
      settings: TEST_SETTINGS,
      emit: () => undefined,
    } as Partial<DocumentPorts> as DocumentPorts;
    const state = buildInitialState('ses_1', ['a.md'], ['a.md']);
    const graph = buildDocumentGraph(ports).compile({ checkpointer: new MemorySaver() });
    await expect(graph.invoke(state)).rejects.toThrow(/thread_id/);
    const without = buildDocumentGraph(ports).compile();
    await expect(without.invoke(state, { configurable: { thread_id: 't' } })).rejects.toThrow(
      /checkpointer/i,
    );
  });

  it('D19 a new instance of the graph resumes a pause', async () => {
    const run = await runDocument({ inputs: INPUTS, model: writer });
    // The harness builds a new graph for each leg, so that only the saver connects them.
    expect(run.tasks.length).toBeGreaterThan(4);
    expect(run.state.status).toBe('completed');
  });
});

describe('human input', () => {
  const inputs = { 'notes.md': '# Notes\n\n![a](a.png)\n\n![b](b.png)\n' };

  it('D18 D20 asks once for all missing references, and continues with the answers', async () => {
    const run = await runDocument({
      inputs,
      model: writer,
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

  it('D4 lists the files that a reference may refer to, even if another source has such a file', async () => {
    const found = { ref: 'x.png', kind: 'image' as const, line: 3, hint: null };
    const run = await runDocument({
      inputs,
      model: writer,
      answers: {
        scan_assets: () =>
          succeeded<'scan_assets'>({
            missing_references: ['x.png'],
            references: [
              { ...found, source: 'c/c.md', asset: null, candidates: ['a/x.png', 'b/x.png'] },
              { ...found, source: 'a/a.md', asset: 'a/x.png' },
            ],
            user_decisions: {},
          }),
      },
    });
    const asked = run.tasks.find(({ request }) => request.task === 'human_input');
    expect(asked?.request.input).toMatchObject({
      question: expect.stringMatching(/^The sources refer to 1 .* have: x\.png \(a\/x\.png, b\/x\.png\)\./),
    });
  });

  it('D18 D20 skips references without an answer, and reports this to the agent', async () => {
    const run = await runDocument({
      inputs,
      model: writer,
      answers: { human_input: () => failedTask('gone', 'The task was removed') },
    });
    expect(run.state).toMatchObject({
      status: 'completed',
      user_decisions: { 'a.png': 'skip', 'b.png': 'skip' },
    });
  });

  it('D18 the agent asks in the same way, and gets the answer with a new work order', async () => {
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

  it('D21 a question precedes a checkpoint in the same message, which is validated afterwards', async () => {
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
