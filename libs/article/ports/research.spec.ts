import type { InThread } from '#kit/graph/ports.js';
import { agentRunnerSettings } from '#config/settings.js';
import type { Database } from '#db/client.js';
import { articleKind } from '../contract.js';
import type { HeldRun } from '#engine/kind.js';
import { putText } from '#knowledge/knowledge.js';
import { inlineWork } from '#knowledge/ingest/work.js';
import { CollectionRepository } from '#knowledge/store/collections.js';
import details from '#knowledge/ports/page-details.worker.js';
import { DataBed } from '#testing/data-bed.js';
import { startPageServer, type PageServer } from '#testing/page-server.js';
import { RunLog } from '#testing/run-log.js';
import { researchOf } from './research.js';

const inThread = ((_module: URL, input: { html: string }) => Promise.resolve(details(input))) as InThread;

describe('the research of an article', () => {
  let bed: DataBed;
  let db: Database;
  let web: PageServer;

  beforeAll(async () => {
    bed = await DataBed.open();
    ({ db } = bed);
    web = await startPageServer();
  });
  afterAll(async () => {
    await web.stop();
    await bed.close();
  });
  beforeEach(() => {
    web.requests.length = 0;
    web.pages = {
      '/tower': {
        body: '<title>Tower</title><meta name="author" content="Ada Nowak"><p>The tower is 80 metres high.<p>Its stone is grey.',
      },
      '/sea': { body: '<title>The sea</title><p>The sea is cold.' },
    };
  });

  async function newRun(): Promise<HeldRun> {
    const { runId: id, tenantId } = await RunLog.create(db);
    const { sessionId } = await db.run.findUniqueOrThrow({ where: { id } });
    const place = { id, tenantId, sessionId, kind: 'article', mode: 'author', inputs: { topic: 'x' } };
    const origin = { traceparent: null, graphVersion: '1', parentRunId: null, parentTaskId: null };
    const fence = { runId: id, epoch: 0 };
    return { ...place, ...origin, step: 0, crashes: 0, blocked: 0, isNew: true, express: false, fence };
  }

  function researchFor(run: HeldRun, inputs: object, env: Record<string, string> = {}) {
    const settings = agentRunnerSettings.parse({
      DATABASE_URL: bed.url,
      STORAGE_DIR: bed.folder,
      EGRESS_ALLOW_PRIVATE: 'true',
      FETCH_URL: 'true',
      ...env,
    });
    const tools = { db, store: bed.store, work: inlineWork };
    const { signal } = new AbortController();
    const outside = { tools, settings, semantic: undefined, inThread, signal };
    return researchOf(outside, run, articleKind.inputs.parse({ topic: 'x', ...inputs }));
  }

  const results = (...all: object[]) => ({
    body: JSON.stringify({ query: 'x', results: all }),
    type: 'application/json',
  });

  it('A6 searches the web with SearXNG, reads the pages and stores copies with author and date', async () => {
    web.pages['/search'] = results(
      { url: `${web.baseUrl}/tower`, title: 'The tower', publishedDate: '2019-04-02T00:00:00', engine: 'x' },
      { url: `${web.baseUrl}/gone`, title: 'Gone' },
      { url: 'javascript:alert(1)', title: 'No page' },
      { url: `${web.baseUrl}/sea`, title: null },
    );
    const run = await newRun();
    const env = { SEARXNG_URL: web.baseUrl };
    const find = () => researchFor(run, { research: 'web' }, env).find('tower metres high?', 4, 'step/1');
    const found = await find();
    expect(found).toMatchObject([
      {
        url: `${web.baseUrl}/tower`,
        kind: 'web',
        source_title: 'The tower',
        author: 'Ada Nowak',
        date: '2019-04-02',
        text: expect.stringContaining('80 metres') as string,
      },
      { url: `${web.baseUrl}/sea`, source_title: 'The sea', date: null },
    ]);
    const { textKey } = await db.knowledgeSource.findUniqueOrThrow({ where: { id: found[0]!.source_id } });
    const copy = Buffer.from(await bed.store.getBytes(textKey!)).toString('utf8');
    expect(copy.slice(found[0]!.span.start, found[0]!.span.end)).toBe(found[0]!.text);
    expect(web.requests[0]).toBe('/search?q=tower+metres+high%3F&format=json');
    const calls = await db.modelCall.findMany({
      where: { runId: run.id },
      select: { model: true, cost: true },
    });
    expect(calls).toEqual([{ model: 'searxng', cost: 0n }]);
    web.requests.length = 0;
    expect(await find()).toEqual(found);
    expect(web.requests).toEqual(['/gone']);
  });

  it('A6 reports a SearXNG server that sends an invalid response or none', async () => {
    const find = async (research: ReturnType<typeof results>) => {
      web.pages['/search'] = research;
      return researchFor(await newRun(), { research: 'web' }, { SEARXNG_URL: web.baseUrl }).find('x', 4, '1');
    };
    const broken = { body: JSON.stringify({ message: 'no' }), type: 'application/json' };
    await expect(find(broken)).rejects.toMatchObject({ code: 'research_unavailable' });
    await expect(find({ ...broken, status: 403 } as never)).rejects.toMatchObject({
      code: 'research_refused',
    });
    const nothing = researchFor(await newRun(), { research: 'web' });
    await expect(nothing.find('x', 4, '1')).rejects.toMatchObject({ code: 'no_research_provider' });
  });

  it('A6 reads each page that the author names, before it searches', async () => {
    const run = await newRun();
    const sources = [`${web.baseUrl}/sea`, `${web.baseUrl}/tower`];
    const research = researchFor(run, { sources, research: 'named' });
    const found = await research.find('high tower', 12, '1');
    expect(found.map(({ url }) => url)).toEqual([sources[1]]);
    const rest = await research.unfound!(new Set(found.map(({ source_id }) => source_id)));
    expect(rest.map(({ url, text }) => [url, text])).toEqual([[sources[0], '# The sea\n\nThe sea is cold.']]);
    const nothing = researchFor(run, { research: 'named' });
    await expect(nothing.find('x', 1, '1')).rejects.toMatchObject({ code: 'no_named_source' });
  });

  it('A6 searches the named collections as well as the web', async () => {
    const run = await newRun();
    const collections = new CollectionRepository(db);
    await collections.create(run.tenantId, { id: 'col_both', name: 'Notes', purpose: 'knowledge' });
    const note = { name: 'tower', text: 'The tower was built in 1866.' };
    await putText({ db, store: bed.store, work: inlineWork }, run.tenantId, 'col_both', note);
    web.pages['/search'] = results({ url: `${web.baseUrl}/tower`, title: 'The tower' });
    const inputs = { research: 'web', collections: ['col_both'] };
    const research = researchFor(run, inputs, { SEARXNG_URL: web.baseUrl });
    const found = await research.find('tower', 4, 'step/1');
    expect(found.map(({ kind, text }) => [kind, text.slice(0, 20)])).toEqual([
      ['collection', 'The tower was built '],
      ['web', '# Tower\n\nThe tower i'],
    ]);
  });
});
