import fc from 'fast-check';
import { distinctNames } from './record.js';
import { parseExactJson } from './exact-json.js';
import { parseCsv, parseJson, parseYamlTool } from './parse.js';
import { readCsv } from './read-csv.js';

interface Tool {
  call(input: unknown, ports: object): Promise<unknown>;
}
const call = (tool: unknown, text: string, more = {}) => (tool as Tool).call({ text, ...more }, {});
const csv = (text: string, more = {}) =>
  call(parseCsv, text, more) as Promise<{ columns: string[]; rows: Record<string, string>[] }>;
const data = async (tool: unknown, text: string, more = {}) =>
  ((await call(tool, text, more)) as { data: unknown }).data;

describe('parse_csv', () => {
  it("P12 reads Excel's line that names the separator", async () => {
    for (const [line, mark] of [
      ['sep=;', ';'],
      ['\uFEFF"sep=|"', '|'],
      ['SEP=^', '^'],
    ])
      expect(await csv(`${line}\r\na${mark}b\r\n1,5${mark}2`)).toEqual({
        columns: ['a', 'b'],
        rows: [{ a: '1,5', b: '2' }],
      });
  });

  it('P12 gives cells beyond the header their own columns', async () => {
    expect(await csv('name,column_3\nIda,16,Mill Lane,Dock\nTom\n')).toEqual({
      columns: ['name', 'column_3', 'column_3_2', 'column_4'],
      rows: [
        { name: 'Ida', column_3: '16', column_3_2: 'Mill Lane', column_4: 'Dock' },
        { name: 'Tom', column_3: '', column_3_2: '', column_4: '' },
      ],
    });
  });

  it.each([
    ['"Fee; net, gross";Dock\n1;2', ['Fee; net, gross', 'Dock']],
    ['a;b\n1,5;2,5\n3,5;4,5', ['a', 'b']],
    ['1,5;2,5\n3,5;4,5', ['1,5', '2,5']],
    ['a, b, c\n1, 2, 3', ['a', ' b', ' c']],
    ['a|b\nx, y|z', ['a', 'b']],
    ['only\nx;y', ['only']],
  ])('P12 detects the separator of %j', async (text, columns) => {
    expect((await csv(text)).columns).toEqual(columns);
  });

  it.each([
    ['id\tname\nK\tAro"v\nX\t5" pipe', ['Aro"v', '5" pipe']],
    ['id\tname\n1\t"open\n2\tclosed"', ['"open', 'closed"']],
    ['id\tname\n1\t"Big" Tom\n2\t6\'2"', ['"Big" Tom', '6\'2"']],
    ['id\tname\n1\t"dock"\n2\tb', ['"dock"', 'b']],
    ['id\tname\n1\t"say ""aye"""\n2\t"b, c"', ['say "aye"', 'b, c']],
    ['id\tname\n1\t"two\nlines"\n2\tb', ['two\nlines', 'b']],
    ['"id"\t"name"\n1\t"a"\n2\t"b"', ['a', 'b']],
  ])('P12 reads quotation marks between tabs: %j', async (text, names) => {
    expect((await csv(text)).rows.map(({ name }) => name)).toEqual(names);
  });

  it('P12 keeps stray quotation marks between commas', async () => {
    expect((await csv('a,b\n5" pipe,"x, y"\n')).rows).toEqual([{ a: '5" pipe', b: 'x, y' }]);
  });

  it('P12 reads back every table that was written with quotes', () => {
    const cell = fc.string({ unit: fc.constantFrom('a', ';', ',', '"', '\n', ' ', '1', 'ż') });
    const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
    fc.assert(
      fc.property(
        fc.array(fc.array(cell, { minLength: 2, maxLength: 2 }), { minLength: 1, maxLength: 5 }),
        fc.constantFrom(',', ';', '|'),
        (rows, mark) => {
          const text = rows.map((row) => row.map(quoted).join(mark)).join('\n');
          expect(readCsv(text, mark, 100)).toEqual(rows);
          expect(readCsv(`sep=${mark}\n${text}`, undefined, 100)).toEqual(rows);
        },
      ),
    );
  });
});

describe('distinctNames', () => {
  it('P12 gives each column its own name', () => {
    expect(distinctNames(['a', 'a', 'a_2', 'a'])).toEqual(['a', 'a_3', 'a_2', 'a_4']);
    fc.assert(
      fc.property(fc.array(fc.constantFrom('a', 'a_2', 'a_3', 'A', '__proto__', '')), (names) => {
        expect(new Set(distinctNames(names)).size).toBe(names.length);
      }),
    );
  });
});

describe('exact numbers', () => {
  it('P12 parse_json keeps every digit', async () => {
    const json =
      '{"id":9007199254740995,"n":[1.10,-12345678901234567890,0.1,1e400],"t":"9007199254740995","k":[1.0,1e3]}';
    expect(await data(parseJson, json)).toEqual({
      id: '9007199254740995',
      n: ['1.10', '-12345678901234567890', 0.1, '1e400'],
      t: '9007199254740995',
      k: [1, 1000],
    });
    expect(await data(parseJson, '{"a":1.20}\n\n{"a":2}', { lines: true })).toEqual([
      { a: '1.20' },
      { a: 2 },
    ]);
    await expect(data(parseJson, '1\n{"a"\n', { lines: true })).rejects.toThrow('line 2: ');
    await expect(data(parseJson, '{"a":1,"\\u0061":2}')).rejects.toThrow('two values named "a"');
    expect(await data(parseJson, '[{"a":1},{"a":1,"b":{"a":2}},["a","a"]]')).toHaveLength(3);
  });

  it('P12 parse_yaml keeps every digit, and all documents', async () => {
    const yaml =
      'v: 1.10\nid: 9007199254740995\nzip: 007\nx: .nan\nhex: 0x1F\nn: [5, -2.5, .5, 1e3]\n1.10: key\n__proto__: 1.0';
    expect(JSON.stringify(await data(parseYamlTool, yaml))).toBe(
      '{"v":"1.10","id":"9007199254740995","zip":"007","x":".nan","hex":31,"n":[5,-2.5,0.5,1000],"1.10":"key","__proto__":"1.0"}',
    );
    expect(await data(parseYamlTool, '---\na: 1\n---\n---\nb: 1.50\n...\n')).toEqual([
      { a: 1 },
      null,
      { b: '1.50' },
    ]);
  });

  it.each([
    ['!!set {a, b}', { a: null, b: null }],
    ['!!omap [b: 1, a: 2]', [{ b: 1 }, { a: 2 }]],
    ['a: !Ref x', { a: { '!Ref': 'x' } }],
    ['!Sub [x, {b: !Ref 1.10}]', { '!Sub': ['x', { b: { '!Ref': '1.10' } }] }],
    ['a: &k !Ref x\nb: *k', { a: { '!Ref': 'x' }, b: { '!Ref': 'x' } }],
    ['a: !!python/tuple [1]', { a: { '!!python/tuple': [1] } }],
    ['[! 12, !!str 12, !!binary aGk=, !!timestamp 2026-01-02]', ['12', '12', 'aGk=', '2026-01-02']],
    ['b: &b {x: 1, y: 2}\nc: {<<: *b, y: 3}', { b: { x: 1, y: 2 }, c: { x: 1, y: 3 } }],
  ])('P12 parse_yaml keeps the tags and merges of %j', async (yaml, expected) => {
    expect(JSON.parse(JSON.stringify(await data(parseYamlTool, yaml)))).toEqual(expected);
  });

  it('P12 parse_yaml rejects merges of values that are not maps, and tags on keys', async () => {
    for (const yaml of ['<<: text\na: 1', '!k a: 1'])
      await expect(data(parseYamlTool, yaml)).rejects.toThrow('The text is not valid YAML');
  });

  it('P12 parse_json returns the same as JSON.parse, except for numbers that would lose digits', () => {
    fc.assert(
      fc.property(fc.json(), (json) => {
        const text = JSON.stringify(JSON.parse(json));
        if (text === json && !/[eE]/.test(json)) expect(JSON.stringify(parseExactJson(json))).toBe(json);
      }),
    );
    fc.assert(
      fc.property(fc.bigInt(), (number) => {
        const [value] = parseExactJson(`[${number}]`) as [unknown];
        expect(String(value)).toBe(String(number));
      }),
    );
  });
});
