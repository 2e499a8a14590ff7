import fc from 'fast-check';
import { aggregate } from './aggregate.js';
import { drawChartTool } from './chart.js';
import { queryTablesTool } from './data.js';
import { writtenColumn } from './number-style.js';

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- results of several tools
type Answer = any;
const sumOf = async (texts: unknown[]) => {
  const measures = [{ column: 'a', function: 'sum', as: 's' }];
  const { rows }: Answer = await aggregate.call({ rows: texts.map((a) => ({ a })), measures }, {});
  return rows[0].s;
};
const query = async (texts: unknown[], sql: string) => {
  const { rows }: Answer = await queryTablesTool.call({ tables: { t: texts.map((a) => ({ a })) }, sql }, {});
  return rows;
};

describe('numbers as people write them', () => {
  it.each([
    [['120,50', '80,00', '19,95'], 220.45],
    [['1.234,56', '80', '-4,5'], 1310.06],
    [['1.234', '12,50'], 1246.5],
    [['1,234.56', '80'], 1314.56],
    [['1,234,567', '1'], 1_234_568],
    [['1 234,56', '80,1'], 1314.66],
    [['1\u202F234,56', '2\u00A0000'], 3234.56],
    [["1'234.50", '0.5'], 1235],
    [['0,123', '0,001'], 0.124],
    [['1,2345', ''], 1.2345],
    [['1.5', '2.25'], 3.75],
  ])('P12 adds %j', async (texts, total) => {
    expect(await sumOf(texts)).toBe(total);
  });

  it.each([
    [['1,234', '5,678']],
    [['1,234', '12']],
    [['12,5', '1,234.5']],
    [['12,5', '12.5']],
    [['12 kg', '3 kg']],
    [['2024-01-01']],
    [['1,,2']],
    [['12,5', 'n/a']],
  ])('P12 refuses to add what can be read in two ways or is no number: %j', async (texts) => {
    await expect(sumOf(texts)).rejects.toThrow('which is not a number');
  });

  it('P12 reads any amounts as they were written with a decimal comma', () => {
    const amounts = fc.array(fc.integer({ min: -9_999_999, max: 9_999_999 }), { minLength: 1 });
    fc.assert(
      fc.property(amounts, (cents) => {
        const texts = cents.map((cent) => (cent / 100).toFixed(2).replace('.', ','));
        const column = writtenColumn(texts);
        expect(texts.map((text) => Number(column!.plain(text)))).toEqual(cents.map((cent) => cent / 100));
      }),
    );
  });

  it('P13 query_tables adds, compares and sorts numbers with a decimal comma', async () => {
    const texts = ['120,50', '9,75', ''];
    expect(await query(texts, 'SELECT sum(a) AS s, max(a) AS m FROM t')).toEqual([{ s: 130.25, m: '' }]);
    expect(await query(texts, 'SELECT a FROM t WHERE a > 10')).toEqual([{ a: 120.5 }, { a: '' }]);
    expect(await query(texts, "SELECT sum(CAST(REPLACE(a, ',', '.') AS REAL)) AS s FROM t")).toEqual([
      { s: 130.25 },
    ]);
    expect(await query(['1,234.5', '2'], "SELECT sum(REPLACE(a, ',', '')) AS s FROM t")).toEqual([
      { s: 1236.5 },
    ]);
  });

  it.each([
    [['12 kg', '3 kg'], 'SELECT sum(a) FROM t'],
    [['12 kg', '3 kg'], 'SELECT SUM ( DISTINCT "t"."a" ) FROM t'],
    [['12 kg', '3 kg'], 'SELECT a * 2 FROM t'],
    [['12 kg', '3 kg'], 'SELECT 2 / t.a FROM t'],
    [['1.234,56', '7'], 'SELECT total(x.a) FROM t x'],
    [['1,234', '5,678'], 'SELECT sum([a]) FROM t'],
    [['5', 'n/a'], 'SELECT avg(a) FROM t'],
    [['5', ''], 'SELECT avg(`a`) FROM t'],
    [['9', '10', 'n/a'], 'SELECT max(a) FROM t'],
  ])('P13 query_tables refuses to compute with texts as if they were numbers: %j, %s', async (texts, sql) => {
    await expect(query(texts, sql)).rejects.toThrow('is not a number');
  });

  it.each([
    [['b', 'a'], 'SELECT max(a) AS x FROM t', 'b'],
    [['2024-01-01', '2024-02-01'], 'SELECT min(a) AS x FROM t', '2024-01-01'],
    [['5', ''], 'SELECT sum(a) AS x FROM t', 5],
    [['5', ''], "SELECT avg(NULLIF(a, '')) AS x FROM t", 5],
    [['12 kg'], "SELECT sum(REPLACE(a, ' kg', '')) AS x FROM t", 12],
    [['12 kg'], "SELECT 'sum(a)' AS x FROM t -- a * 2", 'sum(a)'],
    [['12 kg'], 'SELECT count(*) AS x FROM t', 1],
  ])('P13 query_tables lets a query handle texts: %j, %s', async (texts, sql, x) => {
    expect(await query(texts, sql)).toEqual([{ x }]);
  });

  it('P12 draws numbers with a decimal comma', async () => {
    const rows = [
      { label: 'x', a: '1,5' },
      { label: 'y', a: '2,25' },
    ];
    const { svg }: Answer = await drawChartTool.call(
      { rows, kind: 'bar', label: 'label', values: ['a'] },
      {},
    );
    expect(svg).toContain('2.25');
  });
});
