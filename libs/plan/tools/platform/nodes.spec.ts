import { withIdempotencyKey } from './http-request.js';
import { resolveArguments } from '../../dag/dag.js';
import { planUpdate } from '../../dag/progress.js';
import { platformCatalogue, portTools } from '../catalogue.js';
import { computeTools } from '../compute/catalogue.js';
import type { ToolPorts } from '../ports.js';
import { ToolCallError } from '../tool.js';
import { buildToolbox } from '../toolbox.js';
import { parseXml } from './parse.js';
import type { FinishedItems } from './item-journal.js';
import { mapTool } from './map.js';
import fc from 'fast-check';

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- results of many tools
type Answer = any;

const call = (name: string, input: unknown): Promise<Answer> =>
  computeTools.find(({ description }) => description.name === name)!.call(input, {});
const codeOf = (promise: Promise<unknown>) =>
  promise.then(
    () => 'accepted',
    (error: unknown) => (error instanceof ToolCallError ? error.code : `thrown: ${String(error)}`),
  );

describe('aggregate', () => {
  const rows = [
    { zone: 'A', price: '0.10', note: 'x' },
    { zone: 'B', price: '7', note: '' },
    { zone: 'A', price: '0.20', note: 'n/a' },
    { zone: 'A', price: '', note: '' },
  ];

  it('P12 computes exact totals for each group and ignores empty cells', async () => {
    const measures = (['sum', 'average', 'count', 'min', 'max'] as const).map((kind) => ({
      column: 'price',
      function: kind,
    }));
    expect(await call('aggregate', { rows, measures, group_by: ['zone'] })).toEqual({
      columns: ['zone', 'sum_price', 'average_price', 'count_price', 'min_price', 'max_price'],
      rows: [
        { zone: 'A', sum_price: 0.3, average_price: 0.15, count_price: 2, min_price: 0.1, max_price: 0.2 },
        { zone: 'B', sum_price: 7, average_price: 7, count_price: 1, min_price: 7, max_price: 7 },
      ],
    });
  });

  it('P12 rejects texts that are not numbers, and unknown columns', async () => {
    const of = (column: string) => call('aggregate', { rows, measures: [{ column, function: 'sum' }] });
    expect(await codeOf(of('note'))).toBe('not_a_number');
    await expect(of('cost')).rejects.toThrow('The columns are: zone, price, note.');
  });

  it('P12 adds decimals exactly', async () => {
    const cents = fc.array(fc.integer({ min: -1_000_000, max: 1_000_000 }), { minLength: 1, maxLength: 30 });
    await fc.assert(
      fc.asyncProperty(cents, async (amounts) => {
        const given = amounts.map((amount) => ({ a: (amount / 100).toFixed(2) }));
        const { rows: totals } = await call('aggregate', {
          rows: given,
          measures: [{ column: 'a', function: 'sum', as: 's' }],
        });
        expect(totals[0].s).toBe(amounts.reduce((sum, amount) => sum + amount, 0) / 100 + 0);
      }),
    );
  });
});

describe('branch', () => {
  it('P12 returns the branch of a condition, and rejects one that is neither true nor false', async () => {
    const data = { rows: [1, 2] };
    expect(await call('branch', { data, condition: '$count(rows) > 1' })).toEqual({
      then: true,
      else: false,
    });
    expect(await call('branch', { data, condition: '$count(rows) > 2' })).toEqual({
      then: false,
      else: true,
    });
    for (const condition of ['rows', 'none', '1 +', '"true"'])
      expect(await codeOf(call('branch', { data, condition }))).toBe('invalid_expression');
  });
});

describe('map', () => {
  const items = ['a', 'b', 'c', 'd'].map((name) => ({ name }));
  const args = { text: { $item: '/name' }, list: [{ $item: '' }] };

  it('P12 calls the tool for each item, in order, and never exceeds its width', async () => {
    let [open, most] = [0, 0];
    const callItem = async (_: string, input: unknown) => {
      most = Math.max(most, ++open);
      await Promise.resolve();
      open -= 1;
      return input;
    };
    const result: Answer = await mapTool.call({ items, tool: 't', arguments: args, width: 2 }, { callItem });
    expect(result).toMatchObject({ completed: 4, failed: 0, failures: [] });
    expect(result.results[1]).toEqual({ text: 'b', list: [{ name: 'b' }] });
    expect(most).toBe(2);
  });

  it('P12 reports failed items, and fails if all fail or if configured to', async () => {
    const callItem = (_: string, input: unknown, index: number) =>
      index === 1 ? Promise.reject(new ToolCallError('no_text', 'No text.')) : Promise.resolve(input);
    const mapped = (more: object) =>
      mapTool.call({ items, tool: 't', arguments: args, ...more }, { callItem });
    expect(await mapped({})).toMatchObject({
      completed: 3,
      failed: 1,
      failures: [{ index: 1, code: 'no_text' }],
      results: [{}, null, {}, {}],
    });
    await expect(mapped({ on_error: 'fail' })).rejects.toThrow('1 of 4 items failed, first item 1: No text.');
    expect(
      await codeOf(
        mapTool.call({ items: [items[0]], tool: 't', arguments: { a: { $item: '/x' } } }, { callItem }),
      ),
    ).toBe('invalid_arguments');
  });

  it('X3 a repetition after a crash calls only items without a stored result', async () => {
    const stored = new Map<number, FinishedItems>();
    const many = Array.from({ length: 20 }, (_, n) => n);
    const attempt = (batch: number, diesAt: number) => {
      const called: number[] = [];
      const journal = {
        batch,
        read: () => Promise.resolve([...stored.values()]),
        write: (part: number, finished: FinishedItems) => Promise.resolve(void stored.set(part, finished)),
      };
      const callItem = (_: string, input: unknown, index: number) => {
        called.push(index);
        return index === diesAt ? Promise.reject(new Error('the worker dies')) : Promise.resolve(input);
      };
      const mapped = mapTool.call(
        { items: many, tool: 't', arguments: { a: { $item: '' } }, width: 1 },
        { callItem, journal },
      );
      return { mapped, called };
    };
    await expect(attempt(5, 12).mapped).rejects.toThrow('the worker dies');
    const { mapped, called } = attempt(5, -1);
    expect(await mapped).toMatchObject({ completed: 20, results: many.map((a) => ({ a })) });
    expect(called).toEqual(many.slice(10));
    stored.clear();
    await expect(attempt(1, 12).mapped).rejects.toThrow('the worker dies');
    const paid = attempt(1, -1);
    await paid.mapped;
    expect(paid.called).toEqual(many.slice(12));
    stored.clear();
    await attempt(50, -1).mapped;
    expect(stored.size).toBe(0);
  });

  it('P12 stops at a failure of the platform, and retries the whole map', async () => {
    let calls = 0;
    const callItem = () => Promise.reject(new Error(`down ${++calls}`));
    await expect(mapTool.call({ items, tool: 't', arguments: {}, width: 1 }, { callItem })).rejects.toThrow(
      'down 1',
    );
    expect(calls).toBe(1);
  });

  it('P5 P12 plans ask before a map with side effects and reject tools that a map cannot call', () => {
    const box = buildToolbox(platformCatalogue);
    const of = (tool: unknown) =>
      planUpdate(
        [{ id: 'm', tool: 'map', arguments: { items: [], tool, arguments: {} }, depends_on: [] }],
        box,
      );
    expect(of('read_input').with_side_effects).toEqual([]);
    expect(of('fetch_url').with_side_effects).toEqual(['m']);
    for (const tool of ['map', 'run_document', 'nothing', { $from: 'x', path: '' }])
      expect(() => of(tool)).toThrow();
  });

  it('P5 P13 plans ask before an HTTP request, unless it is a GET with a literal URL', () => {
    const box = buildToolbox(platformCatalogue);
    const url = 'https://api.example/';
    const task = (id: string, args: object, tool = 'http_request') => ({
      ...{ id, tool, arguments: args as Record<string, unknown>, depends_on: [] },
    });
    const tasks = [
      task('list', {}, 'list_inputs'),
      task('get', { method: 'GET', url }),
      task('carries', { method: 'GET', url: { $from: 'list', path: '/files/0/name' } }),
      task('post', { method: 'POST', url }),
      task(
        'each',
        { items: [], tool: 'http_request', arguments: { method: 'GET', url: { $item: '' } } },
        'map',
      ),
    ];
    expect(planUpdate(tasks, box).with_side_effects).toEqual(['carries', 'post', 'each']);
    const posts = { items: [], tool: 'http_request', arguments: { method: 'POST', url: { $item: '' } } };
    expect(planUpdate([task('m', posts, 'map')], box).with_side_effects).toEqual(['m']);
    const open = { method: 'GET', url, headers: { Authorization: 'Bearer 12345678' } };
    expect(() => planUpdate([task('open', open)], box)).toThrow('as a secret');
  });

  it('P12 leaves headers that are none to the check of the call', () => {
    const args = { method: 'POST', url: 'https://api.example/', headers: null };
    expect(withIdempotencyKey('http_request', args, 'seed')).toBe(args);
  });

  it('P12 does not count positions to skip that the list lacks', async () => {
    const call = { items: ['a', 'b'], tool: 't', arguments: {}, skip: [1, 7, 8] };
    const callItem = () => Promise.resolve(1);
    expect(await mapTool.call(call, { callItem })).toMatchObject({ completed: 1, failed: 0 });
  });

  it('P12 keeps references to the item when results are filled in', () => {
    expect(resolveArguments({ a: { $item: '/x' } }, new Map())).toEqual({ a: { $item: '/x' } });
  });
});

describe('draw_chart', () => {
  const rows = [
    { zone: '<A> & "B"', price: '3.5', cost: 1 },
    { zone: 'C\u0000', price: '-1', cost: 2 },
  ];
  const chart = (more: object) =>
    call('draw_chart', { rows, label: 'zone', values: ['price'], kind: 'bar', ...more });

  it.each(['bar', 'line', 'pie'])(
    'P12 draws a %s chart as well-formed SVG, the same every time',
    async (kind) => {
      const input = { kind, values: kind === 'pie' ? ['cost'] : ['price', 'cost'], title: 'T <1>' };
      const { svg, points } = await chart(input);
      expect(points).toBe(2);
      expect(() => parseXml(svg)).not.toThrow();
      expect(svg).toContain('&lt;A&gt; &amp; &quot;B&quot;');
      expect(await chart(input)).toEqual({ svg, points });
    },
  );

  it('P12 rejects values that cannot be drawn', async () => {
    expect(await codeOf(chart({ values: ['zone'] }))).toBe('not_a_number');
    expect(await codeOf(chart({ values: ['none'] }))).toBe('no_such_column');
    expect(await codeOf(chart({ rows: [] }))).toBe('no_rows');
    expect(await codeOf(chart({ kind: 'pie' }))).toBe('invalid_arguments');
  });
});

describe('write_file', () => {
  const kept: { name: string; format: string; text: string }[] = [];
  const ports = {
    keepFile: ({ name, format, bytes }: { name: string; format: string; bytes: Uint8Array }) => {
      kept.push({ name, format, text: Buffer.from(bytes).toString() });
      return Promise.resolve({ exportId: 'exp_1' });
    },
    convert: (markdown: string, format: string) => Promise.resolve(Buffer.from(`${format}: ${markdown}`)),
  } as unknown as ToolPorts;
  const write = (name: string, content: unknown) =>
    portTools.find(({ description }) => description.name === 'write_file')!.call({ name, content }, ports);

  it('P12 writes texts, tables, data and documents, chosen by file extension', async () => {
    expect(await write('a.md', '# A')).toEqual({ export_id: 'exp_1', name: 'a.md', format: 'md', bytes: 3 });
    await write('t.CSV', [{ a: 'x "y"', b: 1.5 }, { b: null, c: 'l\nm' }, { a: [1] }]);
    await write('d.json', { a: [1] });
    await write('r.docx', '# R');
    await write('r.pdf', [{ a: 'x|y_z*', b: 1.5 }, { c: 'l\nm' }]);
    expect(kept.map(({ format, text }) => [format, text]).slice(1)).toEqual([
      ['csv', 'a,b,c\r\n"x ""y""",1.5,\r\n,,"l\nm"\r\n[1],,\r\n'],
      ['json', '{\n  "a": [\n    1\n  ]\n}\n'],
      ['docx', 'docx: # R'],
      ['pdf', 'pdf: | a | b | c |\n| --- | --- | --- |\n| x\\|y_z\\* | 1.5 |  |\n|  |  | l<br>m |\n'],
    ]);
  });

  it('P12 P13 rejects names with folders or unknown extensions, and content of another type', async () => {
    for (const name of ['../a.md', 'a/b.md', 'a.exe', '.md', 'md', 'a\u0000.md'])
      expect(await codeOf(write(name, 'x'))).toBe('invalid_name');
    expect(await codeOf(write('a.csv', 'x'))).toBe('invalid_arguments');
    expect(await codeOf(write('a.md', [1]))).toBe('invalid_arguments');
  });
});
