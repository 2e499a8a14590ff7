import { platformCatalogue, portTools } from '../catalogue.js';
import { computeTools } from '../compute/catalogue.js';
import compute from '../compute/compute.worker.js';
import type { HttpCall, ToolPorts } from '../ports.js';
import { ToolCallError } from '../tool.js';

type Answer = Record<string, unknown> & {
  rows: unknown;
  patch: string;
  markdown: string;
  issues: unknown[];
  fixed: number;
  coverage: number;
};

const signal = new AbortController().signal;
const call = (name: string, input: unknown) =>
  computeTools.find(({ description }) => description.name === name)!.call(input, {}) as Promise<Answer>;
const refused = (name: string, input: unknown) =>
  call(name, input).then(
    () => 'accepted',
    (error: unknown) => (error instanceof ToolCallError ? error.code : `thrown: ${String(error)}`),
  );

describe('the tools of the platform', () => {
  it('P12 describe arguments and results as JSON Schema, under unique names', () => {
    const names = platformCatalogue.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    for (const { name, input, output, description, timeoutMs, attempts } of platformCatalogue) {
      expect(name).toMatch(/^[a-z]+(_[a-z]+)*$/);
      expect(description.length).toBeGreaterThan(30);
      expect(input).toMatchObject({ type: 'object', additionalProperties: false });
      expect(output).toMatchObject({ type: 'object' });
      expect(timeoutMs).toBeGreaterThan(0);
      expect(attempts).toBeGreaterThan(0);
    }
  });

  it('P12 reject arguments that do not match', async () => {
    expect(await refused('parse_json', {})).toBe('invalid_arguments');
    expect(await refused('parse_json', { text: '1', more: true })).toBe('invalid_arguments');
  });
});

describe('parsing', () => {
  it('P12 parse_csv detects the delimiter, keeps quoted line ends, and names duplicate and empty columns', async () => {
    const { columns, rows } = await call('parse_csv', { text: '\ufeffa;b;b;\n1;"x\ny";3;4\n5\n' });
    expect(columns).toEqual(['a', 'b', 'b_2', 'column_4']);
    expect(rows).toEqual([
      { a: '1', b: 'x\ny', b_2: '3', column_4: '4' },
      { a: '5', b: '', b_2: '', column_4: '' },
    ]);
    expect((await call('parse_csv', { text: '1,2', header: false })).rows).toEqual([
      { column_1: '1', column_2: '2' },
    ]);
  });

  it('P12 parse_json, parse_yaml and parse_xml return data', async () => {
    expect(await call('parse_json', { text: '{"a":[1,null]}' })).toEqual({ data: { a: [1, null] } });
    expect(await call('parse_json', { text: '1\n\n{"b":2}\n', lines: true })).toEqual({
      data: [1, { b: 2 }],
    });
    expect(await call('parse_yaml', { text: 'a: &x [1, no]\nb: *x\n' })).toEqual({
      data: { a: [1, 'no'], b: [1, 'no'] },
    });
    expect(await call('parse_yaml', { text: 'a: 1\n---\n[2]\n' })).toEqual({ data: [{ a: 1 }, [2]] });
    expect(await call('parse_yaml', { text: '' })).toEqual({ data: null });
    expect(await call('parse_xml', { text: '<r a="1"><c>x &amp; y</c><c/><![CDATA[z]]></r>' })).toEqual({
      data: {
        name: 'r',
        attributes: { a: '1' },
        text: 'z',
        children: [
          { name: 'c', attributes: {}, text: 'x & y', children: [] },
          { name: 'c', attributes: {}, text: '', children: [] },
        ],
      },
    });
  });

  it.each([
    ['parse_json', '{'],
    ['parse_yaml', 'a: [1'],
    ['parse_xml', '<a><b></a>'],
    ['parse_xml', ''],
    ['parse_xml', '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>'],
    ['parse_xml', `${'<a>'.repeat(300)}${'</a>'.repeat(300)}`],
    ['parse_csv', 'a,b\n"unclosed'],
  ])('P12 %s rejects %j', async (name, text) => {
    expect(await refused(name, { text })).toBe('invalid_input');
  });

  it('P12 keeps names of inherited object properties, such as __proto__, and pollutes no prototype', async () => {
    const answers = await Promise.all([
      call('parse_csv', { text: '__proto__,constructor\n1,2\n' }),
      call('parse_json', { text: '{"__proto__":{"polluted":1}}' }),
      call('parse_yaml', { text: '__proto__: {polluted: 1}' }),
      call('parse_xml', { text: '<__proto__ __proto__="1"/>' }),
      call('query_tables', {
        tables: JSON.parse('{"__proto__":[{"__proto__":1,"a":2}]}') as unknown,
        sql: 'SELECT * FROM __proto__',
      }),
      call('transform_json', { data: JSON.parse('{"__proto__":1}') as unknown, expression: '$' }),
    ]);
    expect(answers.map((answer) => JSON.stringify(answer))).toEqual([
      '{"columns":["__proto__","constructor"],"rows":[{"__proto__":"1","constructor":"2"}]}',
      '{"data":{"__proto__":{"polluted":1}}}',
      '{"data":{"__proto__":{"polluted":1}}}',
      '{"data":{"name":"__proto__","attributes":{"__proto__":"1"},"text":"","children":[]}}',
      '{"columns":["__proto__","a"],"rows":[{"__proto__":1,"a":2}]}',
      '{"data":{"__proto__":1}}',
    ]);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  it('P12 parse_yaml does not expand an alias bomb', async () => {
    const levels = Array.from(
      { length: 12 },
      (_, n) => `l${n + 1}: &l${n + 1} [${`*l${n}, `.repeat(9)}*l${n}]`,
    );
    expect(await refused('parse_yaml', { text: `l0: &l0 [x]\n${levels.join('\n')}\n` })).toBe(
      'invalid_input',
    );
  });
});

describe('transform_json and diff_texts', () => {
  it('P12 transform_json reshapes data; an empty result is null', async () => {
    const data = { items: [{ n: 1 }, { n: 5 }, { n: 7 }] };
    expect(await call('transform_json', { data, expression: 'items[n > 2].n' })).toEqual({ data: [5, 7] });
    expect(await call('transform_json', { data, expression: 'none' })).toEqual({
      data: null,
      missing_fields: ['none'],
    });
    const rows = { data: { orders: [{ price: 7 }] }, expression: '[orders[prize > 5].{"id": nr}]' };
    expect(await call('transform_json', rows)).toEqual({ data: [], missing_fields: ['nr', 'prize'] });
    const none = { data: { orders: [] }, expression: '[orders[price > 5]]' };
    expect(await call('transform_json', none)).toEqual({ data: [] });
    expect(await call('transform_json', { data, expression: '$sum' })).toEqual({ data: null });
    expect(await refused('transform_json', { data, expression: 'items[' })).toBe('invalid_expression');
  });

  it('P12 transform_json cannot access prototypes or the process', async () => {
    for (const expression of [
      'constructor',
      '__proto__.x',
      '$string.constructor',
      '"".constructor("return process")()',
    ]) {
      const outcome = await call('transform_json', { data: {}, expression }).catch(() => ({ data: null }));
      expect(outcome).toMatchObject({ data: null });
    }
    await call('transform_json', { data: {}, expression: '$merge([{"__proto__": {"polluted": 1}}])' }).catch(
      () => null,
    );
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  it('P13 results that are too large or too deep never leave the process', async () => {
    const result = (expression: string) =>
      compute({ tool: 'transform_json', input: { data: null, expression } });
    expect(await result('$pad("x", 70000000)')).toMatchObject({ ok: false, code: 'too_large' });
    const nested = { tool: 'parse_json', input: { text: '['.repeat(1_001) + ']'.repeat(1_001) } };
    expect(await compute(nested)).toMatchObject({ ok: false, code: 'too_large' });
    expect(await result('$pad("x", 3)')).toEqual({ ok: true, output: { data: 'x  ' } });
  });

  it('P12 fill_template fills a text with rows, and refuses names that the data lacks', async () => {
    const template = 'Dear {{ name }},{% for row in rows %}\n- {{ row.what }}: {{ row.sum }}{% endfor %}';
    const data = { name: 'Ann', rows: [{ what: 'Oil', sum: 12.5 }] };
    expect(await call('fill_template', { template, data })).toEqual({ text: 'Dear Ann,\n- Oil: 12.5' });
    expect(await refused('fill_template', { template, data: { name: 'Ann' } })).toBe('invalid_template');
    expect(await refused('fill_template', { template: '{% for %}', data: {} })).toBe('invalid_template');
    for (const outside of ['{% include "/etc/passwd" %}', '{{ name.constructor }}', '{{ __proto__ }}'])
      expect(await refused('fill_template', { template: outside, data: { name: 'Ann' } })).toBe(
        'invalid_template',
      );
    const endless = '{% for i in (1..100000000) %}{{ i }}{% endfor %}';
    expect(await refused('fill_template', { template: endless, data: {} })).toBe('invalid_template');
  });

  it('P12 diff_texts counts lines and writes a patch', async () => {
    const found = await call('diff_texts', { before: 'a\nb\nc\n', after: 'a\nB\nc\nd\n' });
    expect(found).toMatchObject({ equal: false, added: 2, removed: 1 });
    expect(found.patch).toContain('-b\n+B');
    expect(await call('diff_texts', { before: 'a', after: 'a' })).toEqual({
      equal: true,
      added: 0,
      removed: 0,
      patch: '',
    });
  });
});

describe('lint_markdown and trace_markdown', () => {
  it('P12 fixes blank lines and lists the remaining issues', async () => {
    const found = await call('lint_markdown', { markdown: '# A\ntext\n\n```\nopen\n' });
    expect(found.fixed).toBeGreaterThan(0);
    expect(found.markdown.startsWith('# A\n\ntext')).toBe(true);
    expect(found.issues.length).toBeGreaterThan(0);
  });

  it('P12 proves which lines are carried', async () => {
    const sources = [{ name: 'a.log', text: 'line one\nline two\n' }];
    const whole = await call('trace_markdown', {
      markdown: '# Summary\n\n```\nline one\nline two\n```\n',
      sources,
    });
    expect(whole).toEqual({ coverage: 1, issues: [] });
    const part = await call('trace_markdown', { markdown: '# Summary\n\n```\nline one\n```\n', sources });
    expect(part.coverage).toBeLessThan(1);
    expect(part.issues.length).toBeGreaterThan(0);
  });
});

describe('tools with ports', () => {
  const ports = (others: { name: string; bytes: number }[] = []): ToolPorts => ({
    inputs: {
      list: () =>
        Promise.resolve([
          { name: 'a.XML', bytes: 3 },
          { name: 'b.csv', bytes: 4 },
          { name: 'README', bytes: 5 },
          ...others,
        ]),
      text: (name) =>
        name === 'b.csv'
          ? Promise.resolve('a,b\n')
          : Promise.reject(new ToolCallError('not_found', 'no such input')),
      table: () => Promise.reject(new ToolCallError('not_found', 'no such input')),
    },
    makeWorkbook: () => Promise.resolve(Buffer.from('PK')),
    keepFile: ({ name }) => Promise.resolve({ exportId: `export of ${name}` }),
    sendMail: () => Promise.resolve({ messageId: '<1@example.org>', accepted: [], rejected: [] }),
    sendRequest: (call) =>
      Promise.resolve({ status: 200, mediaType: 'application/json', location: null, body: call, text: null }),
    searchKnowledge: () => Promise.resolve([]),
    convert: (markdown) => Promise.resolve(Buffer.from(markdown)),
    signal,
  });
  const use = (name: string, input: unknown, given = ports()) =>
    portTools.find(({ description }) => description.name === name)!.call(input, given);

  it('P12 list and read inputs', async () => {
    expect(await use('list_inputs', {})).toMatchObject({ formats: { xml: 1, csv: 1, none: 1 } });
    expect(await use('list_inputs', { format: 'xml' })).toEqual({
      files: [{ name: 'a.XML', bytes: 3, format: 'xml' }],
      formats: { xml: 1 },
    });
    expect(await use('read_input', { name: 'b.csv', offset: 1, limit: 2 })).toEqual({
      name: 'b.csv',
      text: ',b',
      characters: 4,
      format: 'csv',
    });
    expect(await use('extract_text', { name: 'b.csv' })).toEqual({
      name: 'b.csv',
      text: 'a,b\n',
      format: 'csv',
    });
    await expect(use('read_input', { name: 'c' })).rejects.toMatchObject({ code: 'not_found' });
  });

  it('P12 cut no text: read_input says that it is too long, and extract_text returns all', async () => {
    const long = 'a'.repeat(4_000_001);
    const given = ports();
    given.inputs.text = () => Promise.resolve(long);
    await expect(use('read_input', { name: 'c' }, given)).rejects.toMatchObject({ code: 'too_large' });
    expect(await use('read_input', { name: 'c', offset: 4_000_000 }, given)).toMatchObject({ text: 'a' });
    expect(((await use('extract_text', { name: 'c' }, given)) as { text: string }).text).toHaveLength(
      4_000_001,
    );
  });

  it('P12 count files whose extensions are names of inherited object properties', async () => {
    const names = ['a.constructor', 'b.constructor', 'c.__proto__'];
    const given = ports(names.map((name) => ({ name, bytes: 1 })));
    const { formats } = (await use('list_inputs', {}, given)) as { formats: object };
    expect(JSON.stringify(formats)).toBe('{"xml":1,"csv":1,"none":1,"constructor":2,"__proto__":1}');
  });

  it('P12 store a converted file under a safe name', async () => {
    expect(await use('convert_markdown', { markdown: '# x', format: 'docx', title: '../a/b:c' })).toEqual({
      export_id: 'export of .. a b c.docx',
      name: '.. a b c.docx',
      bytes: 3,
    });
  });

  it('P12 read pages by http_request, and by its older name', async () => {
    const url = 'https://example.org/';
    const page = { status: 200, mediaType: 'text/html', location: null, body: '<b>a</b>', text: '**a**' };
    const given = { ...ports(), sendRequest: () => Promise.resolve(page) };
    expect(await use('fetch_url', { url }, given)).toEqual({
      status: 200,
      media_type: 'text/html',
      text: '**a**',
    });
    expect(await use('http_request', { method: 'GET', url }, given)).toMatchObject({ text: '**a**' });
    const missing = { ...page, status: 404, text: '{"error":"none"}' };
    const older = {
      ...given,
      sendRequest: (call: HttpCall) => Promise.resolve(call.isAnyAnswer ? missing : page),
    };
    expect(await use('fetch_url', { url }, older)).toMatchObject({ status: 404, text: missing.text });
    const picture = { ...page, mediaType: 'image/png', body: null, text: null };
    await expect(
      use('fetch_url', { url }, { ...given, sendRequest: () => Promise.resolve(picture) }),
    ).rejects.toMatchObject({ code: 'not_text' });
    await expect(use('fetch_url', { url: 'file:///etc/passwd' })).rejects.toMatchObject({
      code: 'invalid_arguments',
    });
  });

  it('P12 P13 http_request sends JSON, and names of secrets instead of credentials', async () => {
    const url = 'https://api.example/v1';
    const headers = { authorization: 'Bearer {{crm}}' };
    expect(await use('http_request', { method: 'POST', url, headers, body: { a: 1 } })).toMatchObject({
      status: 200,
      body: { method: 'POST', url, headers, body: '{"a":1}' },
    });
    const codes = [
      { method: 'GET', url, body: {} },
      { method: 'POST', url, body: 'x'.repeat(1_100_000) },
      { method: 'TRACE', url },
      { method: 'GET', url: 'ftp://api.example/' },
      { method: 'GET', url, headers: { authorization: 'Bearer 12345678' } },
      { method: 'GET', url, headers: { 'X-Api-Key': '12345678' } },
      { method: 'GET', url, headers: { host: 'other.example' } },
      { method: 'GET', url, headers: { a: 'b\r\nc: d' } },
      { method: 'GET', url, headers: { authorization: '{{../x}}' } },
    ].map((input) =>
      use('http_request', input).then(
        () => 'sent',
        ({ code }: ToolCallError) => code,
      ),
    );
    const invalid = 'invalid_arguments';
    expect(await Promise.all(codes)).toEqual([invalid, 'too_large', ...Array<string>(7).fill(invalid)]);
  });

  it.each([
    ['Ocp-Apim-Subscription-Key', '0123456789abcdef'],
    ['PRIVATE-TOKEN', '0123456789'],
    ['X-Shopify-Access-Token', '0123456789'],
    ['x-amz-security-token', '0123456789'],
    ['Proxy_Authorization', '0123456789'],
    ['xauth', '0123456789'],
    ['X-Client-Secret', '0123456789'],
    ['Cookie', 'a=b'],
    ['X-Anything', 'Bearer 0123456789'],
    ['X-Anything', 'basic dXNlcjpwdw=='],
  ])(
    'P13 a credential is recognized by the form of its header, and never written out: %s: %s',
    async (name, value) => {
      const call = { method: 'GET', url: 'https://api.example/', headers: { [name]: value } };
      await expect(use('http_request', call)).rejects.toMatchObject({ code: 'invalid_arguments' });
      const named = { ...call, headers: { [name]: 'Bearer {{crm}}' } };
      expect(await use('http_request', named)).toMatchObject({ status: 200 });
    },
  );

  it.each([
    ['Idempotency-Key', 'b1c9'],
    ['Accept', 'application/json'],
    ['Content-Language', 'en'],
    ['If-None-Match', '"b1c9"'],
    ['X-Author', 'Ada'],
    ['X-Keyword', 'bearer of good news'],
  ])('P12 other headers are written out: %s', async (name, value) => {
    const call = { method: 'GET', url: 'https://api.example/', headers: { [name]: value } };
    expect(await use('http_request', call)).toMatchObject({ status: 200 });
  });
});
