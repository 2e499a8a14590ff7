import fc from 'fast-check';
import { layersOf } from '../dag/dag.js';
import { platformCatalogue } from '../tools/catalogue.js';
import { dependenciesOf } from './dependencies.js';
import { addStep, link, problemsOfStep, removeStep, unlink } from './editing.js';
import { placesFor } from './result-places.js';
import type { PlanTask } from './values.js';

const tools = new Map(platformCatalogue.map((tool) => [tool.name, tool]));
const planOf = (...names: string[]): PlanTask[] => names.reduce<PlanTask[]>(addStep, []);

describe('the editing of a plan', () => {
  it('P7 connects two steps by the types of result and parameter', () => {
    const connect = (from: string, to: string) => link(planOf(from, to), from, to, tools)?.arguments ?? null;
    expect(connect('read_input', 'parse_csv')).toEqual({ text: { $from: 'read_input', path: '/text' } });
    expect(connect('read_table', 'aggregate')).toEqual({ rows: { $from: 'read_table', path: '/rows' } });
    expect(connect('aggregate', 'write_file')).toEqual({ content: { $from: 'aggregate', path: '/rows' } });
    expect(connect('read_input', 'write_file')).toEqual({ content: { $from: 'read_input', path: '/text' } });
    expect(connect('branch', 'fetch_url')).toBeNull();
    const tables = { read_table: { $from: 'read_table', path: '/rows' } };
    expect(connect('read_table', 'query_tables')).toEqual({ tables });
  });

  it('P7 offers only places whose type fits', () => {
    const { output } = tools.get('read_input')!;
    expect(placesFor(output, { type: 'string' })).toEqual(['/name', '/text', '/format']);
    expect(placesFor(output, { type: 'integer' })).toEqual(['/characters']);
    expect(placesFor(output, {}).at(-1)).toBe('');
  });

  it('P7 says what a step lacks, and which of its values cannot be used', () => {
    const [task] = planOf('read_table');
    expect(problemsOfStep(task!, [], tools, [])).toEqual({ missing: ['name'], wrong: [], gone: [] });
    const named = { ...task!, arguments: { name: 'crew.csv' } };
    expect(problemsOfStep(named, [], tools, [])).toEqual({ missing: [], wrong: ['name'], gone: [] });
    expect(problemsOfStep(named, [], tools, ['crew.csv'])).toEqual({ missing: [], wrong: [], gone: [] });
  });

  it('P7 removes what a step uses of another at any depth, keeps its default, and never its condition', () => {
    const ref = { $from: 'a', path: '/rows' };
    const [a, other, b] = planOf('a', 'list_inputs', 'query_tables');
    const when = { $from: 'a', path: '/then' };
    const args = { sql: 'x', tables: { t: ref }, both: [{ u: ref, v: 1 }], or: { ...ref, default: 'none' } };
    const [, rest] = removeStep([a!, other!, { ...b!, arguments: args, when }], 'a');
    expect(rest!.arguments).toEqual({ sql: 'x', both: [{ v: 1 }], or: 'none' });
    expect(rest!.when).toEqual(when);
    expect(problemsOfStep(rest!, [rest!], tools, [])).toEqual({
      missing: ['tables'],
      wrong: [],
      gone: ['a'],
    });
  });

  it('P7 removes the condition of a step with a line that carries nothing else', () => {
    const [a, b] = planOf('a', 'query_tables');
    const when = { $from: a!.id, path: '/then' };
    const both = { ...b!, when, arguments: { sql: { $from: a!.id, path: '/text' } } };
    const conditional = unlink(both, a!.id);
    expect(conditional).toEqual({ ...b, when, arguments: {} });
    expect(unlink(conditional, a!.id)).toEqual({ ...b, arguments: {} });
  });

  it('P7 never makes steps wait for each other, and leaves nothing of a step that is removed', () => {
    const pair = fc.tuple(fc.nat(), fc.nat());
    const names = fc.array(fc.constantFrom(...tools.keys()), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(names, fc.array(pair, { maxLength: 20 }), (chosen, lines) => {
        let tasks = planOf(...chosen);
        for (const [a, b] of lines) {
          const [from, to] = [tasks[a % tasks.length]!.id, tasks[b % tasks.length]!.id];
          const linked = link(tasks, from, to, tools);
          if (linked) tasks = tasks.map((task) => (task.id === to ? linked : task));
          if (linked) expect(dependenciesOf(unlink(linked, from))).not.toContain(from);
        }
        expect(layersOf(tasks).flat()).toHaveLength(tasks.length);
        const gone = tasks[0]!.id;
        const rest = removeStep(tasks, gone);
        expect(rest.flatMap(dependenciesOf)).not.toContain(gone);
      }),
    );
  });
});
