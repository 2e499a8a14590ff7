import type { ApiClient } from '#testing/api-client.js';
import { ArticleDesk } from '#testing/article-desk.js';
import { sharedStack, type SharedStack } from '#testing/shared-stack.js';
import { until } from '#testing/until.js';
import { strFromU8, unzipSync } from 'fflate';
import { BookClient } from './book-client.js';
import { from, task } from './plan-bodies.js';

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- views of plans, read at many depths
type View = any;

/** Tools of plans that use other parts of the product. */
describe('tools of plans on the whole system', () => {
  let stack: SharedStack;
  let tenant: ApiClient;
  beforeAll(async () => {
    stack = await sharedStack();
    tenant = await stack.tenant();
  });

  const begin = async (session_id: string, tasks: unknown[]): Promise<string> => {
    const config = { hil: { approval_required: 'never' } };
    const begun = await tenant.post('/api/plans', { session_id, dag: { tasks }, config });
    expect([begun.status, begun.json.code]).toEqual([202, undefined]);
    return String(begun.json.id);
  };
  const ended = async (id: string, session_id: string): Promise<View> => {
    await tenant.events(id);
    const result = async (name: string): Promise<View> =>
      (await tenant.get(`/api/plans/${id}/tasks/${name}/result`)).json;
    return { ...(await tenant.get(`/api/plans/${id}`)).json, session_id, result };
  };
  const run = async (tasks: unknown[]): Promise<View> => {
    const session = await tenant.sessionWith({ 'a.md': '# A\n\nTea.\n' });
    return ended(await begin(session, tasks), session);
  };

  it('P12 search_knowledge finds passages of the tenant’s collections', async () => {
    const collection = await tenant.post('/api/knowledge/collections', { name: 'Drinks' });
    const sources = `/api/knowledge/collections/${String(collection.json.id)}/sources`;
    await tenant.post(sources, { name: 'tea', text: 'Green tea is drunk with honey.' });
    await until(
      'the source is ready',
      async () => ((await tenant.get(sources)).json as View).items[0] as View,
      ({ state }) => state === 'ready',
    );
    const plan = await run([
      task('search', 'search_knowledge', { query: 'honey' }),
      task('other', 'search_knowledge', { query: 'honey', collections: ['col_0'] }),
    ]);
    expect(plan.results.map(({ status }: View) => status).sort()).toEqual(['completed', 'failed']);
    expect((await plan.result('search')).hits).toMatchObject([{ source_name: 'tea' }]);
  });

  it('P12 convert_markdown makes an e-book from a file that the plan read', async () => {
    const plan = await run([
      task('read', 'read_input', { name: 'a.md' }),
      task('make', 'convert_markdown', { markdown: from('read', '/text'), format: 'epub', title: 'A' }),
    ]);
    const { export_id } = await plan.result('make');
    const answer = await fetch(`${tenant.baseUrl}/api/sessions/${plan.session_id}/exports/${export_id}`, {
      headers: { authorization: `Bearer ${tenant.key}` },
    });
    const files = unzipSync(new Uint8Array(await answer.arrayBuffer()));
    expect(strFromU8(files['mimetype']!)).toBe('application/epub+zip');
    expect(Object.keys(files)).toContain('OEBPS/package.opf');
  });

  it('P12 read_table reads the Excel file that write_file wrote, and writes CSV for Excel', async () => {
    const session = await tenant.sessionWith({ 'p.csv': 'zone;price\nA;0,10\nB;1.007,00\n' });
    const begun = await begin(session, [
      task('rows', 'read_table', { name: 'p.csv' }),
      task('book', 'write_file', { name: 'p.xlsx', content: from('rows', '/rows') }),
      task('csv', 'write_file', { name: 'q.csv', content: from('rows', '/rows'), locale: 'de-DE' }),
    ]);
    const plan = await ended(begun, session);
    expect(plan.status).toBe('completed');
    const exported = async (name: string) => {
      const { export_id } = await plan.result(name);
      const path = `${tenant.baseUrl}/api/sessions/${session}/exports/${export_id}`;
      return (await fetch(path, { headers: { authorization: `Bearer ${tenant.key}` } })).arrayBuffer();
    };
    expect(Buffer.from(await exported('csv')).toString()).toBe('zone;price\r\nA;0,1\r\nB;1007\r\n');
    const again = await tenant.sessionWith({ 'p.xlsx': new Uint8Array(await exported('book')) });
    const read = await ended(
      await begin(again, [
        task('rows', 'read_table', { name: 'p.xlsx' }),
        task('none', 'read_table', { name: 'x.xlsx' }),
      ]),
      again,
    );
    expect((await read.result('rows')).rows).toEqual([
      { zone: 'A', price: 0.1 },
      { zone: 'B', price: 1007 },
    ]);
    expect(read.results.find(({ task_id }: View) => task_id === 'none').error.code).toBe('not_found');
  });

  it('P12 write_file creates files that the plan lists for download', async () => {
    const session = await tenant.sessionWith({ 'prices.csv': 'zone,price\nA,0.10\nB,7\nA,0.20\n' });
    const id = await begin(session, [
      task('read', 'read_input', { name: 'prices.csv' }),
      task('rows', 'parse_csv', { text: from('read', '/text') }),
      task('sums', 'aggregate', {
        rows: from('rows', '/rows'),
        group_by: ['zone'],
        measures: [{ column: 'price', function: 'sum', as: 'total' }],
      }),
      task('chart', 'draw_chart', {
        rows: from('sums', '/rows'),
        kind: 'bar',
        label: 'zone',
        values: ['total'],
      }),
      task('picture', 'write_file', { name: 'sums.svg', content: from('chart', '/svg') }),
      task('table', 'write_file', { name: 'sums.csv', content: from('sums', '/rows') }),
    ]);
    const plan = await ended(id, session);
    expect(plan).toMatchObject({ status: 'completed', error: null });
    const files = new Map<string, View>(plan.files.map((file: View) => [file.name, file]));
    expect([...files.keys()].sort()).toEqual(['sums.csv', 'sums.svg']);
    const text = async (name: string) => {
      const path = `/api/sessions/${session}/exports/${String(files.get(name).id)}`;
      const headers = { authorization: `Bearer ${tenant.key}` };
      return (await fetch(`${tenant.baseUrl}${path}`, { headers })).text();
    };
    expect(await text('sums.csv')).toBe('zone,total\r\nA,0.3\r\nB,7\r\n');
    expect(await text('sums.svg')).toContain('</svg>');
  });

  it('P12 a document that the plan writes shows the chart that it drew, and pictures among the inputs', async () => {
    const photo = Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
      'base64',
    );
    const session = await tenant.sessionWith({ 'a.md': 'Tea.', 'photo.png': photo });
    const rows = [{ zone: 'A', total: '1,5' }];
    const content = '# Sums\n\n![Sums](sums.svg)\n\n![Depot](photo.png)\n\n![Gone](gone.png)\n';
    const id = await begin(session, [
      task('chart', 'draw_chart', { rows, kind: 'bar', label: 'zone', values: ['total'] }),
      task('picture', 'write_file', { name: 'sums.svg', content: from('chart', '/svg') }),
      ...['docx', 'epub'].map((format) =>
        task(format, 'write_file', { name: `report.${format}`, content }, ['picture']),
      ),
    ]);
    const plan = await ended(id, session);
    expect(plan).toMatchObject({ status: 'completed', error: null });
    for (const format of ['docx', 'epub']) {
      const { export_id } = await plan.result(format);
      const path = `/api/sessions/${session}/exports/${String(export_id)}`;
      const headers = { authorization: `Bearer ${tenant.key}` };
      const file = await (await fetch(`${tenant.baseUrl}${path}`, { headers })).arrayBuffer();
      const pictures = Object.keys(unzipSync(new Uint8Array(file))).filter((name) =>
        /(?:media|images)\//.test(name),
      );
      expect(pictures).toHaveLength(2);
    }
  });

  it('P12 map reads each file, and branch chooses the tasks that run', async () => {
    const session = await tenant.sessionWith({ 'a.md': 'Tea.', 'b.md': 'Honey.' });
    const id = await begin(session, [
      task('list', 'list_inputs'),
      task('each', 'map', {
        items: from('list', '/files'),
        tool: 'read_input',
        arguments: { name: { $item: '/name' } },
      }),
      task('some', 'map', {
        items: ['a.md', 'none.md'],
        tool: 'read_input',
        arguments: { name: { $item: '' } },
      }),
      task('write', 'map', {
        items: from('list', '/files'),
        tool: 'write_file',
        arguments: { name: { $item: '/name' }, content: 'x' },
      }),
      task('many', 'branch', { data: from('list', '/files'), condition: '$count($) > 1' }),
      { ...task('yes', 'diff_texts', { before: 'a', after: 'b' }), when: from('many', '/then') },
      { ...task('no', 'diff_texts', { before: 'a', after: 'b' }), when: from('many', '/else') },
      task('after', 'write_file', { name: 'no.json', content: from('no', '') }),
      task('last', 'list_inputs', {}, ['no', 'yes']),
    ]);
    const plan = await ended(id, session);
    expect([plan.status, plan.error]).toEqual(['completed', null]);
    const statuses = Object.fromEntries(plan.results.map(({ task_id, status }: View) => [task_id, status]));
    expect(statuses).toMatchObject({ yes: 'completed', no: 'skipped', after: 'skipped', last: 'completed' });
    expect((await plan.result('each')).results.map(({ text }: View) => text)).toEqual(['Tea.', 'Honey.']);
    expect(await plan.result('some')).toMatchObject({ completed: 1, failed: 1, failures: [{ index: 1 }] });
    expect(plan.files.map(({ name }: View) => name).sort()).toEqual(['a.md', 'b.md']);
    const events = await tenant.events(id);
    expect(events.filter(({ type }) => type === 'task_skipped')).toHaveLength(2);
  });

  it('P12 run_document writes a whole document in the session, whose text later tasks use', async () => {
    const plan = await run([
      task('write', 'run_document', { title: 'Tea' }),
      task('copy', 'write_file', { name: 'copy.md', content: from('write', '/texts/manuscript') }),
    ]);
    expect([plan.status, plan.error]).toEqual(['completed', null]);
    const { run_id, status, texts, files } = await plan.result('write');
    expect(status).toBe('completed');
    expect(texts.manuscript).toContain('Tea.');
    expect(files).toMatchObject([{ format: 'docx' }]);
    expect(plan.files.map(({ format }: View) => format).sort()).toEqual(['docx', 'md']);
    const child = await tenant.run(run_id);
    expect(child).toMatchObject({ kind: 'document', parent_run_id: plan.id });
    // X7: the default budget grows with the ten bytes of the session's source.
    const { usage } = await tenant.run(plan.id as string);
    expect(child.usage.default_max_tokens! - usage.default_max_tokens!).toBe(100);
    expect(await tenant.manuscript(plan.session_id)).toContain('Tea.');
  });

  it('P12 run_book creates the outline of a book, as a child of a plan in the session of the book', async () => {
    const books = new BookClient(tenant);
    const project = await books.create();
    await books.addSource(
      project,
      '# Salt\n\nSalt is made of sea water.\n\n# Light\n\nThe lamp burns oil.\n',
    );
    const session = String((await tenant.get(`/api/books/projects/${project}`)).json.session_id);
    const plan = await ended(await begin(session, [task('outline', 'run_book', { mode: 'toc' })]), session);
    const { run_id } = await plan.result('outline');
    expect(await tenant.run(run_id)).toMatchObject({
      kind: 'book',
      mode: 'toc',
      status: 'completed',
      parent_run_id: plan.id,
    });
    expect((await books.chapters(project)).length).toBeGreaterThan(0);
  });

  it('P12 run_article writes an article, as a child of the plan, whose questions people answer', async () => {
    const desk = new ArticleDesk(tenant);
    const collection = await desk.collection('knowledge', {
      'nets.md': '# Nets\n\nEach net has 400 knots.\n',
    });
    const session = await tenant.sessionWith({ 'a.md': '# A\n' });
    const id = await begin(session, [
      task('write', 'run_article', { topic: 'Knots of a net', collections: [collection] }),
    ]);
    const [article] = await new BookClient(tenant).childrenOf(id, 1);
    const child = await tenant.run(article!);
    expect(child).toMatchObject({ kind: 'article', parent_run_id: id });
    await desk.answerInTurn(child, { action: 'approve' }, { action: 'accept' });
    const plan = await ended(id, session);
    expect(await plan.result('write')).toMatchObject({
      run_id: article,
      status: 'completed',
      result: { approved: true },
      texts: { article: expect.stringContaining('400 knots') },
    });
    expect(await desk.result(child, 'article')).toContain('400 knots');
  });

  it('P12 refuses to start a run with inputs that its kind does not have', async () => {
    const session_id = await tenant.sessionWith({ 'a.md': '# A\n' });
    const dag = { tasks: [task('write', 'run_document', { policy: 'free' })] };
    const { status, json } = await tenant.post('/api/plans', { session_id, dag });
    expect([status, json.code, json.detail]).toEqual([
      422,
      'invalid_plan',
      expect.stringContaining('policy'),
    ]);
  });

  it('P12 P13 call_model and fetch_url report that there is no model, and that fetching is disabled', async () => {
    const ask = { prompt: 'x', schema: { type: 'string' } };
    const plan = await run([
      task('ask', 'call_model', ask),
      task('fetch', 'fetch_url', { url: 'http://127.0.0.1:9/?password=hunter2secret' }),
    ]);
    const codes = plan.results.map(({ error }: View) => error.code).sort();
    expect(codes).toEqual(['no_model', 'not_allowed']);
    expect(JSON.stringify(plan.results)).not.toContain('hunter2secret');
  });

  it('P12 a failed tool writes none of its arguments to a log', async () => {
    const marker = 'diary-of-7f3a91';
    const plan = await run([
      task('transform', 'transform_json', { data: {}, expression: `$error("${marker}")` }),
      task('read', 'read_input', { name: `${marker}.md` }),
    ]);
    const messages = plan.results.map(({ error }: View) => String(error.message));
    expect(messages).toEqual([expect.stringContaining(marker), expect.stringContaining(marker)]);
    const failed = `"run_id":"${plan.id}"`;
    const log = await until(
      'both failures are logged',
      async () => (await stack.log()).split('\n').filter((line) => line.includes(failed)),
      (lines) => lines.filter((line) => line.includes('task attempt failed')).length === 2,
    );
    expect(log.join('\n')).toContain('"code":"invalid_expression"');
    expect(await stack.log()).not.toContain(marker);
  });
});
