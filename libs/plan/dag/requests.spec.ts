import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { platformCatalogue } from '../tools/catalogue.js';
import { computeTools } from '../tools/compute/catalogue.js';
import { buildToolbox } from '../tools/toolbox.js';
import { layersOf, resolveArguments } from './dag.js';
import { planUpdate } from './progress.js';
import { suggestPlan } from './suggest.js';

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- results of many tools
type Result = any;

interface RequestCase {
  request: string;
  files: string[];
  expected: string;
  by_rules: {
    ends: 'completed' | 'says_missing';
    rows?: object[];
    files?: string[];
    tool?: string;
    file?: string;
  };
}

const EXAMPLES = join(import.meta.dirname, '../../../examples');
const FIXTURES = join(import.meta.dirname, '../../../test/fixtures/plan-requests');
const cases = ['requests.json', 'more-requests.json'].flatMap(
  (file) => JSON.parse(readFileSync(join(FIXTURES, file), 'utf8')) as RequestCase[],
);
const toolbox = buildToolbox(platformCatalogue);
const textOf = (file: string) => readFileSync(join(EXAMPLES, file), 'utf8');

/** Calls the tools of a plan as a worker would, over example files. */
async function execute(tasks: ReturnType<typeof suggestPlan>['tasks'], files: string[]) {
  const results = new Map<string, Result>();
  for (const id of layersOf(tasks).flat()) {
    const { tool, arguments: args } = tasks.find((task) => task.id === id)!;
    const input: Result = resolveArguments(args, results);
    const computing = computeTools.find(({ description }) => description.name === tool);
    const file = files.find((name) => basename(name) === input.name);
    if (computing) results.set(id, await computing.call(input, {}));
    else if (tool === 'list_inputs')
      results.set(id, { files: files.map((name) => ({ name: basename(name) })) });
    else if (tool === 'read_input') results.set(id, { name: input.name, text: textOf(file!) });
    else results.set(id, input);
  }
  return tasks.map((task) => ({ ...task, result: results.get(task.id) }));
}

describe('requests in the words of users, planned by rules', () => {
  it.each(cases)('P7 $request', async ({ request, files, by_rules: expected }) => {
    expect(files.every((file) => existsSync(join(EXAMPLES, file)))).toBe(true);
    const inputs = files.map((file) => ({ name: basename(file), beginning: textOf(file).slice(0, 400) }));
    const { tasks, missing, not_covered } = suggestPlan(request, {}, toolbox, inputs);
    if (expected.ends === 'says_missing') {
      expect([...not_covered, ...missing]).not.toEqual([]);
      return;
    }
    expect([not_covered, missing, planUpdate(tasks, toolbox).incomplete]).toEqual([[], [], []]);
    const ran = await execute(tasks, files);
    if (expected.rows) {
      expect(ran.find(({ tool }) => tool === 'aggregate')!.result.rows).toEqual(expected.rows);
      expect(ran.at(-1)).toMatchObject({ tool: 'write_file', result: { content: expected.rows } });
    }
    if (expected.files) expect(ran.at(-1)!.result.files).toEqual(expected.files.map((name) => ({ name })));
    if (expected.tool) {
      expect(ran.at(-1)!.tool).toBe(expected.tool);
      const reads = ran.filter(({ tool }) => tool === 'read_input').map(({ arguments: { name } }) => name);
      expect(reads).toEqual([expected.file]);
    }
  });

  it.each([
    'List all the files named in the README',
    'Parse the first line of the csv',
    'Parse s.csv and show the first rows',
    'Who has read notes.md?',
    'How do I list the files?',
    'How is the total value computed?',
    'Read a part of notes.md',
    'Read notes.md and paper.md',
    'List 01-README.md',
    'Average value per kind in the last row',
    'total value per kind per code',
    'Total and average value',
    'list the csv files',
  ])('P7 report what is missing instead of planning another request: %s', (request) => {
    const names = ['notes.md', 'paper.md', '01-README.md', 's.csv'];
    const inputs = names.map((name) => ({ name, beginning: 'code,kind,value' }));
    const { missing, not_covered } = suggestPlan(request, {}, toolbox, inputs);
    expect([...missing, ...not_covered]).not.toEqual([]);
  });
});

describe('names of files that contain words of tools', () => {
  it.each(['table.csv', 'search results.json', 'list of files.md', 'Markdown Document.md'])(
    'P7 reads a file whose name names other tools: %s',
    (name) => {
      const inputs = [{ name, beginning: 'code,kind,value' }];
      const request = `List the files, then read ${name.toUpperCase()}`;
      const { tasks, not_covered } = suggestPlan(request, {}, toolbox, inputs);
      expect(not_covered).toEqual([]);
      expect(tasks.map(({ tool }) => tool)).toEqual(['list_inputs', 'read_input']);
      expect(tasks[1]!.arguments).toEqual({ name });
    },
  );
});
