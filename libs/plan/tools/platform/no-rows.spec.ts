import { resolveArguments } from '../../dag/dag.js';
import { platformCatalogue } from '../catalogue.js';
import { computeTools } from '../compute/catalogue.js';
import { writeFile } from './write-file.js';

const call = (name: string, input: unknown) =>
  computeTools.find(({ description }) => description.name === name)!.call(input, {});
/** Returns the arguments of a tool as its call gets them. */
const resolved = (name: string, args: unknown, results: Record<string, unknown>) =>
  resolveArguments(
    args,
    new Map(Object.entries(results)),
    platformCatalogue.find((tool) => tool.name === name)!.input,
  );
const at = (path: string) => ({ $from: 'before', path });
const query = async (sql: string, rows: unknown) => {
  const args = resolved('query_tables', { sql, tables: { t: at('/rows') } }, { before: rows });
  return ((await call('query_tables', args)) as { rows: unknown[] }).rows;
};
const empty = { columns: ['shop', 'amount', 'day'], rows: [] };

describe('P11 a table without rows', () => {
  it.each([
    ['SELECT shop, sum(amount) AS total FROM t WHERE amount > 5 GROUP BY shop ORDER BY total DESC', []],
    ["SELECT date_trunc('month', day) AS m, sum(amount) AS s FROM t GROUP BY m", []],
    ['SELECT count(*) AS n, max(amount) AS most FROM t', [{ n: 0, most: null }]],
    ['SELECT *, rowid FROM t ORDER BY upper(shop)', []],
  ])('can be queried: %s', async (sql, rows) => {
    expect(await query(sql, empty)).toEqual(rows);
    expect(await query(sql, { rows: [] })).toEqual(rows);
  });

  it('still refuses a column that it lacks', async () => {
    await expect(query('SELECT price FROM t', empty)).rejects.toMatchObject({ code: 'invalid_sql' });
  });

  it('has totals, and a file with the names of its columns', async () => {
    const measures = [{ column: 'amount', function: 'sum' }];
    const args = resolved(
      'aggregate',
      { rows: at('/rows'), measures, group_by: ['shop'] },
      { before: empty },
    );
    expect(await call('aggregate', args)).toEqual({ columns: ['shop', 'sum_amount'], rows: [] });
    const wrong = { rows: { $columns: ['a'] }, measures };
    await expect(call('aggregate', wrong)).rejects.toMatchObject({ code: 'no_such_column' });
    expect(await written('a.csv', at('/rows'), empty)).toBe('shop,amount,day\r\n');
    expect(await written('a.json', at('/rows'), empty)).toBe('[]\n');
  });

  it('may have a column without any value', async () => {
    const rows = [{ shop: 'a', amount: '', day: null }];
    const sql = 'SELECT shop, sum(amount) AS total, year(day) AS y FROM t GROUP BY ALL';
    expect(await query(sql, { rows })).toEqual([{ shop: 'a', total: null, y: null }]);
  });
});

describe('P11 the result of an expression', () => {
  it.each([
    ['one hit', { a: 1 }, [{ a: 1 }]],
    ['no hit', null, []],
    ['a list', [{ a: 1 }, { a: 2 }], [{ a: 1 }, { a: 2 }]],
  ])('is a list where one is expected, with %s', async (_, data, rows) => {
    const args = resolved(
      'query_tables',
      { sql: 'SELECT a FROM t', tables: { t: at('/data') } },
      { before: { data } },
    );
    expect(await call('query_tables', args)).toEqual({ columns: ['a'], rows });
    const items = resolved('map', { items: at('/data'), tool: 'x', arguments: {} }, { before: { data } });
    expect(items).toMatchObject({ items: rows });
    const csv = rows.length === 0 ? '' : ['a', ...rows.map(({ a }) => a), ''].join('\r\n');
    expect(await written('a.csv', at('/data'), { data })).toBe(csv);
  });

  it('stays as it is where any value is expected', () => {
    const args = resolved(
      'transform_json',
      { data: at('/data'), expression: 'a' },
      { before: { data: null } },
    );
    expect(args).toMatchObject({ data: null });
  });

  it('is a list in brackets, whatever the data', async () => {
    const expression = '[orders[price > 5].id]';
    const of = (...prices: number[]) =>
      call('transform_json', { data: { orders: prices.map((price, id) => ({ id, price })) }, expression });
    expect(await of(1)).toEqual({ data: [] });
    expect(await of(9)).toEqual({ data: [0] });
    expect(await of(9, 1, 7)).toEqual({ data: [0, 2] });
  });
});

async function written(name: string, content: unknown, before: unknown): Promise<string> {
  let text = '';
  const keepFile = ({ bytes }: { bytes: Uint8Array }) => {
    text = Buffer.from(bytes).toString();
    return Promise.resolve({ exportId: 'exp' });
  };
  await writeFile.call(resolved('write_file', { name, content }, { before }), { keepFile } as never);
  return text;
}
