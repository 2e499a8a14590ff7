import { runDocument } from '#testing/graph-harness.js';
import { callTools, say, scriptedModel } from '#testing/scripted-model.js';
import { lastOrder } from '#testing/two-chapters.js';

const manual = (name: string, cable: string, service: string) =>
  `# ${name}\n\nThe ${name.toLowerCase()} is new.\n\n## Wiring\n\nUse the ${cable} cable.\n\n## Service\n\n${service}\n`;
const INPUTS = {
  'pump.md': manual('Pump', 'red', 'Grease it every 3 months.'),
  'valve.md': manual('Valve', 'blue', 'Do not open it under pressure.'),
};

type Call = [string, Record<string, unknown>];
const part = (filename: string, from_line: number, to_line: number, heading?: string): Call => [
  'place_source',
  { filename, from_line, to_line, as: 'prose', ...(heading ? { heading } : {}) },
];
const type = (content: string): Call => ['append_to_markdown', { content }];
const finish: Call = ['create_checkpoint', { label: 'part' }];
const chapter = (title: string, from: number, to: number) =>
  callTools(
    type(`# ${title}\n`),
    part('pump.md', from, to, '## pump.md'),
    part('valve.md', from, to, '## valve.md'),
    finish,
  );
const done = say('Every file is in the manuscript.');

describe('a document by subject', () => {
  it('has sections of one file in several chapters, each of which passes', async () => {
    const run = await runDocument({
      inputs: INPUTS,
      model: scriptedModel([
        callTools(part('pump.md', 1, 4), part('valve.md', 1, 4), finish),
        chapter('Wiring', 5, 8),
        chapter('Service', 9, 11),
        done,
      ]),
    });
    expect(run.state).toMatchObject({ status: 'completed', coverage: 1, fix_attempts: 0 });
    expect(run.manuscript).toContain('# Wiring\n\n## pump.md\n\n### Wiring\n\nUse the red cable.');
    const [pump] = lastOrder(run, 2)!.files;
    expect(pump).toMatchObject({ written: false, about: expect.stringMatching(/; not placed: lines 9-11$/) });
    expect(run.events.filter(({ type }) => type === 'validation_ran')).toHaveLength(3);
  });

  it('fails if a placed line is lost or a part is never placed', async () => {
    const run = await runDocument({
      inputs: INPUTS,
      model: scriptedModel([
        callTools(
          part('pump.md', 1, 8),
          ['replace_lines', { from_line: 3, to_line: 3, new_content: '' }],
          finish,
        ),
        callTools(['insert_after_line', { line_number: 2, content: 'The pump is new.\n' }], finish),
        callTools(part('valve.md', 1, 11), finish),
        done,
        done,
        done,
        callTools(part('pump.md', 9, 11), finish),
        done,
      ]),
    });
    const passed = run.events.flatMap(({ type, data }) =>
      type === 'validation_ran' ? [data['passed']] : [],
    );
    expect(passed.slice(0, 2)).toEqual([false, true]);
    expect(passed).toContain(false);
    expect(lastOrder(run, 3)!.current_file).toBe('pump.md');
  });

  it('opens with a summary of supported sentences where that is allowed', async () => {
    const whole = (filename: string): Call => ['place_source', { filename, as: 'prose' }];
    const sentence = (text: string, filename: string, at: number) => ({
      text,
      filename,
      from_line: at,
      to_line: at,
    });
    const summary = [
      sentence('The pump needs grease every 3 months.', 'pump.md', 11),
      sentence('Do not open the valve under pressure.', 'valve.md', 11),
    ];
    const run = await runDocument({
      inputs: INPUTS,
      settings: { hasSummary: true },
      model: scriptedModel([
        callTools(whole('pump.md'), whole('valve.md'), finish),
        callTools(['set_title', { title: 'Pump' }], ['write_summary', { sentences: summary }], finish),
        done,
      ]),
    });
    expect(lastOrder(run, 1)?.title).toBeNull();
    expect(run.state).toMatchObject({ status: 'completed', coverage: 1, fix_attempts: 0 });
    expect(run.tasks.find(({ request }) => request.task === 'convert')?.request.input).toMatchObject({
      title: 'Pump',
    });
    expect(run.manuscript).toMatch(/^# In short\n\n- The pump needs grease/);
  });
});
