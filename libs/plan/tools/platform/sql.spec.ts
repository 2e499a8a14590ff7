import { ToolCallError } from '../tool.js';
import { queryTablesTool } from './data.js';

const call = (input: unknown) =>
  queryTablesTool.call(input, {}) as Promise<{ columns: string[]; rows: unknown[] }>;
const refused = (input: unknown) =>
  call(input).then(
    () => 'accepted',
    (error: unknown) => (error instanceof ToolCallError ? error.code : `thrown: ${String(error)}`),
  );

describe('query_tables', () => {
  const tables = {
    orders: [
      { customer: 1, total: '10.5', note: { gift: true } },
      { customer: 2, total: '7', note: null },
      { customer: 1, total: '2', note: null },
    ],
    customers: [
      { id: 1, name: "O'Brien" },
      { id: 2, name: '"Ada"' },
    ],
  };

  it('P13 joins and sums, accepts values only as parameters, and stores non-scalars as JSON', async () => {
    const sql =
      'SELECT name, sum(total) AS total FROM orders JOIN customers ON id = customer WHERE name <> ? GROUP BY name ORDER BY 2 DESC';
    expect(await call({ tables, sql, parameters: ["x'; DROP TABLE orders; --"] })).toEqual({
      columns: ['name', 'total'],
      rows: [
        { name: "O'Brien", total: 12.5 },
        { name: '"Ada"', total: 7 },
      ],
    });
    expect((await call({ tables, sql: 'SELECT note FROM orders LIMIT 1' })).rows).toEqual([
      { note: '{"gift":true}' },
    ]);
  });

  it.each([
    'DROP TABLE orders',
    "ATTACH DATABASE '/etc/passwd' AS x",
    "SELECT 1; ATTACH DATABASE '/tmp/x' AS x",
    'SELECT 1; SELECT 2',
    'PRAGMA database_list',
    "COPY orders TO '/tmp/x'",
    'INSTALL httpfs',
    "SELECT * FROM '/etc/passwd'",
    "SELECT * FROM read_text('/etc/passwd')",
    "SELECT * FROM read_csv('https://127.0.0.1/x')",
    "SELECT * FROM glob('/*')",
    "SELECT getenv('HOME')",
    'SET enable_external_access = true',
    'SELECT * FROM nothing',
    'SELECT FROM',
    '-- nothing',
    'WITH x AS (SELECT 1) INSERT INTO orders SELECT * FROM x; SELECT 1',
    'WITH x AS (SELECT 1) DELETE FROM orders',
    'WITH x AS (SELECT 1) DELETE FROM orders RETURNING customer',
    "WITH x AS (SELECT 1) UPDATE orders SET note = 'x' RETURNING *",
    'WITH x AS (SELECT 1) INSERT INTO orders (customer) SELECT * FROM x RETURNING *',
    'WITH x AS (SELECT 1) REPLACE INTO orders (customer) SELECT * FROM x',
    "SELECT * FROM query('SELECT 1')",
    "SELECT * FROM main.query('SELECT 1')",
    "SELECT * FROM query_table('orders')",
    "SELECT * FROM json_execute_serialized_sql(json_serialize_sql('SELECT 1'))",
    "SELECT * FROM enable_logging('QueryLog')",
    'SELECT * FROM "Enable_Profiling"()',
    'SELECT * FROM pragma_version()',
    'SELECT * FROM duckdb_settings()',
    'SELECT * FROM orders WHERE EXISTS (SELECT * FROM checkpoint())',
    'WITH x AS (SELECT * FROM force_checkpoint()) SELECT * FROM x',
    "SELECT * FROM sql_auto_complete('SEL')",
    'SELECT * FROM repeat(1, 10)',
    `SELECT ${'('.repeat(9)}1${' IN (1, 2, 3, 4, 5, 6, 7, 8, 9))'.repeat(9)}`,
  ])('P13 rejects %s', async (sql) => {
    expect(await refused({ tables, sql })).toBe('invalid_sql');
  });

  it.each([
    ['range(2)', 2],
    ['generate_series(1, 3)', 3],
    ['unnest([4, 5])', 2],
    [`json_each('{"a":1}')`, 1],
  ])('P13 offers the table function %s', async (source, rows) => {
    expect((await call({ tables: {}, sql: `SELECT * FROM ${source}` })).rows).toHaveLength(rows);
  });

  it('P13 reads empty cells as NULL, in columns of texts too, which equal an empty text', async () => {
    const people = [
      { name: 'Ada', mail: 'a@x.example' },
      { name: 'Bo', mail: '' },
      { name: 'Cy', mail: ' ' },
      { name: 'Di', mail: null },
    ];
    const count = async (where: string) =>
      (await call({ tables: { people }, sql: `SELECT count(*) AS n FROM people WHERE ${where}` })).rows[0];
    for (const where of ['mail IS NULL', "mail = ''", "'' = mail", "NOT (mail <> '') IS TRUE"])
      expect([where, await count(where)]).toEqual([where, { n: 3 }]);
    for (const where of ['mail IS NOT NULL', "mail <> ''", "NOT mail = ''"])
      expect([where, await count(where)]).toEqual([where, { n: 1 }]);
    const sql = "SELECT count(mail) AS n, max(coalesce(mail, 'none')) AS last FROM people";
    expect((await call({ tables: { people }, sql })).rows).toEqual([{ n: 1, last: 'none' }]);
  });

  it('P13 pivots by values that the query lists, and asks for them otherwise', async () => {
    const sales = [
      { name: 'Ada', month: '2026-01', sum: '1.250,50 €' },
      { name: 'Ada', month: '2026-02', sum: '980,00 €' },
    ];
    const pivot = (on: string) => ({
      tables: { sales },
      sql: `SELECT * FROM (PIVOT sales ON month${on} USING sum(sum) GROUP BY name)`,
    });
    expect((await call(pivot(" IN ('2026-01', '2026-02')"))).rows).toEqual([
      { name: 'Ada', '2026-01': 1250.5, '2026-02': 980 },
    ]);
    await expect(call(pivot(''))).rejects.toThrow('PIVOT');
  });

  it('P13 reads values in objects, which are JSON', async () => {
    const people = [
      { name: 'Ada', contact: { email: 'ada@x.example' } },
      { name: 'Bo', contact: null },
    ];
    const sql = "SELECT name, contact->>'email' AS email FROM people";
    expect((await call({ tables: { people }, sql })).rows).toEqual([
      { name: 'Ada', email: 'ada@x.example' },
      { name: 'Bo', email: null },
    ]);
  });

  it('P13 names columns that a query may mean', async () => {
    await expect(call({ tables, sql: 'SELECT custmer FROM orders' })).rejects.toThrow('"customer"');
  });

  it('P13 shows the place of a syntax error', async () => {
    const sql = 'SELECT customer, total, at, note FROM orders';
    await expect(call({ tables, sql })).rejects.toThrow('at or near ",": …omer, total, at, note FROM ord…');
  });

  it('P13 names what is wrong with tables', async () => {
    const sql = 'SELECT 1';
    expect(await refused({ tables: { Orders: [{ a: 1 }], orders: [{ a: 1 }] }, sql })).toBe('invalid_sql');
    expect(await refused({ tables: { t: [{ '': 1 }] }, sql })).toBe('invalid_sql');
    const rows = Array.from({ length: 300 }, (_, index) => ({ a: String(index).repeat(500_000) }));
    expect(await refused({ tables: { t: rows }, sql })).toBe('too_large');
  });

  it('P13 returns bytes as hexadecimal digits, and never more than the maximum result', async () => {
    const sql = (expression: string) => ({ tables: {}, sql: `SELECT ${expression} AS x` });
    expect((await call(sql("'\\x00\\xff'::BLOB"))).rows).toEqual([{ x: '00ff' }]);
    expect(await refused(sql("repeat('x', 70000000)"))).toBe('too_large');
    const many = "SELECT repeat('x', 20000) FROM range(40000)";
    expect(await refused({ tables: {}, sql: many })).toBe('too_large');
  });

  it('P13 keeps every digit of an integer', async () => {
    const sql =
      'SELECT 9223372036854775807 AS a, 42 AS b, 0.5 AS c, sum(n) AS d FROM (SELECT 9007199254740993 AS n)';
    expect((await call({ tables: {}, sql })).rows).toEqual([
      { a: '9223372036854775807', b: 42, c: 0.5, d: '9007199254740993' },
    ]);
    const rows = [{ id: '12345678901234.123456', price: '10.5' }];
    expect((await call({ tables: { t: rows }, sql: 'SELECT id, price * 2 AS p FROM t' })).rows).toEqual([
      { id: '12345678901234.123456', p: 21 },
    ]);
  });

  it('P13 names columns without a name as the query writes them', async () => {
    const sql = 'SELECT max(total), sum(customer) > ? FROM orders';
    expect((await call({ tables, sql, parameters: [3.5] })).columns).toEqual([
      'max(total)',
      '(sum(customer) > 3.5)',
    ]);
  });

  it('P13 treats any column name as a name', async () => {
    const rows = [{ 'a"); DROP TABLE t; --': 1, select: 2 }];
    const found = await call({ tables: { t: rows }, sql: 'SELECT * FROM t' });
    expect(found.rows).toEqual(rows);
  });

  it('P13 keeps columns with equal names, names that differ in case, and inherited property names', async () => {
    const joined = 'SELECT a.id, b.id FROM a JOIN b ON b.ref = a.id';
    expect(await call({ tables: { a: [{ id: 1 }], b: [{ id: 7, ref: 1 }] }, sql: joined })).toEqual({
      columns: ['id', 'id_2'],
      rows: [{ id: 1, id_2: 7 }],
    });
    const rows: object[] = [{ Fee: 1, fee: 2 }, { toString: 'x' }];
    expect((await call({ tables: { t: rows }, sql: 'SELECT * FROM t' })).rows).toEqual([
      { Fee: 1, fee_2: 2, toString: null },
      { Fee: null, fee_2: null, toString: 'x' },
    ]);
  });

  it('P13 keeps the first row of each group, sorted by position', async () => {
    const sql =
      'SELECT * FROM t QUALIFY row_number() OVER (PARTITION BY c ORDER BY t.rowid) = 1 ORDER BY t.rowid';
    const rows = [
      { c: 1, n: 2 },
      { c: 2, n: 3 },
      { c: 1, n: 4 },
    ];
    for (const count of [1, 2]) {
      const first = rows.slice(0, count);
      expect((await call({ tables: { t: first }, sql })).rows).toEqual(first);
    }
    expect((await call({ tables: { t: rows }, sql })).rows).toEqual(rows.slice(0, 2));
  });

  it('P13 keeps versions as written; amounts are numbers', async () => {
    const versions = ['1.1', '1.10', '1.9'].map((version) => ({ version, n: '1' }));
    const count = 'SELECT version, count(*) AS n FROM t GROUP BY version';
    expect((await call({ tables: { t: versions }, sql: count })).rows).toEqual([
      { version: '1.1', n: 1 },
      { version: '1.10', n: 1 },
      { version: '1.9', n: 1 },
    ]);
    const prices = ['10', '10.00', '2.50', '0.75'].map((price) => ({ price }));
    const dear = 'SELECT price, price * 2 AS double FROM t WHERE price > 2 ORDER BY price';
    expect((await call({ tables: { t: prices }, sql: dear })).rows).toEqual([
      { price: 2.5, double: 5 },
      { price: 10, double: 20 },
      { price: 10, double: 20 },
    ]);
  });
});
