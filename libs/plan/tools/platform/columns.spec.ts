import fc from 'fast-check';
import { aggregate } from './aggregate.js';
import { drawChartTool } from './chart.js';
import { queryTablesTool } from './data.js';
import { numberReader } from './columns.js';
import { toNumber } from './decimal.js';

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
    [['12 kg', '3 kg'], 15],
    [['1.250,50 €', '-2 €'], 1248.5],
    [['EUR 1,5', 'EUR 2,25'], 3.75],
    [['19 %', '7,5 %'], 26.5],
  ])('P12 adds %j', async (texts, total) => {
    expect(await sumOf(texts)).toBe(total);
  });

  it.each([
    [['1,234', '5,678']],
    [['1,234', '12']],
    [['12,5', '1,234.5']],
    [['12,5', '12.5']],
    [['1.250', '3.500']],
    [['12 kg', '3 lb']],
    [['12 kg', 3]],
    [['01067', '10115']],
    [['A12', 'A13']],
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
        const read = numberReader(texts);
        expect(texts.map((text) => toNumber(read(text)!))).toEqual(cents.map((cent) => cent / 100));
      }),
    );
  });

  it('P13 query_tables adds, compares and sorts numbers with a decimal comma', async () => {
    const texts = ['120,50', '9,75', ''];
    expect(await query(texts, 'SELECT sum(a) AS s, max(a) AS m, avg(a) AS v FROM t')).toEqual([
      { s: 130.25, m: 120.5, v: 65.125 },
    ]);
    expect(await query(texts, 'SELECT a FROM t WHERE a > 10')).toEqual([{ a: 120.5 }]);
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
