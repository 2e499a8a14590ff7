import { atDepth } from '#testing/depth.js';
import fc from 'fast-check';
import { ToolCallError } from '../tool.js';
import { queryTables } from './sql.js';

/** How a column is written, from amounts in cents. */
interface Writing {
  decimal: string;
  group: string;
  before: string;
  after: string;
}

const UNITS = ['', '', ' kg', ' %', '%', ' €', ' EUR', ' m²'];
const writing = fc.record({
  decimal: fc.constantFrom(',', '.'),
  group: fc.constantFrom('', '.', ',', ' ', "'", '\u202F'),
  before: fc.constantFrom('', '', '€ ', '$', 'EUR '),
  after: fc.constantFrom(...UNITS),
});
const cents = fc.oneof(
  fc.integer({ min: -99_999, max: 999_999_999 }),
  fc.integer({ min: -9_999, max: 99_999 }).map((whole) => whole * 100),
);
const cell = fc.oneof({ weight: 8, arbitrary: cents }, { weight: 1, arbitrary: fc.constant(null) });
const column = fc.record({
  style: writing,
  cells: fc.array(cell, { minLength: 1, maxLength: 8 }),
  hasDecimals: fc.boolean(),
  /** Text in a last cell: a number of another unit or writing, a word, or none. */
  odd: fc.constantFrom(null, null, null, null, 'n/a', '-', '3 lb', '0,5 t', '007'),
});

function write(amount: number, { decimal, group, before, after }: Writing, hasDecimals: boolean): string {
  const [whole = '', fraction = ''] = (Math.abs(amount) / 100).toFixed(2).split('.');
  const grouped = whole.replace(/\B(?=(?:\d{3})+$)/g, group);
  const isWhole = !hasDecimals && fraction === '00';
  return `${amount < 0 ? '-' : ''}${before}${grouped}${isWhole ? '' : decimal + fraction}${after}`;
}

/** Queries with a computation of their result from the amounts. */
const QUERIES: [string, (amounts: number[]) => number | null | (number | null)[]][] = [
  ['SELECT sum(a) FROM t', (all) => (all.length === 0 ? null : sum(all))],
  ['SELECT avg(a) FROM t', (all) => (all.length === 0 ? null : sum(all) / all.length)],
  ['SELECT max(a) FROM t', (all) => (all.length === 0 ? null : Math.max(...all))],
  ['SELECT min(x) FROM (SELECT a AS x FROM t)', (all) => (all.length === 0 ? null : Math.min(...all))],
  ['SELECT count(*) FROM t WHERE a > 1000', (all) => all.filter((each) => each > 1000).length],
  [
    'SELECT count(*) FROM t WHERE a BETWEEN 1 AND 1000',
    (all) => all.filter((x) => x >= 1 && x <= 1000).length,
  ],
  [
    'SELECT count(*) FROM t WHERE a = 1 OR a IN (2, 3)',
    (all) => all.filter((x) => [1, 2, 3].includes(x)).length,
  ],
  ['SELECT sum(CASE WHEN a > 10 THEN a ELSE 0 END) FROM t', (all) => sum(all.filter((each) => each > 10))],
  ['SELECT a FROM t WHERE a IS NOT NULL ORDER BY a', (all) => all.toSorted((a, b) => a - b)],
  ['SELECT a AS b FROM t WHERE a IS NOT NULL ORDER BY b DESC LIMIT 1', (all) => [Math.max(...all)]],
  ['SELECT a FROM t WHERE a IS NOT NULL ORDER BY 1 LIMIT 1', (all) => [Math.min(...all)]],
  ['SELECT sum(CAST(a AS REAL)) FROM t', (all) => (all.length === 0 ? null : sum(all))],
  ['SELECT max(CAST(a AS NUMERIC)) FROM t', (all) => (all.length === 0 ? null : Math.max(...all))],
  ['SELECT sum(a * 2) FROM t', (all) => (all.length === 0 ? null : 2 * sum(all))],
];
const sum = (numbers: number[]) =>
  numbers.reduce((total, number) => total + Math.round(number * 100), 0) / 100;

/** Returns the first column of a result; null if the query is refused. */
async function answer(texts: unknown[], sql: string): Promise<unknown[] | null> {
  try {
    const { rows } = await queryTables({ t: texts.map((a) => ({ a })) }, sql, []);
    return rows.map((row) => Object.values(row)[0]);
  } catch (error) {
    if (!(error instanceof ToolCallError)) throw error;
    expect(error.message).toContain('"a"');
    return null;
  }
}

describe('query_tables over random tables', () => {
  const numRuns = atDepth({ quick: 60, full: 500 });

  it('P13 computes what the numbers mean, or refuses', async () => {
    let answered = 0;
    await fc.assert(
      fc.asyncProperty(column, fc.constantFrom(...QUERIES), async (table, [sql, compute]) => {
        const { style, cells, hasDecimals, odd } = table;
        fc.pre(style.decimal !== style.group && !(style.before !== '' && style.after !== ''));
        const texts: (string | null)[] = cells.map((each) =>
          each === null ? '' : write(each, style, hasDecimals),
        );
        const amounts = cells.filter((each) => each !== null).map((each) => each / 100);
        // A column without numbers is a column of texts.
        fc.pre(amounts.length > 0);
        const result = await answer(odd === null ? texts : [...texts, odd], sql);
        if (result === null) return;
        answered += 1;
        // With an odd cell, no number is right.
        expect({ odd, texts }).toEqual({ odd: null, texts });
        const expected = [compute(amounts)].flat();
        expect({ texts, sql, result: result.map(rounded) }).toEqual({
          texts,
          sql,
          result: expected.map(rounded),
        });
      }),
      { numRuns },
    );
    expect(answered).toBeGreaterThan(numRuns / 5);
  });

  it('P13 sorts dates of any writing by day, or refuses', async () => {
    const write: ((y: string, m: string, d: string) => string)[] = [
      (y, m, d) => `${y}-${m}-${d}`,
      (y, m, d) => `${d}.${m}.${y}`,
      (y, m, d) => `${d}/${m}/${y}`,
      (y, m, d) => `${Number(m)}/${Number(d)}/${y}`,
    ];
    const day = fc.date({ min: new Date('1990-01-01'), max: new Date('2040-12-31'), noInvalidDate: true });
    await fc.assert(
      fc.asyncProperty(
        fc.array(day, { minLength: 1 }),
        fc.constantFrom(...write),
        async (days, asWritten) => {
          const iso = days.map((each) => each.toISOString().slice(0, 10));
          const texts = iso.map((each) => asWritten(...(each.split('-') as [string, string, string])));
          const result = await answer(texts, 'SELECT a FROM t ORDER BY a');
          if (result) expect(result).toEqual(iso.toSorted());
        },
      ),
      { numRuns: numRuns / 2 },
    );
  });
});

const rounded = (value: unknown): unknown =>
  typeof value === 'number' ? Math.round(value * 1e4) / 1e4 : value;
