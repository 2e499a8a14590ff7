import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { fieldErrorOf } from '#contracts/field-errors.js';
import { resolveArguments, layersOf } from '../dag/dag.js';
import { planUpdate } from '../dag/progress.js';
import { platformCatalogue } from '../tools/catalogue.js';
import { computeTools } from '../tools/compute/catalogue.js';
import { buildToolbox } from '../tools/toolbox.js';
import { parametersOf, planTemplates, type KnownTemplate } from './catalogue.js';
import { filledTasks, mismatches } from './fill.js';
import { templatesFor } from '../needs-model.js';

const FILES: Record<string, string> = {
  'sales.csv': 'shop,"a ""b""",amount\nBerlin,x,10\nWarsaw,y,5\nBerlin,z,2\n',
  'shops.csv': 'shop,open\nBerlin,1901\n',
};
const templateOf = (name: string): KnownTemplate => planTemplates.find((each) => each.name === name)!;

/** Calls the tools of a plan as a worker would; returns what it would write. */
async function written(name: string, values: Record<string, string>): Promise<unknown> {
  const tasks = filledTasks(templateOf(name), values);
  const results = new Map<string, unknown>();
  for (const id of layersOf(tasks).flat()) {
    const { tool, arguments: args } = tasks.find((task) => task.id === id)!;
    const input = resolveArguments(args, results) as Record<string, unknown>;
    const computing = computeTools.find(({ description }) => description.name === tool);
    if (computing) results.set(id, await computing.call(input, {}));
    else if (tool === 'list_inputs')
      results.set(id, { files: Object.keys(FILES).map((file) => ({ name: file })) });
    else if (tool === 'write_file') results.set(id, input['content']);
    else results.set(id, { text: FILES[String(input['name'])] });
  }
  return results.get('save');
}

describe('templates of plans', () => {
  const allowed = (template: KnownTemplate) =>
    Object.fromEntries(parametersOf(template).map(({ name, choices }) => [name, choices?.[0] ?? 'x']));

  it.each(planTemplates)('X21 $name is a valid plan that lacks nothing', (template) => {
    const tasks = filledTasks(template, allowed(template));
    expect(planUpdate(tasks, buildToolbox(platformCatalogue))).toMatchObject({
      incomplete: [],
      with_side_effects: [],
    });
    expect(JSON.stringify(tasks)).not.toMatch(/\$parameter|\$sql/);
  });

  it.each(planTemplates)('X21 $name names missing, unknown and wrong values', (template) => {
    const needed = parametersOf(template).filter((parameter) => parameter.default === undefined);
    expect(mismatches(template.parameters, allowed(template))).toEqual([]);
    expect(mismatches(template.parameters, {}).map(({ path }) => path)).toEqual(
      needed.map(({ name }) => `parameters.${name}`),
    );
    const wrong = mismatches(template.parameters, {
      ...allowed(template),
      function: 'explode',
      constructor: 'x',
    });
    expect(wrong.length).toBeGreaterThan(0);
    for (const each of wrong) expect(fieldErrorOf(each).phrase).toBeDefined();
  });

  it('X21 total_by_group totals a column by group', async () => {
    const values = { file: 'sales.csv', column: 'amount', group_by: 'shop' };
    expect(await written('total_by_group', values)).toEqual([
      { shop: 'Berlin', sum_amount: 12 },
      { shop: 'Warsaw', sum_amount: 5 },
    ]);
    expect(await written('total_by_group', { ...values, function: 'max' })).toMatchObject([
      { max_amount: 10 },
      { max_amount: 5 },
    ]);
  });

  it('X21 join_tables keeps every row of the first table', async () => {
    const joined = await written('join_tables', {
      file: 'sales.csv',
      other_file: 'shops.csv',
      column: 'shop',
    });
    expect(joined).toMatchObject([{ open: 1901 }, { open: null }, { open: 1901 }]);
  });

  it('X21 list_files and extract_text write what they find', async () => {
    expect(await written('list_files', {})).toEqual([{ name: 'sales.csv' }, { name: 'shops.csv' }]);
    expect(await written('extract_text', { file: 'shops.csv' })).toBe(FILES['shops.csv']);
  });

  it('P13 the name of a column cannot become another statement', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), (column) => {
        const join = filledTasks(templateOf('join_tables'), { file: 'a', other_file: 'b', column }).find(
          ({ id }) => id === 'join',
        );
        const sql = String(join!.arguments['sql']);
        const [, quoted] =
          /^SELECT \* FROM first LEFT JOIN second USING \("([^]*)"\) ORDER BY first\.rowid$/.exec(sql)!;
        expect(quoted!.replaceAll('""', '')).not.toContain('"');
        expect(quoted!.replaceAll('""', '"')).toBe(column);
      }),
    );
  });

  it.each([
    ['total amount per shop', 'total_by_group'],
    ['join two tables', 'join_tables'],
    ['list the files', 'list_files'],
    ['Text aus einem PDF extrahieren', 'extract_text'],
    ['policz sumę', 'total_by_group'],
  ])('X21 %j fits %s best', (request, name) => {
    expect(templatesFor(request).map((template) => template.name)).toContain(name);
    expect(templatesFor(request)[0]!.name).toBe(name);
    expect(templatesFor(request)).toHaveLength(planTemplates.length);
  });
});
