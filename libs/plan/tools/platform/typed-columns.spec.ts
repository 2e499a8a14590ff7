import { ToolCallError } from '../tool.js';
import { queryTables } from './sql.js';

const cells = (texts: unknown[]) => ({ t: texts.map((a, k) => ({ a, k })) });
const query = async (
  texts: unknown[],
  sql: string,
  parameters: (string | number | boolean | null)[] = [],
) => {
  const { rows } = await queryTables(cells(texts), sql, parameters);
  return rows.map((row) => Object.values(row)[0]);
};
const problem = (texts: unknown[], sql: string, parameters: (string | number | boolean | null)[] = []) =>
  query(texts, sql, parameters).then(
    (rows) => `returned ${JSON.stringify(rows)}`,
    (error: unknown) =>
      error instanceof ToolCallError ? `${error.code}: ${error.message}` : `thrown: ${String(error)}`,
  );

const AMOUNTS = ['1.250,50', '980,00', '12,25'];
const READ = "REPLACE(REPLACE(a, '.', ''), ',', '.')";

describe('typed columns', () => {
  it.each([
    [AMOUNTS, 'SELECT a FROM t WHERE a > 1000', [1250.5]],
    [AMOUNTS, 'SELECT sum(CASE WHEN a > 900 THEN a ELSE 0 END) FROM t', [2230.5]],
    [AMOUNTS, 'SELECT a FROM t ORDER BY a', [12.25, 980, 1250.5]],
    [['12 kg', '9 kg'], 'SELECT max(a) FROM t', [12]],
    [['19 %', '7 %', ''], 'SELECT avg(a) FROM t', [13]],
    [['€ 5', '€ 10,50'], 'SELECT a FROM t ORDER BY 1 DESC', [10.5, 5]],
    [['05.01.2026', '31.12.2025'], 'SELECT a FROM t ORDER BY a', ['2025-12-31', '2026-01-05']],
    [['3/31/2026', '12/1/2025'], 'SELECT max(a) FROM t', ['2026-03-31']],
    [['1', '2'], 'SELECT sum(a) / count(*) FROM t', [1.5]],
    [['7', '12'], 'SELECT CAST(a / 8 AS INTEGER) FROM t ORDER BY a', [0, 1]],
    [['5', 'n/a'], "SELECT sum(CAST(a AS REAL)) FROM t WHERE a <> 'n/a'", [5]],
    [['12 kg', '9 lb'], "SELECT max(CAST(REPLACE(a, ' kg', '') AS REAL)) FROM t WHERE a LIKE '%kg'", [12]],
    [['12 kg', '9 lb'], 'SELECT a FROM t ORDER BY a COLLATE NOCASE', ['12 kg', '9 lb']],
    [['b', 'a', ''], 'SELECT a FROM t ORDER BY a', ['a', 'b', null]],
    [['b', 'a'], "SELECT a FROM t WHERE a > 'a'", ['b']],
  ])('P13 computes %j, %s', async (texts, sql, expected) => {
    expect(await query(texts, sql)).toEqual(expected);
  });

  it.each([
    [[90, 120.5], 'SELECT a FROM t WHERE a > ?', [100], [120.5]],
    [[90, 120.5], 'SELECT a FROM t WHERE a > ?', [100.5], [120.5]],
    [[90, 120.5], 'SELECT a FROM t WHERE a < ?', [1e20], [90, 120.5]],
    [[90, 120.5], 'SELECT a FROM t ORDER BY a LIMIT ?', [1], [90]],
    [[90, 120.5], 'SELECT a * ? FROM t LIMIT 1', [-0.5], [-45]],
    [['b', "o'x"], 'SELECT a FROM t WHERE a = ?', ["o'x"], ["o'x"]],
    [['b', '\u00005'], 'SELECT a FROM t WHERE a = ?', ['b'], ['b']],
    [[true, false], 'SELECT k FROM t WHERE a = ?', [true], [0]],
    [['b', 'c'], 'SELECT coalesce(?, a) FROM t', [null], ['b', 'c']],
    [['b', 'c'], 'SELECT a FROM t WHERE a = $1 OR a > $1', ['b'], ['b', 'c']],
    [['2026-01-31', '2026-02-01'], 'SELECT a FROM t WHERE a > ?', ['2026-01-31'], ['2026-02-01']],
  ])('P13 binds %j, %s, %j', async (texts, sql, parameters, expected) => {
    expect(await query(texts, sql, parameters)).toEqual(expected);
  });

  it.each([
    [[2], 'SELECT a * 1e3 FROM t', [2000]],
    [[2], 'SELECT a FROM t WHERE a < 1e6', [2]],
    [[2], 'SELECT round(3.14159265358979323846 * a, 4) FROM t', [6.2832]],
    [['12345678901234567890'], 'SELECT k FROM t WHERE a = 12345678901234567890', [0]],
    [[2], 'SELECT -12345678901234567890 FROM t', ['-12345678901234567890']],
    [['b', 'a', 'b'], "SELECT string_agg(DISTINCT a, ', ' ORDER BY a) FROM t", ['a, b']],
    [['9999999999999999.50', '0.25'], 'SELECT sum(a) FROM t', ['9999999999999999.75']],
    [['0.0000001', '0.50'], 'SELECT a FROM t ORDER BY a', [1e-7, 0.5]],
    [['Q2', 'Q1'], 'SELECT a FROM t GROUP BY a ORDER BY a', ['Q1', 'Q2']],
    [['A4', 'A3'], 'SELECT max(a) FROM t', ['A4']],
    [['EU5', 'v2'], 'SELECT a FROM t ORDER BY a', ['EU5', 'v2']],
    [[3], `SELECT ${'greatest('.repeat(12)}a${', 1)'.repeat(12)} FROM t`, [3]],
    [[3], `SELECT ${'CAST('.repeat(12)}a${' AS INTEGER)'.repeat(12)} FROM t`, [3]],
    [['b', 'a'], "SELECT (SELECT max(a) FROM t) > 'a' FROM t LIMIT 1", [true]],
    [['2026-01-31'], "SELECT CAST(a + INTERVAL '1 day' AS DATE) FROM t", ['2026-02-01']],
  ])('P13 computes exactly what %j, %s mean', async (texts, sql, expected) => {
    expect(await query(texts, sql)).toEqual(expected);
  });

  it('P13 sorts a UNION by the position of a column without a name', async () => {
    const sql = `SELECT a, sum(k + 1) FROM t GROUP BY a UNION ALL SELECT 'Total', sum(k + 1) FROM t ORDER BY 2 DESC`;
    expect(await query(['x', 'y', 'y'], sql)).toEqual(['Total', 'y', 'x']);
    expect(await query([2, 1], 'SELECT * FROM t UNION SELECT * FROM t ORDER BY 1')).toEqual([1, 2]);
    expect(await problem(['x'], 'SELECT a FROM t UNION SELECT a FROM t ORDER BY 9')).toMatch(/^invalid_sql/);
  });

  it.each([
    [['1.250', '3.500'], 'SELECT a FROM t WHERE a > 1000'],
    [['1.250', '3.500'], 'SELECT sum(CAST(a AS REAL)) FROM t'],
    [['1.250', '1'], 'SELECT a FROM t WHERE a = 1'],
    [['1.250', 'x'], 'SELECT k FROM t WHERE a IN (1, 2)'],
    [['1.250', 'x'], 'SELECT x.k FROM t x JOIN t y ON x.a = y.k'],
    [['1.250', 'x'], 'SELECT NULLIF(a, 1) FROM t'],
    [['12 kg', '9 lb'], 'SELECT max(a) FROM t'],
    [['12 kg', '9 lb'], 'SELECT a FROM t ORDER BY a'],
    [['12 kg', '9 lb'], 'SELECT a AS b FROM t ORDER BY b'],
    [['12 kg', '9 lb'], 'SELECT a FROM t ORDER BY 1'],
    [['12 kg', '9 lb'], 'SELECT a FROM t UNION SELECT a FROM t ORDER BY 1'],
    [['12 kg', '9 lb'], 'SELECT row_number() OVER (ORDER BY a) FROM t'],
    [['12 kg', '9 lb'], 'SELECT max(x) FROM (SELECT a AS x FROM t)'],
    [['12 kg', '9 lb'], "SELECT max(REPLACE(a, ' kg', '')) FROM t"],
    [['12 kg', '9 lb'], "SELECT a FROM t WHERE a > '10'"],
    [['12 kg', '9 lb'], 'SELECT a FROM t WHERE a BETWEEN 1 AND 10'],
    [['12 kg', '9 lb'], 'SELECT sum(CASE WHEN k > 0 THEN a ELSE 0 END) FROM t'],
    [['12 kg', '9 lb'], 'SELECT a * 2 FROM t'],
    [['12 kg', '9 lb'], "SELECT (SELECT a FROM t LIMIT 1) > '9 kg'"],
    [['12 kg', '9 lb'], 'SELECT k FROM t ORDER BY (SELECT x.a FROM t x WHERE x.k = t.k)'],
    [['$ 12', '€ 9'], 'SELECT max(a) FROM t'],
    [['USD 12', 'EUR 9'], 'SELECT max(a) FROM t'],
    [['5', 'n/a'], 'SELECT avg(a) FROM t'],
    [['05.01.2026', '31.12.'], 'SELECT max(a) FROM t'],
  ])('P13 refuses %j, %s', async (texts, sql) => {
    const message = await problem(texts, sql);
    expect(message).toMatch(/^not_a_number: .*"a" "/);
  });

  it.each([
    [[12, 9], 'SELECT k FROM t WHERE a > ?', ['x'], /^invalid_sql: .*Could not convert string 'x'/],
    [
      ['12 kg', '9 lb'],
      'SELECT k FROM t WHERE a > ?',
      [5],
      /^not_a_number: .*Cannot compare values of type VARCHAR/,
    ],
    [['12 kg', '9 lb'], 'SELECT k FROM t WHERE a = ?', [5], /^not_a_number: .*text compared with a number/],
    [['12 kg', '9 lb'], 'SELECT k FROM t WHERE a = ?', [2.5], /^not_a_number: .*text compared with a number/],
    [[1], 'SELECT k FROM t WHERE a = ? OR k = ?', [1], /^invalid_sql: .*no value for the placeholder 2/],
    [[1], 'SELECT k FROM t WHERE a = ?', [1, 2], /^invalid_sql: .*2 values for 1 placeholders/],
    [AMOUNTS, `SELECT sum(CAST(${READ} AS REAL)) FROM t`, [], /^invalid_sql: .*"a" DECIMAL/],
  ])('P13 names types: %j, %s, %j', async (texts, sql, parameters, expected) => {
    expect(await problem(texts, sql, parameters)).toMatch(expected);
  });
});
