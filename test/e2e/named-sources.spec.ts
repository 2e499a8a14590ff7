import type { ApiClient, RunView } from '#testing/api-client.js';
import { ArticleDesk } from '#testing/article-desk.js';
import { startPageServer, type PageServer } from '#testing/page-server.js';
import { sharedStack } from '#testing/shared-stack.js';

interface Source {
  label: string;
  url: string;
  title: string;
  kind: string;
  author: string | null;
  date: string | null;
  span: { start: number; end: number };
  collection_id: string;
  source_id: string;
  fetched_at: string | null;
}

const PAGE = `<!doctype html><html lang="en"><head><title>The lighthouse of Marrow Point</title>
  <meta name="author" content="Ada Nowak"><meta property="article:published_time" content="2019-04-02">
  </head><body><h1>The lighthouse</h1><p>The lighthouse of Marrow Point was built in 1871 of grey granite.</p></body></html>`;

describe('pages and files that an author names', () => {
  let client: ApiClient;
  let web: PageServer;

  beforeAll(async () => {
    client = await (await sharedStack('private')).tenant();
    web = await startPageServer({ '/lighthouse': { body: PAGE } });
  });
  afterAll(() => web.stop());

  const textOf = async ({ collection_id, source_id }: Pick<Source, 'collection_id' | 'source_id'>) =>
    client.get(`/api/knowledge/collections/${collection_id}/sources/${source_id}/text`);

  it('A6 are cited by an article, with stored copies that are deleted with the session', async () => {
    const desk = new ArticleDesk(client);
    const log = '# Log\n\nThe lamp of the lighthouse burned colza oil until 1902.\n';
    const session_id = await client.sessionWith({ 'log.md': log });
    const url = `${web.baseUrl}/lighthouse`;
    const inputs = { topic: 'The lighthouse of Marrow Point', sources: [url, 'log.md'], research: 'named' };
    const body = { session_id, kind: 'article', mode: 'author', inputs };
    const run = (await client.post('/api/agents/runs', body)).json as RunView;
    const decision = await desk.asked(run);
    const { sources } = decision.details as unknown as { sources: Source[] };
    expect(sources).toMatchObject([
      { url, title: 'The lighthouse of Marrow Point', kind: 'web', author: 'Ada Nowak', date: '2019-04-02' },
      { title: 'log.md', kind: 'file', author: null, date: null, fetched_at: null },
    ]);
    for (const source of sources) {
      const { text } = await textOf(source);
      expect(text.slice(source.span.start, source.span.end)).toMatch(/1871|colza/);
    }
    await desk.answer(decision, { action: 'approve' });
    await desk.answerInTurn(run, { action: 'accept' });
    expect((await desk.ended(run)).status).toBe('completed');
    const article = await desk.result(run, 'article');
    expect(article).toContain(`]: Ada Nowak: The lighthouse of Marrow Point (2019-04-02). <${url}>`);
    await client.request('DELETE', `/api/sessions/${session_id}`);
    for (const source of sources) expect((await textOf(source)).status).toBe(404);
  });

  it('B14 are used to write a chapter, and become sources of the book', async () => {
    const { id, session_id } = (await client.post('/api/books/projects', { title: 'Lighthouses' })).json as {
      id: string;
      session_id: string;
    };
    await client.post(`/api/books/projects/${id}/chapters`, { title: 'Marrow Point' });
    await client.upload(session_id, { 'log.md': '# Log\n\nThe lamp burned colza oil until 1902.\n' });
    const url = `${web.baseUrl}/lighthouse`;
    const start = async (sources: string[]) => {
      const inputs = { chapter_number: 1, sources };
      const body = { project_id: id, mode: 'chapter', inputs };
      const { json } = await client.post('/api/agents/runs', body);
      await client.events(String(json.id));
      return client.run(String(json.id));
    };
    expect((await start(['missing.pdf'])).error).toMatchObject({
      code: 'source_unknown',
      message: expect.stringContaining('missing.pdf') as string,
    });
    expect((await start([`${web.baseUrl}/gone`])).error?.code).toBe('source_unreadable');
    expect((await start([url, 'log.md'])).status).toBe('completed');
    const { items } = (await client.get(`/api/books/projects/${id}/chapters`)).json as {
      items: { id: string }[];
    };
    const chapter = (await client.get(`/api/books/chapters/${items[0]!.id}`)).json as {
      content: string;
      citations: (Source & { source_title: string })[];
      review: { open_questions: string[] };
    };
    expect(chapter.review.open_questions).toEqual([]);
    expect(chapter.content).toContain('built in 1871');
    expect(chapter.citations).toMatchObject([
      {
        source_title: 'The lighthouse of Marrow Point',
        kind: 'web',
        url,
        author: 'Ada Nowak',
        date: '2019-04-02',
      },
      { source_title: 'log.md', kind: 'document', url: null },
    ]);
    const { text } = await textOf(chapter.citations[0]!);
    const { start: from, end } = chapter.citations[0]!.span;
    expect(text.slice(from, end)).toContain('1871');
    const sources = (await client.get(`/api/books/projects/${id}/sources`)).json as {
      items: { source_type: string; metadata_json: { url: string | null; date: string | null } }[];
    };
    expect(sources.items.find(({ source_type: type }) => type === 'web')!.metadata_json).toMatchObject({
      url,
      date: '2019-04-02',
    });
  });
});
