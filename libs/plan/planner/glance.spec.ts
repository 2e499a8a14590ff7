import { codesHere } from '#testing/plan-in-memory.js';
import { planTaskSchema } from '../contract/values.js';
import { platformCatalogue } from '../tools/catalogue.js';
import tablesIn from '../tools/check/tables.worker.js';
import { writeWorkbook } from '../tools/platform/workbook.js';
import check, { type SchemaCheck } from '../tools/schema/check.worker.js';
import { SchemaChecks } from '../tools/schema/schema-checks.js';
import { problemsOf } from './check.js';
import { glanceAt } from './glance.js';
import { briefing } from './prompt.js';

const schemas = new SchemaChecks((_module, input) => Promise.resolve(check(input as SchemaCheck) as never));
const tools = new Map(platformCatalogue.map((tool) => [tool.name, tool]));

/** Looks at a session with these files, in this process. */
const glance = (files: Record<string, Uint8Array>) =>
  glanceAt(
    {
      list: () =>
        Promise.resolve(Object.entries(files).map(([name, { length }]) => ({ name, bytes: length }))),
      readPage: (name) => Promise.resolve({ text: Buffer.from(files[name]!).toString('utf8') } as never),
    },
    (name) => tablesIn({ name, bytes: files[name]! }),
  );

const task = (id: string, tool: string, args: object) => planTaskSchema.parse({ id, tool, arguments: args });

describe('the tables that the planner sees', () => {
  it('P7 are those of all sheets, with their columns and first rows', async () => {
    const bytes = await writeWorkbook({
      January: [{ name: 'Ada', hours: 7.5, note: 'a, b' }, { name: 'Bo' }, { name: 'Cy' }],
      Total: [{ total: 12 }],
    });
    const prompt = briefing({
      intent: 'x',
      context: {},
      tools: [],
      inputs: await glance({ 'hours.xlsx': bytes }),
    });
    expect(prompt).toContain(
      'sheet "January" (rows: 3) begins:\n  | name,hours,note\n  | Ada,7.5,"a, b"\n  | Bo,,\n  sheet "Total" (rows: 1) begins:\n  | total\n  | 12',
    );
  });

  it('P7 are those of the lists in a JSON file, and the first lines of a file without a table', async () => {
    const patients = [{ id: 'P1', contact: { email: 'a@x.example' } }];
    const bytes = Buffer.from(JSON.stringify({ made: 'today', patients }, null, 1));
    const [json, other] = await glance({ 'a.json': bytes, 'b.json': Buffer.from('{"one":\n1}') });
    expect(json).toMatchObject({
      beginning: null,
      tables: [{ sheet: 'patients', rows: 1, lines: ['id,contact', 'P1,"{""email"":""a@x.example""}"'] }],
    });
    expect(other).toMatchObject({ beginning: '{"one":\n1}' });
  });

  it('P7 share a limit, names of columns first; of many sheets, some are only named or counted', async () => {
    const row = { ['a'.repeat(200)]: 'b'.repeat(200) };
    const names = Array.from({ length: 30 }, (_, index) => `Sheet ${index}`);
    const bytes = await writeWorkbook(Object.fromEntries(names.map((name) => [name, [row, row]])));
    const files = Array.from({ length: 20 }, (_, index): [string, Uint8Array] => [`${index}.xlsx`, bytes]);
    const inputs = await glance(Object.fromEntries(files));
    const lines = inputs.map(({ tables = [] }) => tables.flatMap((table) => table.lines));
    expect(lines.flat().join('').length).toBe(16_000);
    expect(lines[0]!.join('')).toBe('a'.repeat(800));
    const prompt = briefing({ intent: 'x', context: {}, tools: [], inputs: inputs.slice(0, 1) });
    expect(prompt).toContain('\n  sheet "Sheet 23"\n  and 6 more');
  });

  it('P7 are checked: a plan cannot start with a sheet or a column that the file lacks', async () => {
    const rows = (month: string) => [{ [`${month} hours`]: 8 }];
    const bytes = await writeWorkbook({ Jan: rows('Jan'), Feb: rows('Feb') });
    const problems = async (sheet: string | undefined, column: string) =>
      problemsOf(
        {
          tasks: [
            task('read', 'read_table', { name: 'hours.xlsx', ...(sheet && { sheet }) }),
            task('sum', 'query_tables', {
              tables: { t: { $from: 'read', path: '/rows' } },
              sql: `SELECT sum("${column}") FROM t`,
            }),
          ],
          outputs: [],
          missing: [],
        },
        { tools, done: [], inputs: await glance({ 'hours.xlsx': bytes }), schemas, codes: codesHere },
      );
    expect(await problems('Feb', 'Feb hours')).toEqual([]);
    expect(await problems(undefined, 'Jan hours')).toEqual([]);
    expect(await problems('March', 'Mar hours')).toEqual([
      'Task read (read_table): "sheet": "hours.xlsx" has no sheet "March". It has: Jan, Feb.',
    ]);
    expect(await problems('Feb', 'Jan hours')).toEqual([
      expect.stringContaining('Referenced column "Jan hours" not found'),
    ]);
  });
});
