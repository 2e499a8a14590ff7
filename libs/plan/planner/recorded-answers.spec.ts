import { codesHere } from '#testing/plan-in-memory.js';
import { readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { z } from 'zod';
import type { SearchHit } from '#knowledge/contract.js';
import { planTaskSchema, type PlanTaskResult } from '../contract/values.js';
import { layersOf, resolveArguments } from '../dag/dag.js';
import { planUpdate } from '../dag/progress.js';
import { conditionOf } from '../graph/results.js';
import { platformCatalogue, portTools } from '../tools/catalogue.js';
import { computeTools } from '../tools/compute/catalogue.js';
import { graphTools } from '../tools/graph/catalogue.js';
import { mapTool } from '../tools/platform/map.js';
import check, { type SchemaCheck } from '../tools/schema/check.worker.js';
import { SchemaChecks } from '../tools/schema/schema-checks.js';
import { buildToolbox } from '../tools/toolbox.js';
import { problemsOf } from './check.js';
import { readPlanned } from './answer.js';
import { shortlist } from './plan-by-model.js';

interface Recorded {
  request: string;
  plan: object;
  /** Answers of `call_model`, in order. */
  answers: unknown[];
  /** Passages that `search_knowledge` finds. */
  knowledge?: SearchHit[];
  /** Texts of pages by address. */
  pages?: Record<string, string>;
  /** A part of the content of each file that the user receives. */
  files: Record<string, string>;
}

const ROOT = join(import.meta.dirname, '../../..');
const fixture = (name: string): unknown =>
  JSON.parse(readFileSync(join(ROOT, 'test/fixtures/plan-requests', name), 'utf8'));
const requests = fixture('requests.json') as { request: string; files: string[] }[];
const recordings = fixture('model-answers.json') as Recorded[];
const toolbox = buildToolbox(platformCatalogue);
const schemas = new SchemaChecks((_module, input) => Promise.resolve(check(input as SchemaCheck) as never));
const pathOf = (file: string) => join(ROOT, 'examples', file);

type Tasks = ReturnType<typeof readPlanned>['tasks'];

/** Returns ports that read example files, return the recorded answers and record what is written. */
function portsOf(
  { answers, knowledge = [], pages = {} }: Recorded,
  examples: string[],
  written: Record<string, string>,
) {
  const left = [...answers];
  return {
    inputs: {
      list: () =>
        Promise.resolve(
          examples.map((file) => ({ name: basename(file), bytes: statSync(pathOf(file)).size })),
        ),
      text: (name: string) => {
        const file = examples.find((each) => basename(each) === name)!;
        return Promise.resolve(readFileSync(pathOf(file), 'utf8'));
      },
    },
    keepFile: ({ name, bytes }: { name: string; bytes: Uint8Array }) => {
      written[name] = Buffer.from(bytes).toString();
      return Promise.resolve({ exportId: 'exp_1' });
    },
    // The specs of the writers open the files; here, their text is of interest.
    convert: (markdown: string) => Promise.resolve(Buffer.from(markdown)),
    searchKnowledge: () => Promise.resolve(knowledge),
    sendRequest: ({ url }: { url: string }) =>
      Promise.resolve({
        ...{ status: 200, mediaType: 'text/html', location: null },
        body: '',
        text: pages[url]!,
      }),
    callModel: (_prompt: string, _data: unknown, schema: Parameters<typeof z.fromJSONSchema>[0]) =>
      Promise.resolve(z.fromJSONSchema(schema).parse(left.shift())),
  };
}

/** Runs a plan over example files as workers would, with the recorded answers of the model. */
async function filesOf(tasks: Tasks, recorded: Recorded, examples: string[]) {
  const written: Record<string, string> = {};
  const ports = portsOf(recorded, examples, written);
  const all = [...computeTools, ...portTools, ...graphTools];
  const callItem = (tool: string, input: unknown): Promise<unknown> =>
    tool === 'map'
      ? mapTool.call(input, { callItem })
      : all.find(({ description }) => description.name === tool)!.call(input, ports as never);
  const results = new Map<string, unknown>();
  const newest = new Map<string, PlanTaskResult>();
  const reading = { result: (id: string) => Promise.resolve(results.get(id)) };
  for (const id of layersOf(tasks).flat()) {
    const task = tasks.find((each) => each.id === id)!;
    const isMet = (await conditionOf(task, newest, reading)) === 'met';
    if (isMet) results.set(id, await callItem(task.tool, resolveArguments(task.arguments, results)));
    newest.set(id, { status: isMet ? 'completed' : 'skipped', result_key: id } as PlanTaskResult);
  }
  return written;
}

describe('requests in the words of users, planned by a model', () => {
  it('P7 have a recorded plan each', () => {
    expect(recordings.map(({ request }) => request)).toEqual(requests.map(({ request }) => request));
  });

  it.each(recordings)('P7 $request', async (recorded) => {
    const { request, plan, files } = recorded;
    const { files: examples } = requests.find((each) => each.request === request)!;
    const planned = readPlanned(JSON.stringify(plan));
    const inputs = examples.map((file) => {
      const text = readFileSync(pathOf(file), 'utf8');
      return { name: basename(file), bytes: Buffer.byteLength(text), beginning: text.slice(0, 400) };
    });
    const offered = new Set(shortlist(toolbox, request, []).map(({ name }) => name));
    expect(planned.tasks.filter(({ tool }) => !offered.has(tool))).toEqual([]);
    expect(
      await problemsOf(planned, { tools: toolbox.tools, done: [], inputs, schemas, codes: codesHere }),
    ).toEqual([]);
    if (planned.tasks.length === 0) {
      expect(planned.missing).not.toEqual([]);
      return;
    }
    const tasks = planned.tasks.map((task) => planTaskSchema.parse(task));
    expect(planUpdate(tasks, toolbox).incomplete).toEqual([]);
    const written = await filesOf(tasks, recorded, examples);
    expect(Object.keys(written).sort()).toEqual(Object.keys(files).sort());
    for (const [name, part] of Object.entries(files)) expect(written[name]).toContain(part);
  });
});
