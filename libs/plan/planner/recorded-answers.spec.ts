import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { planTaskSchema } from '../contract/values.js';
import { layersOf, resolveArguments } from '../dag/dag.js';
import { planUpdate } from '../dag/progress.js';
import { platformCatalogue, portTools } from '../tools/catalogue.js';
import { computeTools } from '../tools/compute/catalogue.js';
import { graphTools } from '../tools/graph/catalogue.js';
import { mapTool } from '../tools/platform/map.js';
import { buildToolbox } from '../tools/toolbox.js';
import { readPlanned } from './answer.js';
import { problemsOf } from './check.js';

interface Recorded {
  request: string;
  plan: object;
  /** Answers of `call_model`, in order. */
  answers: string[];
  /** A part of the content of each file that the user receives. */
  files: Record<string, string>;
}

const ROOT = join(import.meta.dirname, '../../..');
const fixture = (name: string): unknown =>
  JSON.parse(readFileSync(join(ROOT, 'test/fixtures/plan-requests', name), 'utf8'));
const requests = fixture('requests.json') as { request: string; files: string[] }[];
const recordings = fixture('model-answers.json') as Recorded[];
const { tools } = buildToolbox(platformCatalogue);

/** Runs a plan over example files as workers would; the model gives the recorded answers. */
async function filesOf(
  tasks: ReturnType<typeof readPlanned>['tasks'],
  examples: string[],
  answers: string[],
) {
  const written: Record<string, string> = {};
  const left = [...answers];
  const ports = {
    inputs: {
      list: () => Promise.resolve(examples.map((file) => ({ name: basename(file), bytes: 1 }))),
      text: (name: string) => {
        const file = examples.find((each) => basename(each) === name)!;
        return Promise.resolve(readFileSync(join(ROOT, 'examples', file), 'utf8'));
      },
    },
    keepFile: ({ name, bytes }: { name: string; bytes: Uint8Array }) => {
      written[name] = Buffer.from(bytes).toString();
      return Promise.resolve({ exportId: 'exp_1' });
    },
    callModel: () => Promise.resolve(left.shift()),
  };
  const all = [...computeTools, ...portTools, ...graphTools];
  const callItem = (tool: string, input: unknown): Promise<unknown> =>
    tool === 'map'
      ? mapTool.call(input, { callItem })
      : all.find(({ description }) => description.name === tool)!.call(input, ports as never);
  const results = new Map<string, unknown>();
  for (const id of layersOf(tasks).flat()) {
    const { tool, arguments: args } = tasks.find((task) => task.id === id)!;
    results.set(id, await callItem(tool, resolveArguments(args, results)));
  }
  return written;
}

describe('requests in the words of users, planned by a model', () => {
  it.each(recordings)('P7 $request', async ({ request, plan, answers, files }) => {
    const { files: examples } = requests.find((each) => each.request === request)!;
    const planned = readPlanned(JSON.stringify(plan));
    const inputs = examples.map((file) => basename(file));
    expect(problemsOf(planned, { tools, done: [], inputs })).toEqual([]);
    if (planned.tasks.length === 0) {
      expect(planned.missing).not.toEqual([]);
      return;
    }
    const tasks = planned.tasks.map((task) => planTaskSchema.parse(task));
    expect(planUpdate(tasks, { tools }).incomplete).toEqual([]);
    const written = await filesOf(tasks, examples, answers);
    expect(Object.keys(written)).toEqual(Object.keys(files));
    for (const [name, part] of Object.entries(files)) expect(written[name]).toContain(part);
  });
});
