import type { InThread } from '#kit/graph/ports.js';
import type { Database } from '#db/client.js';
import { newId } from '#contracts/ids.js';
import { TenantRepository } from '#db/repositories/tenants.js';
import { SessionRepository } from '#db/repositories/sessions.js';
import { inlineWork } from '../ingest/work.js';
import { CollectionRepository } from '../store/collections.js';
import { DataBed } from '#testing/data-bed.js';
import { startPageServer, type PageServer } from '#testing/page-server.js';
import { openNamedSources } from './named-sources.js';
import details from './page-details.worker.js';
import { PageReader } from '../ingest/page-reader.js';
import { SourceCopies } from './source-copies.js';

const inThread = ((_module: URL, input: { html: string }) => Promise.resolve(details(input))) as InThread;

describe('the pages and files that an author names', () => {
  let bed: DataBed;
  let db: Database;
  let web: PageServer;
  let tenantId: string;
  let sessionId: string;
  let collectionId: string;
  const { signal } = new AbortController();

  beforeAll(async () => {
    bed = await DataBed.open();
    ({ db } = bed);
    web = await startPageServer();
  });
  afterAll(async () => {
    await web.stop();
    await bed.close();
  });
  beforeEach(async () => {
    web.requests.length = 0;
    tenantId = await new TenantRepository(db).create('a tenant');
    ({ id: sessionId } = await new SessionRepository(db).create(tenantId, 'x'));
    const collection = { name: 'x', purpose: 'research' as const, sessionId };
    ({ id: collectionId } = await new CollectionRepository(db).create(tenantId, collection));
  });

  function open(named: string[], { mayFetch = true, isPrivate = true } = {}) {
    const reader = new PageReader({ EGRESS_ALLOW_PRIVATE: isPrivate, EGRESS_PORTS: [80, 443] });
    const tools = { db, store: bed.store, work: inlineWork };
    const copies = new SourceCopies(tools, tenantId, collectionId, reader, inThread, signal);
    return openNamedSources({ db, copies, mayFetch, collectionId }, { tenantId, sessionId }, named);
  }

  async function upload(name: string, text: string) {
    const objectKey = `tenants/${tenantId}/sessions/${sessionId}/inputs/${name}`;
    await bed.store.put(objectKey, Buffer.from(text), { contentType: 'text/plain' });
    const file = { tenantId, sessionId, folder: 'inputs', name, objectKey, mediaType: 'text/plain' };
    await db.sessionFile.create({ data: { id: newId('fil'), size: text.length, sha256: name, ...file } });
  }

  it('A6 are stored once, with address, title, author, date and time', async () => {
    web.pages['/tower'] = {
      body: '<title>The tower</title><meta name="author" content="Ada Nowak"><meta name="date" content="2019-04-02"><h1>Tower</h1><p>It is 80 metres high.',
    };
    web.pages['/moved'] = { body: '', status: 302, location: '/note' };
    web.pages['/note'] = {
      body: Buffer.from('Za\xbf\xf3\xb3\xe6', 'latin1'),
      type: 'text/plain; charset=iso-8859-2',
    };
    await upload('log.txt', 'Kept by the keeper.');
    const named = [`${web.baseUrl}/tower`, 'log.txt', `${web.baseUrl}/moved`];
    const sources = await open(named);
    expect(sources).toMatchObject([
      { url: named[0], title: 'The tower', author: 'Ada Nowak', published: '2019-04-02', state: 'ready' },
      { url: null, name: 'log.txt', fetchedAt: null, state: 'ready' },
      { url: named[2], mediaType: 'text/plain', published: null },
    ]);
    expect(sources[0]!.fetchedAt).toBeInstanceOf(Date);
    const texts = await Promise.all(sources.map(({ textKey }) => bed.store.getBytes(textKey!)));
    expect(texts.map((bytes) => Buffer.from(bytes).toString('utf8'))).toEqual([
      expect.stringContaining('It is 80 metres high.'),
      'Kept by the keeper.',
      expect.stringContaining('Zażółć'),
    ]);
    web.pages['/tower'] = { body: '<p>Changed.' };
    expect((await open(named)).map(({ id }) => id)).toEqual(sources.map(({ id }) => id));
    expect(web.requests.sort()).toEqual(['/moved', '/note', '/tower']);
  });

  it('A6 stop the run with a reason for each unreadable page or file', async () => {
    web.pages['/picture'] = { body: 'x', type: 'image/png' };
    web.pages['/loop'] = { body: '', status: 302, location: '/loop' };
    const failing = ['/gone', '/picture', '/loop'].map((path) => web.baseUrl + path);
    await expect(open(failing)).rejects.toMatchObject({
      code: 'source_unreadable',
      message: expect.stringMatching(
        /gone: The page responds with status 404.*picture: The page is image\/png.*loop: .*redirects/s,
      ) as string,
    });
    await expect(open(['no.pdf'])).rejects.toMatchObject({
      code: 'source_unknown',
      message: expect.stringContaining('no.pdf') as string,
    });
    await expect(open([failing[0]!], { mayFetch: false })).rejects.toMatchObject({ code: 'fetch_off' });
    expect(await db.knowledgeSource.count({ where: { tenantId } })).toBe(0);
  });

  it('A6 cannot be on the network of the service unless the operator allows it', async () => {
    for (const url of [
      `${web.baseUrl}/tower`,
      'https://127.0.0.1/',
      'https://169.254.169.254/latest',
      'https://[::1]/',
    ])
      await expect(open([url], { isPrivate: false })).rejects.toMatchObject({ code: 'source_unreadable' });
    expect(web.requests).toEqual([]);
  });
});
