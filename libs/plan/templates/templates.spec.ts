import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { fieldErrorOf } from '#contracts/errors.js';
import { referencesIn } from '../contract/dependencies.js';
import { valueAt } from '#contracts/json-pointer.js';
import { resolveArguments, layersOf } from '../dag/dag.js';
import { planUpdate } from '../dag/progress.js';
import { platformCatalogue } from '../tools/catalogue.js';
import { computeTools } from '../tools/compute/catalogue.js';
import { mapTool } from '../tools/platform/map.js';
import { buildToolbox } from '../tools/toolbox.js';
import { planTemplates, type KnownTemplate } from './catalogue.js';
import { filledTasks, mismatches } from './fill.js';
import { templatesFor } from '../needs-model.js';

const FILES: Record<string, string> = {
  'sales.csv': 'shop,"a ""b""",amount\nBerlin,x,10\nWarsaw,y,5\nBerlin,z,2\n',
  'shops.csv': 'shop,open\nBerlin,1901\n',
};
const templateOf = (name: string): KnownTemplate => planTemplates.find((each) => each.name === name)!;
const catalogue = new Map(platformCatalogue.map((tool) => [tool.name, tool]));

/** Runs a plan as the workers would; returns what each `write_file` would write, by the name of the file. */
async function filesOf(
  name: string,
  values: Record<string, string | string[]>,
  files: Record<string, string> = FILES,
): Promise<Record<string, unknown>> {
  const tasks = filledTasks(templateOf(name), values);
  const results = new Map<string, unknown>();
  const written: Record<string, unknown> = {};
  const call = (tool: string, input: Record<string, unknown>): unknown => {
    const computing = computeTools.find(({ description }) => description.name === tool);
    if (computing) return computing.call(input, {});
    if (tool === 'map')
      return mapTool.call(input, {
        callItem: (called: string, item: unknown) =>
          Promise.resolve(call(called, item as Record<string, unknown>)),
      });
    if (tool === 'list_inputs') return { files: Object.keys(files).map((file) => ({ name: file })) };
    if (tool === 'write_file') return (written[String(input['name'])] = input['content']);
    return { text: files[String(input['name'])] };
  };
  for (const id of layersOf(tasks).flat()) {
    const { tool, arguments: args, when } = tasks.find((task) => task.id === id)!;
    const isSkipped = when && valueAt(results.get(when.$from), when.path) !== true;
    const lacksSource = referencesIn(args).some(({ $from }) => !results.has($from));
    if (isSkipped || lacksSource) continue;
    const input = resolveArguments(args, results, catalogue.get(tool)!.input);
    results.set(id, await call(tool, input as Record<string, unknown>));
  }
  return written;
}

/** Returns the content of the first file that a plan writes. */
const written = async (...given: Parameters<typeof filesOf>): Promise<unknown> =>
  Object.values(await filesOf(...given))[0];

describe('templates of plans', () => {
  const allowed = (template: KnownTemplate) =>
    Object.fromEntries(template.parameters.map(({ name, choices }) => [name, choices?.[0] ?? 'x']));

  it.each(planTemplates)('X21 $name is a valid plan that lacks nothing', (template) => {
    const tasks = filledTasks(template, allowed(template));
    expect(planUpdate(tasks, buildToolbox(platformCatalogue))).toMatchObject({
      incomplete: [],
      with_side_effects: [],
    });
    expect(JSON.stringify(tasks)).not.toMatch(/\$parameter|\$sql/);
  });

  it.each(planTemplates)('X21 $name names missing, unknown and wrong values', (template) => {
    const needed = template.parameters.filter((parameter) => parameter.default === undefined);
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

  it('P12 a boolean is true or false, or one of these as text', () => {
    const parameters = [{ name: 'all', kind: 'boolean' as const }];
    const messages = (all: string | boolean) => mismatches(parameters, { all }).map(({ message }) => message);
    for (const fitting of [true, false, 'true', 'false']) expect(messages(fitting)).toEqual([]);
    for (const other of ['constructor', 'toString', '', 'yes'])
      expect(messages(other)).toEqual(['Invalid input: expected boolean, received string']);
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

  const head = 'shop,amount\n';
  /** Names of columns, as in "P11 a table without rows". */
  const noRows = { $columns: ['shop', 'amount'] };
  const [a, b, c] = ['Berlin,9', 'Warsaw,10', 'Berlin,5'];
  const cells = (...rows: string[]) =>
    rows.map((row) => ({ shop: row.split(',')[0], amount: Number(row.split(',')[1]) }));
  const tables = { none: head, one: `${head}${a}\n`, many: `${head}${a}\n${b}\n${c}\n` };
  const other = 'shop,open\nBerlin,1901\n';

  it.each([
    ['sort_rows', { column: 'amount' }, noRows, cells(a), cells(b, a, c)],
    ['filter_rows', { column: 'shop', value: 'Berlin' }, noRows, cells(a), cells(a, c)],
    ['filter_rows', { column: 'amount', value: '10' }, noRows, noRows, cells(b)],
    ['remove_duplicates', { column: 'shop' }, noRows, cells(a), cells(a, b)],
  ] as const)('X21 %s %j runs over none, one and many rows', async (name, values, none, one, many) => {
    for (const [kind, wanted] of [
      ['none', none],
      ['one', one],
      ['many', many],
    ] as const) {
      const files = { 'Table 1.csv': tables[kind], 'other.csv': other };
      const content = await written(name, { file: 'Table 1.csv', ...values }, files);
      expect([kind, content]).toEqual([kind, wanted]);
    }
  });

  it.each([
    ['price', '120,50', [{ day: '2026-12-31', price: 120.5, no: '007' }]],
    ['day', '31.12.2026', [{ day: '2026-12-31', price: 120.5, no: '007' }]],
    ['day', '1.2.2026', [{ day: '2026-02-01', price: 3, no: 'x"y' }]],
    ['no', 'x"y', [{ day: '2026-02-01', price: 3, no: 'x"y' }]],
    ['no', 'z', { $columns: ['day', 'price', 'no'] }],
  ])('X21 filter_rows finds a value of %s as it is written: %s', async (column, value, rows) => {
    const text = 'day;price;no\n31.12.2026;120,50;007\n1.2.2026;3,00;"x""y"\n';
    expect(await written('filter_rows', { file: 't.csv', column, value }, { 't.csv': text })).toEqual(rows);
    const missing = written('filter_rows', { file: 't.csv', column: 'other', value }, { 't.csv': text });
    await expect(missing).rejects.toMatchObject({ code: 'invalid_sql' });
  });

  it('X21 join_tables and missing_rows run over none and many rows of each table', async () => {
    const values = { file: 't.csv', other_file: 'o.csv', column: 'shop' };
    const of = (name: string, first: string, second: string) =>
      written(name, values, { 't.csv': first, 'o.csv': second });
    const none = { $columns: ['shop', 'amount', 'open'] };
    expect(await of('join_tables', tables.none, other)).toEqual(none);
    expect(await of('join_tables', tables.none, 'shop,open\n')).toEqual(none);
    expect(await of('join_tables', tables.many, 'shop,open\n')).toEqual(
      cells(a, b, c).map((row) => ({ ...row, open: null })),
    );
    expect(await of('missing_rows', tables.none, other)).toEqual(noRows);
    expect(await of('missing_rows', tables.many, 'shop,open\n')).toEqual(cells(a, b, c));
    const blank = `${head},9\n`;
    expect(await of('join_tables', blank, other)).toEqual([{ shop: null, amount: 9, open: null }]);
    expect(await of('missing_rows', blank, other)).toEqual([{ shop: null, amount: 9 }]);
  });

  it('X21 total_by_group, chart_by_group and join_tables run over none and one row', async () => {
    const values = { file: 't.csv', column: 'amount', group_by: 'shop' };
    const totals = (of: string, name: string) => filesOf(name, values, { 't.csv': of });
    expect(await totals(tables.none, 'total_by_group')).toEqual({
      'totals.csv': { $columns: ['shop', 'sum_amount'] },
    });
    expect(await totals(tables.one, 'total_by_group')).toEqual({
      'totals.csv': [{ shop: 'Berlin', sum_amount: 9 }],
    });
    expect(Object.keys(await totals(tables.none, 'chart_by_group'))).toEqual(['totals.csv']);
    for (const some of [tables.one, tables.many]) {
      const { 'chart.svg': svg } = await totals(some, 'chart_by_group');
      expect(svg).toContain('<svg');
    }
    const joined = (of: string) =>
      written(
        'join_tables',
        { file: 't.csv', other_file: 'o.csv', column: 'shop' },
        { 't.csv': of, 'o.csv': other },
      );
    expect(await joined(tables.one)).toEqual([{ shop: 'Berlin', amount: 9, open: 1901 }]);
    const missing = (of: string) =>
      written(
        'missing_rows',
        { file: 't.csv', other_file: 'o.csv', column: 'shop' },
        { 't.csv': of, 'o.csv': other },
      );
    expect(await missing(tables.one)).toEqual(noRows);
    expect(await missing(tables.many)).toEqual(cells(b));
  });

  it('X21 merge_tables appends the rows of all files', async () => {
    const merged = (...all: string[]) => {
      const files = Object.fromEntries(all.map((text, index) => [`${index}.csv`, text]));
      return written('merge_tables', { files: Object.keys(files) }, files);
    };
    expect(await merged(tables.none, tables.none)).toEqual(noRows);
    expect(await merged(tables.one)).toEqual([{ shop: 'Berlin', amount: '9' }]);
    expect(await merged(tables.many, tables.none, other)).toHaveLength(4);
  });

  it('X21 compare_texts and convert_text write what they read', async () => {
    const compared = (text: string) =>
      written(
        'compare_texts',
        { file: 'old.md', other_file: 'new.md' },
        { 'old.md': 'a\nb\n', 'new.md': text },
      );
    expect(await compared('a\nb\n')).toMatchObject({ equal: true, added: 0 });
    expect(await compared('a\nc\nd\n')).toMatchObject({ equal: false, added: 2, removed: 1 });
    expect(await filesOf('convert_text', { file: 'shops.csv', format: 'pdf' })).toEqual({
      'document.pdf': FILES['shops.csv'],
    });
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
    ['draw a chart', 'chart_by_group'],
    ['sort a table', 'sort_rows'],
    ['filter rows', 'filter_rows'],
    ['remove duplicates', 'remove_duplicates'],
    ['which rows does the other table lack', 'missing_rows'],
    ['append tables', 'merge_tables'],
    ['compare two texts', 'compare_texts'],
    ['convert to PDF', 'convert_text'],
  ])('X21 %j fits %s best', (request, name) => {
    expect(templatesFor(request).map((template) => template.name)).toContain(name);
    expect(templatesFor(request)[0]!.name).toBe(name);
    expect(templatesFor(request)).toHaveLength(planTemplates.length);
  });
});
