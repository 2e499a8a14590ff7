import { WordEditor } from '#testing/docx/word-editor.js';
import { newId } from '#contracts/ids.js';
import { buildOpenApiDocument } from '#gateway/openapi/openapi.js';
import { createDatabase } from '#db/client.js';
import { connectJobQueues } from '#testing/queues.js';
import type { ApiClient } from '#testing/api-client.js';
import { exampleFiles, MISSING_IMAGE } from '#testing/examples.js';
import { leasedStack, type LeasedStack } from '#testing/shared-stack.js';
import { TEST_ADMIN_PASSWORD } from '#testing/test-stack.js';
import { until } from '#testing/until.js';
import fc from 'fast-check';

const SEED = 20_261_123;

interface Page {
  items: Item[];
  next_cursor: string | null;
}

/** Paths of all paged lists in the OpenAPI document. */
const pagedPaths = Object.entries(buildOpenApiDocument('0.0.0').paths ?? {})
  .filter(([, { get }]) =>
    (get?.parameters as { name?: string }[] | undefined)?.some(({ name }) => name === 'cursor'),
  )
  .map(([path]) => path);

/** Required query parameters of lists, apart from the position. */
const QUERIES: Record<string, string> = {
  '/api/decisions': '?status=all',
  '/api/books/chapters': '?project_id={project_id}',
  '/api/books/sources': '?project_id={project_id}',
};

interface Item {
  id: string;
}
/** Returns the identity of a list item: its ID, or all its fields. */
const nameOf = (item: Item) => item.id ?? JSON.stringify(item);

const cursorOf = (position: unknown) => Buffer.from(JSON.stringify(position)).toString('base64url');
/** Cursors that no page ended with. */
const REFUSED = [
  '!',
  'abc',
  cursorOf(null),
  cursorOf([]),
  cursorOf([1e300, 'x']),
  cursorOf([-1, 'x']),
  cursorOf([1, '\0']),
  cursorOf([1, 'x'.repeat(301)]),
  cursorOf(['2026-11-22', '\ud800']),
  cursorOf({ id: 1 }),
];

/** API9 lists of any length are read page by page. */
describe('lists in pages', () => {
  let stack: LeasedStack;
  let tenant: ApiClient;
  let ids: Record<string, string>;
  /** Run of a review. */
  let review: string;

  async function page(path: string, query: Record<string, string>): Promise<Page> {
    const { status, json } = await get(path, query);
    expect([path, query, status]).toEqual([path, query, 200]);
    return json as typeof json & Page;
  }

  function get(path: string, query: Record<string, string>) {
    const own = path.startsWith('/api/reviews/') ? { run_id: review } : ids;
    const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => ({ ...ids, ...own })[name]!);
    const admin = {
      authorization: `Basic ${Buffer.from(`admin:${TEST_ADMIN_PASSWORD}`).toString('base64')}`,
    };
    const headers = path.startsWith('/api/admin/') ? admin : {};
    const first = filled.includes('?') ? '&' : '?';
    const search = new URLSearchParams(query).toString();
    return tenant.request('GET', `${filled}${first}${search}`, undefined, headers);
  }

  /** The ids of a list from the position on. */
  async function walk(path: string, limit: number): Promise<string[]> {
    const seen: string[] = [];
    for (let cursor: string | null | undefined; cursor !== null;) {
      const found = await page(path, { limit: String(limit), ...(cursor ? { cursor } : {}) });
      expect(found.items.length).toBeLessThanOrEqual(limit);
      seen.push(...found.items.map(nameOf));
      cursor = found.next_cursor;
    }
    return seen;
  }

  beforeAll(async () => {
    stack = await leasedStack('own');
    tenant = await stack.tenant();
    await leaveWork(await stack.tenant('another'));
    const sessions = [
      await tenant.sessionWith(exampleFiles('incident')),
      await tenant.sessionWith(exampleFiles('incident')),
    ];
    const asked = await Promise.all(
      sessions.map(async (session_id) => {
        const { id: run_id } = await tenant.startRun(session_id);
        return { session_id, run_id, decision_id: (await tenant.decision(run_id)).id };
      }),
    );
    const answer = { user_decisions: { [MISSING_IMAGE]: 'skip' } };
    for (const { decision_id, run_id } of asked) {
      for (const decision_type of ['question', 'fix_exhausted'])
        await tenant.post(`/api/agents/runs/${run_id}/answers`, {
          decision_type,
          answer: { action: 'stop' },
        });
      await tenant.post(`/api/decisions/${decision_id}/answer`, answer);
      await tenant.completed(run_id);
    }
    const { session_id, run_id } = asked[0]!;
    ids = { session_id, run_id, ...(await writeBooks()), ...(await collectKnowledge()) };
    await callModel(run_id);
    // Remembers the answer, and creates the session's second document.
    await tenant.completed((await tenant.startRun(session_id)).id);
    review = await sendBack(session_id);
    for (const text of ['Why?', 'Where?']) await idOf(`/api/sessions/${session_id}/comments`, { text });
    for (const name of ['second', 'third']) {
      await tenant.post('/api/sessions', {});
      await tenant.post('/api/keys', { name });
      await tenant.post('/api/saved-plans', { name, template: 'list_files' });
    }
  });
  afterAll(() => stack.release());

  /** Sends a Word file with two changes back. @returns the run that read it */
  async function sendBack(session_id: string): Promise<string> {
    const editor = new WordEditor(await tenant.docx(session_id));
    const at = editor.find('Between 03:12');
    editor.insert(at, 0, 'First. ', 'Ann');
    editor.comment([at, 0], [at, 2], 'Bob', 'Why?');
    const form = new FormData();
    form.append('file', new Blob([Buffer.from(editor.save())]), 'back.docx');
    const { json } = await tenant.post(`/api/sessions/${session_id}/reviews`, form);
    return (await tenant.completed(String(json.id))).id;
  }

  async function idOf(path: string, body: unknown): Promise<string> {
    const { status, json, text } = await tenant.post(path, body);
    if (status !== 201) throw new Error(text);
    return String(json.id);
  }

  /** Two books, the first of two chapters and two sources; its first chapter has two versions. */
  async function writeBooks(): Promise<Record<string, string>> {
    await idOf('/api/books/projects', { title: 'Another' });
    const project_id = await idOf('/api/books/projects', { title: 'Salt and Light' });
    const book = `/api/books/projects/${project_id}`;
    await idOf(`${book}/chapters`, { title: 'Two', content: 'Words.\n' });
    const chapter_id = await idOf(`${book}/chapters`, { title: 'One', content: 'Words.\n' });
    const chapter = `/api/books/chapters/${chapter_id}`;
    const etag = (await tenant.get(chapter)).headers.get('etag')!;
    const edited = await tenant.request('PATCH', chapter, { content: 'Others.\n' }, { 'if-match': etag });
    expect(edited.status).toBe(200);
    for (const title of ['a', 'b']) await idOf(`${book}/sources`, { title, content: `Words of ${title}.\n` });
    return { project_id, chapter_id };
  }

  /** Two collections, one of two sources; the first is long enough for two chunks. */
  async function collectKnowledge(): Promise<Record<string, string>> {
    await idOf('/api/knowledge/collections', { name: 'other' });
    const collection_id = await idOf('/api/knowledge/collections', { name: 'notes' });
    const sources = `/api/knowledge/collections/${collection_id}/sources`;
    const text = Array.from(
      { length: 60 },
      (_, at) => `Paragraph ${at}. ${'Salt of the sea. '.repeat(10)}\n`,
    );
    const added = await tenant.post(sources, { name: 'long', text: text.join('\n') });
    await tenant.post(sources, { name: 'short', text: 'Words.' });
    const source_id = (added.json.items as Item[])[0]!.id;
    await until(
      'the source is ready',
      async () => (await tenant.get(`${sources}/${source_id}`)).json,
      ({ state }) => state === 'ready',
    );
    for (const title of ['a', 'b'])
      await tenant.post('/api/corpus/ingest', { texts: [{ title, text: `Words of ${title}.` }] });
    return { collection_id, source_id };
  }

  /** Leaves calls of a model, which these runs have none of, in a run. */
  async function callModel(runId: string): Promise<void> {
    const db = createDatabase(stack.database.url, 1);
    const { tenantId } = await db.run.findUniqueOrThrow({ where: { id: runId } });
    const call = { tenantId, runId, model: 'stub', inputTokens: 1, outputTokens: 1 };
    const named = (id: string) => ({ ...call, id: newId('cal'), effectKey: `${runId}/${id}` });
    await db.modelCall.createMany({ data: ['first', 'second'].map(named) });
    await db.$disconnect();
  }

  /**
   * Data for the operator's lists: parked runs of two graph versions, crashing runs, and permanently failed jobs of two
   * queues.
   */
  async function leaveWork(other: ApiClient): Promise<void> {
    const db = createDatabase(stack.database.url, 1);
    const queues = await connectJobQueues(stack.env.QUEUE_URL!, { onError: () => undefined });
    for (const graphVersion of ['0', '1']) {
      const { id } = await other.startRun(await other.sessionWith(exampleFiles('incident')));
      await other.decision(id);
      await db.run.update({ where: { id }, data: { crashes: 1, graphVersion } });
    }
    for (const [queue, name] of [
      ['scanner', 'scan_assets'],
      ['converter', 'export_docx'],
    ] as const)
      for (const number of [1, 2, 3, 4]) {
        const jobId = `poison.${number}`;
        await queues.add({ queue, name, jobId, data: { v: 99 } });
        await until(
          `the job ${jobId} has failed`,
          () => queues.state(queue, jobId),
          (state) => state === 'failed',
        );
      }
    await queues.close();
    await db.$disconnect();
  }

  it('at least 14 lists exist', () => {
    expect(pagedPaths.length).toBeGreaterThanOrEqual(14);
  });

  it.each(pagedPaths)('%s: pages of one item make up the whole list, in order', async (path) => {
    const list = path + (QUERIES[path] ?? '');
    const whole = await page(list, { limit: '100' });
    expect(whole.next_cursor).toBeNull();
    expect(whole.items.length).toBeGreaterThan(1);
    expect(await walk(list, 1)).toEqual(whole.items.map(nameOf));
  });

  it.each(pagedPaths)('%s: a cursor that no page returned is rejected', async (path) => {
    for (const cursor of REFUSED) {
      const { status, json } = await get(path + (QUERIES[path] ?? ''), { cursor });
      expect([cursor, status, json.code]).toEqual([cursor, 422, 'invalid_request']);
    }
  });

  it('each existing row is returned once, for any limits and while rows are added', async () => {
    const steps = fc.array(fc.record({ limit: fc.integer({ min: 1, max: 4 }), added: fc.nat(2) }), {
      minLength: 1,
      maxLength: 6,
    });
    const property = fc.asyncProperty(steps, async (given) => {
      const before = await walk('/api/sessions', 100);
      const seen: string[] = [];
      let cursor: string | null | undefined;
      for (let index = 0; cursor !== null; index++) {
        const { limit, added } = given[index % given.length]!;
        const query = { limit: String(limit), ...(cursor ? { cursor } : {}) };
        const { items, next_cursor } = await page('/api/sessions', query);
        seen.push(...items.map(({ id }) => id));
        cursor = next_cursor;
        for (let count = 0; count < added; count++) await tenant.post('/api/sessions', {});
      }
      expect(seen).toEqual(before);
    });
    await fc.assert(property, { seed: SEED, numRuns: 12 });
  });

  it('runs can be filtered by session, status and kind', async () => {
    const other = await tenant.sessionWith({ 'a.md': '# A\n' });
    const { id: cancelled } = await tenant.startRun(other);
    await tenant.post(`/api/agents/runs/${cancelled}/cancel`);
    const list = async (query: Record<string, string>) =>
      (await page('/api/agents/runs/', query)).items.map(({ id }) => id);
    const all = await list({});
    expect(await list({ session_id: other })).toEqual([cancelled]);
    const own = await list({ session_id: ids.session_id! });
    expect(own).toHaveLength(3);
    expect(await list({ session_id: ids.session_id!, status: 'completed' })).toEqual(own);
    expect(all).toEqual(expect.arrayContaining([cancelled, ...own]));
    expect(await list({ status: 'completed', session_id: other })).toEqual([]);
    expect(await list({ kind: 'document' })).toEqual(all.filter((id) => id !== review));
    expect(await list({ kind: 'review' })).toEqual([review]);
    expect(await list({ kind: 'other' })).toEqual([]);
    const [listed] = (await page('/api/agents/runs', { session_id: other })).items;
    expect(listed).toEqual(await tenant.run(cancelled));
  });
});
