import type { PlanTask } from '../contract/values.js';
import { platformCatalogue } from '../tools/catalogue.js';
import { CoUseGraph } from '../tools/retrieval/tool-index.js';
import { buildToolbox, type Toolbox } from '../tools/toolbox.js';
import fc from 'fast-check';
import { valueAt } from '#contracts/json-pointer.js';
import { InvalidPlanError, layersOf, nextLayer, resolveArguments } from '../dag/dag.js';
import { MAX_REPLANS, merged, replan, ReplanRefused } from './replan.js';
import { confidenceIn, suggestPlan } from '../dag/suggest.js';
import { dependenciesOf } from '../contract/dependencies.js';

const task = (id: string, depends_on: string[] = [], args: Record<string, unknown> = {}): PlanTask => ({
  id,
  tool: 'list_inputs',
  arguments: args,
  depends_on,
});

function toolbox(edges: [string, string][] = []): Toolbox {
  const coUse = new CoUseGraph();
  for (const [from, to] of edges) coUse.observe(from, to);
  return buildToolbox(platformCatalogue, { requests: new Map(), edges: coUse.all() });
}

describe('the layers of a plan', () => {
  it('P11 put tasks whose dependencies are complete into one layer', () => {
    const tasks = [
      task('d', ['b', 'c']),
      task('a'),
      task('b', ['a']),
      task('c', [], { x: { $from: 'a', path: '' } }),
    ];
    expect(layersOf(tasks)).toEqual([['a'], ['b', 'c'], ['d']]);
    expect(nextLayer(tasks, new Set(['a'])).map(({ id }) => id)).toEqual(['b', 'c']);
  });

  it.each([
    ['two tasks of one id', [task('a'), task('a')]],
    ['an unknown dependency', [task('a', ['b'])]],
    ['a task that waits for itself', [task('a', ['a'])]],
    ['a circle through references', [task('a', ['b']), task('b', [], { x: [{ $from: 'a', path: '/y' }] })]],
    ['arguments beyond the limit', [task('a', [], { x: 'x'.repeat(70_000) })]],
  ])('P7 rejects %s', (_, tasks) => {
    expect(() => layersOf(tasks)).toThrow(InvalidPlanError);
  });

  it('P7 orders every acyclic graph, and rejects every graph with a cycle', () => {
    const graphs = fc.integer({ min: 1, max: 15 }).chain((size) =>
      fc.record({
        size: fc.constant(size),
        arrows: fc.array(fc.tuple(fc.nat(size - 1), fc.nat(size - 1)), { maxLength: 30 }),
      }),
    );
    fc.assert(
      fc.property(graphs, ({ size, arrows }) => {
        const forward = arrows.filter(([from, to]) => from < to);
        const tasksOf = (given: [number, number][]) =>
          Array.from({ length: size }, (_, n) =>
            task(`t${n}`, [...new Set(given.filter(([, to]) => to === n).map(([from]) => `t${from}`))]),
          );
        const layers = layersOf(tasksOf(forward));
        const place = new Map(layers.flatMap((ids, layer) => ids.map((id) => [id, layer] as const)));
        expect(place.size).toBe(size);
        for (const [from, to] of forward) expect(place.get(`t${from}`)!).toBeLessThan(place.get(`t${to}`)!);
        const back = forward[0];
        if (back) expect(() => layersOf(tasksOf([...forward, [back[1], back[0]]]))).toThrow(InvalidPlanError);
      }),
    );
  });
});

describe('references to results', () => {
  it('P10 are JSON Pointers to own properties only', () => {
    const value = { 'a/b': [{ '~': 1 }], n: null };
    expect(valueAt(value, '/a~1b/0/~0')).toBe(1);
    expect(valueAt(value, '')).toBe(value);
    expect(valueAt(value, '/n')).toBeNull();
    for (const path of ['/constructor', '/__proto__', '/a~1b/length/x', '/a~1b/1', 'n', '/n/x'])
      expect(valueAt(value, path)).toBeUndefined();
  });

  it('P10 are replaced anywhere in the arguments', () => {
    const results = new Map<string, unknown>([['list', { files: [{ name: 'a.xml' }] }]]);
    const args = { deep: [{ name: { $from: 'list', path: '/files/0/name' } }], $from: 'no reference' };
    expect(resolveArguments(args, results)).toEqual({ deep: [{ name: 'a.xml' }], $from: 'no reference' });
    expect(() => resolveArguments({ x: { $from: 'list', path: '/files/1' } }, results)).toThrow(
      InvalidPlanError,
    );
  });
});

describe('naming tools for a request', () => {
  it('P7 X21 finds tools by its words, and fills no argument from them', () => {
    const request = 'read the text of the input file people.html';
    const { tasks, missing, not_covered } = suggestPlan(request, {}, toolbox());
    expect(tasks).toContainEqual({ id: 'read_input', tool: 'read_input', arguments: {}, depends_on: [] });
    expect(missing).toContainEqual({ task_id: 'read_input', parameter: 'name' });
    expect(not_covered).toEqual([request]);
  });

  it('P7 X21 no argument contains a word of any request', () => {
    const words = fc.constantFrom(
      ...'total sum average value kind age per by people.csv data.xml read parse list sql query'.split(' '),
    );
    fc.assert(
      fc.property(fc.array(words, { minLength: 1, maxLength: 12 }), (request) => {
        const { tasks } = suggestPlan(request.join(' '), {}, toolbox());
        expect(tasks.length).toBeLessThanOrEqual(3);
        const values = tasks.flatMap(({ arguments: args }) => Object.values(args));
        for (const value of values)
          expect(value).toEqual({ $from: expect.any(String), path: expect.any(String) });
      }),
    );
  });

  it('P7 adds a tool that provides a missing input, and lists inputs that no tool provides', () => {
    const wired = suggestPlan('parse xml', { name: 'a.xml' }, toolbox());
    expect(wired.tasks.map(({ tool }) => tool)).toEqual(['read_input', 'parse_xml']);
    expect(wired.tasks[0]!.arguments).toEqual({ name: 'a.xml' });
    const open = suggestPlan('query tables with SQL', {}, toolbox());
    expect(open.missing.map(({ parameter }) => parameter)).toEqual(expect.arrayContaining(['tables', 'sql']));
  });

  it('P9 is more confident the more often the tools followed each other', () => {
    const once: [string, string][] = [['read_input', 'parse_csv']];
    const confidence = (edges: [string, string][]) =>
      suggestPlan('parse csv', { name: 'a.csv' }, toolbox(edges)).confidence;
    const [before, after, often] = [[], once, [...once, ...once, ...once]].map(confidence);
    expect(before).toBeLessThan(after!);
    expect(after).toBeCloseTo(0.5);
    expect(often).toBeCloseTo(0.7);
  });

  it('P9 counts a result that a task uses as a dependency, as plans of a model state it', () => {
    const read = { ...task('a'), tool: 'read_input' };
    const parse = { ...task('b', [], { text: { $from: 'a', path: '/text' } }), tool: 'parse_csv' };
    expect(dependenciesOf(parse)).toEqual(['a']);
    expect(confidenceIn([read, parse], toolbox([['read_input', 'parse_csv']]))).toBeCloseTo(0.5);
  });
});

describe('replanning', () => {
  const tasks = [task('list_inputs')];
  const result = { files: [{ name: 'a.csv' }, { name: 'b.xml' }], formats: { csv: 1, xml: 1 } };
  const completed = [{ task_id: 'list_inputs', result }];
  const requirement = { new_requirement: 'parse xml', available_context: { name: 'b.xml' } };

  it('P7 adds up to three tasks after the last successful one, and leaves the others unchanged', () => {
    const planned = replan({ tasks, completed, replans: 0 }, requirement, toolbox());
    expect(planned.slice(0, 1)).toEqual(tasks);
    const added = planned.slice(1);
    expect(added.map(({ tool }) => tool)).toEqual(['read_input', 'parse_xml']);
    expect(added[0]).toMatchObject({
      arguments: { name: 'b.xml' },
      depends_on: ['list_inputs'],
    });
    expect(added[1]!.depends_on).toEqual(['read_input']);
    expect(added.length).toBeLessThanOrEqual(3);
  });

  it('P7 uses the only item of a list, and leaves a choice between several open', () => {
    const nameOf = (files: object[]) => {
      const done = [{ task_id: 'list_inputs', result: { files, formats: {} } }];
      const wanted = { new_requirement: 'read the text of an input file', available_context: {} };
      const planned = replan({ tasks, completed: done, replans: 0 }, wanted, toolbox());
      return planned.find(({ tool }) => tool === 'read_input')!.arguments;
    };
    expect(nameOf([{ name: 'a.csv' }])).toEqual({ name: { $from: 'list_inputs', path: '/files/0/name' } });
    expect(nameOf([{ name: 'a.csv' }, { name: 'b.xml' }])).toEqual({});
  });

  it('P7 prefers a value that was given for the new tasks over earlier results', () => {
    const read: PlanTask = { ...task('read'), tool: 'read_input', arguments: { name: 'a.csv' } };
    const done = [{ task_id: 'read', result: { name: 'a.csv', text: 'x', characters: 1 } }];
    const planned = replan({ tasks: [read], completed: done, replans: 0 }, requirement, toolbox());
    expect(planned.slice(1)).toMatchObject([
      { tool: 'read_input', arguments: { name: 'b.xml' } },
      { tool: 'parse_xml', arguments: { text: { $from: 'read_input', path: '/text' } } },
    ]);
  });

  it('P7 adds no tool if a better one already serves the same purpose', () => {
    const toolsFor = (new_requirement: string) =>
      replan({ tasks, completed, replans: 0 }, { ...requirement, new_requirement }, toolbox())
        .slice(1)
        .map(({ tool }) => tool);
    expect(toolsFor('parse csv')).toEqual(['read_input', 'parse_csv']);
    expect(toolsFor('parse yaml')).toEqual(['read_input', 'parse_yaml']);
    expect(toolsFor('parse csv, parse xml').sort()).toEqual(['parse_csv', 'parse_xml', 'read_input']);
  });

  it('P7 gives new tasks unique IDs', () => {
    const first = replan({ tasks, completed, replans: 0 }, requirement, toolbox());
    const second = replan({ tasks: first, completed, replans: 1 }, requirement, toolbox());
    expect(new Set(second.map(({ id }) => id)).size).toBe(second.length);
  });

  it('P8 rejects more than three replans, a requirement that no tool matches, and a merge that creates a cycle', () => {
    const refusal = (make: () => unknown) => {
      try {
        make();
      } catch (error) {
        if (error instanceof ReplanRefused) return error.code;
      }
      return 'accepted';
    };
    const progress = { tasks, completed, replans: 0 };
    expect(refusal(() => replan({ ...progress, replans: MAX_REPLANS }, requirement, toolbox()))).toBe(
      'replan_limit',
    );
    expect(refusal(() => replan(progress, { ...requirement, new_requirement: 'zzz' }, toolbox()))).toBe(
      'no_tools',
    );
    for (const new_requirement of ['translate to German', 'write a book'])
      expect(refusal(() => replan(progress, { ...requirement, new_requirement }, toolbox()))).toBe(
        'no_tools',
      );
    expect(refusal(() => merged(progress, [task('x', ['y']), task('y', ['x'])]))).toBe('invalid_plan');
    expect(refusal(() => merged(progress, [task('list_inputs')]))).toBe('invalid_plan');
  });
});
