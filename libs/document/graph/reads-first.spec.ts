import { runDocument } from '#testing/graph-harness.js';
import { callTools, say, scriptedModel } from '#testing/scripted-model.js';
import { append, finish, lastOrder, read } from '#testing/two-chapters.js';
import { HumanMessage } from '@langchain/core/messages';

const NAMES = ['a.md', 'b.md', 'c.log', 'd.ts'];
const INPUTS = {
  'a.md': '# Pump\n\nThe pump was replaced on Tuesday.\n',
  'b.md': '# Valve\n\nThe valve leaks since March.\n',
  'c.log': '03:12 ERROR pump stopped\n03:13 INFO pump started\n',
  'd.ts': 'export function stop(): void {\n  pump.stop();\n}\n',
};
const CHAPTERS = [
  INPUTS['a.md'],
  INPUTS['b.md'],
  `# Log\n\n\`\`\`log\n${INPUTS['c.log']}\`\`\`\n`,
  `# Code\n\n\`\`\`ts\n${INPUTS['d.ts']}\`\`\`\n`,
];
const readAll = () => callTools(...NAMES.map((name) => read(name)));
const failedValidations = (path: { type: string; data: Record<string, unknown> }[]) =>
  path.filter(({ type, data }) => type === 'validation_ran' && data['passed'] === false);

describe('a model that reads every file first', () => {
  it('D16 then writes the files one by one: a file counts as written when the manuscript carries it', async () => {
    const run = await runDocument({
      inputs: INPUTS,
      model: scriptedModel([
        readAll(),
        ...CHAPTERS.map((chapter) => callTools(append(chapter), finish)),
        say('All files are written.'),
      ]),
      settings: { maxAgentSteps: 20 },
    });
    expect(failedValidations(run.events)).toEqual([]);
    expect(run.state).toMatchObject({ status: 'completed', coverage: 1, fix_attempts: 0 });
    const written = [2, 3, 4].map((call) => lastOrder(run, call)?.files.map((file) => file.written));
    expect(written).toEqual([
      [true, false, false, false],
      [true, true, false, false],
      [true, true, true, false],
    ]);
    expect(lastOrder(run, 2)?.current_file).toBe('b.md');
  });

  it('D16 adds text of its own: only that text is reported, not the files that are still open', async () => {
    const [first = ''] = CHAPTERS;
    const run = await runDocument({
      inputs: INPUTS,
      model: scriptedModel([
        readAll(),
        callTools(append(`${first}\nThe carrier approved this on Monday.\n`), finish),
        say('stop'),
      ]),
      settings: { maxAgentSteps: 3 },
    });
    const order = lastOrder(run, 2);
    expect(order?.issues.map(({ rule, line_number }) => [rule, line_number])).toEqual([['SCR-added', 5]]);
    expect(order?.files.map(({ written }) => written)).toEqual([true, false, false, false]);
  });

  it('D16 leaves a file open: nothing is exported before the file is written', async () => {
    const run = await runDocument({
      inputs: INPUTS,
      model: scriptedModel([
        readAll(),
        callTools(...CHAPTERS.slice(0, 3).map(append), finish),
        say('All files are written.'),
        callTools(append(CHAPTERS[3] ?? ''), finish),
        say('Now they are.'),
      ]),
      settings: { maxAgentSteps: 20 },
    });
    expect(run.state).toMatchObject({ status: 'completed', coverage: 1 });
    const correction = run.prompts[3]?.at(-1);
    expect(correction).toBeInstanceOf(HumanMessage);
    expect(correction?.text).toMatch(/^Your answer called no tool.*not in the manuscript yet: "d.ts"/);
    expect(failedValidations(run.events)).toEqual([]);
  });
});

describe('a model that talks instead of working', () => {
  it('D16 is corrected twice, without losing an attempt, then a person decides about the model', async () => {
    const run = await runDocument({
      inputs: INPUTS,
      model: scriptedModel([() => say('I will now write the document.')]),
      settings: { maxAgentSteps: 40 },
    });
    expect(run.path).toEqual(['scan_assets', 'agent', 'agent', 'agent', 'agent', 'model_decision']);
    expect(run.prompts).toHaveLength(3);
    expect(run.state).toMatchObject({ status: 'failed', error_type: 'no_tool_calls', fix_attempts: 0 });
  });

  it('D16 answers a failed validation with words: it is corrected within the same attempt', async () => {
    const [, second = ''] = CHAPTERS;
    const run = await runDocument({
      inputs: { 'b.md': INPUTS['b.md'] },
      model: scriptedModel([
        callTools(read('b.md'), append(second.replace('March', 'April')), finish),
        say('I corrected the month.'),
        callTools(
          ['edit_markdown_line', { line_number: 3, new_content: 'The valve leaks since March.' }],
          finish,
        ),
        say('Done.'),
      ]),
      settings: { maxAgentSteps: 20 },
    });
    expect(run.prompts[2]?.at(-1)?.text).toContain('The issues of the last validation are still open');
    expect(failedValidations(run.events)).toHaveLength(1);
    expect(run.state).toMatchObject({ status: 'completed', coverage: 1 });
  });
});
