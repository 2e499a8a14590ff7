import type { GatewaySettings } from '#config/settings.js';
import { TenantRepository } from '#db/repositories/tenants.js';
import type { SyncProgress } from '#gateway/runs/feature-ports.js';
import type { QuotaService } from '#gateway/tenants/quota.service.js';
import { DataBed } from '#testing/data-bed.js';
import { startPageServer, type PageServer } from '#testing/page-server.js';
import { NO_LIMIT } from '../knowledge.js';
import { CollectionRepository } from '../store/collections.js';
import { SourceRepository } from '../store/sources.js';
import { CollectionSyncsService } from './collection-syncs.js';

describe('a sync of a collection', () => {
  let bed: DataBed;
  let web: PageServer;
  let tenantId: string;
  let collectionId: string;
  let syncs: CollectionSyncsService;
  const { signal } = new AbortController();

  const serviceWith = (settings: Partial<GatewaySettings> = {}) =>
    new CollectionSyncsService(
      bed.db,
      bed.store,
      {
        FETCH_URL: true,
        EGRESS_ALLOW_PRIVATE: true,
        EGRESS_PORTS: [80, 443],
        ...settings,
      } as GatewaySettings,
      { storageLimit: () => Promise.resolve(NO_LIMIT) } as unknown as QuotaService,
      new CollectionRepository(bed.db),
      new SourceRepository(bed.db),
    );

  beforeAll(async () => {
    bed = await DataBed.open();
    web = await startPageServer();
  });
  afterAll(async () => {
    await web.stop();
    await bed.close();
  });
  beforeEach(async () => {
    for (const path of Object.keys(web.pages)) delete web.pages[path];
    web.requests.length = 0;
    tenantId = await new TenantRepository(bed.db).create('a tenant');
    const collection = { name: 'Pages', purpose: 'knowledge' as const };
    ({ id: collectionId } = await new CollectionRepository(bed.db).create(tenantId, collection));
    syncs = serviceWith();
  });

  const url = (path: string) => `${web.baseUrl}${path}`;
  const part = (syncId: string, urls: string[], progress: SyncProgress | null = null, by = syncs) =>
    by.next(tenantId, { collection_id: collectionId, urls }, syncId, progress, signal);
  async function whole(syncId: string, urls: string[] = []): Promise<SyncProgress> {
    let progress: SyncProgress | null = null;
    do progress = await part(syncId, urls, progress);
    while (!progress.isDone);
    return progress;
  }
  const sources = () => bed.db.knowledgeSource.findMany({ where: { collectionId }, orderBy: { url: 'asc' } });

  it('adds pages, replaces what changed, leaves the rest alone and deletes nothing', async () => {
    for (let at = 0; at < 6; at++) web.pages[`/${at}`] = { body: `<p>Page ${at}.` };
    const urls = Array.from({ length: 6 }, (_, at) => url(`/${at}`));
    expect(await whole('first', urls)).toMatchObject({ added: 6, changed: 0, unchanged: 0, failed: 0 });
    const before = await sources();
    web.pages['/1'] = { body: '<p>Page 1, changed.' };
    web.pages['/2'] = { body: 'Now a text.', type: 'text/plain' };
    delete web.pages['/3'];
    web.pages['/4'] = { body: '', status: 410 };
    const result = await whole('second', urls);
    expect(result).toMatchObject({ added: 0, changed: 2, unchanged: 2, failed: 2, gone: 2 });
    expect(result.problems.map((problem) => problem.url).sort()).toEqual([url('/3'), url('/4')]);
    const after = await sources();
    expect(after.map(({ id }) => id)).toEqual(before.map(({ id }) => id));
    const isSame = after.map(({ objectKey }, at) => objectKey === before[at]!.objectKey);
    expect(isSame).toEqual([true, false, false, true, true, true]);
    expect(after.map(({ name }) => name.split('.').at(-1))).toEqual([
      ...['html', 'html', 'txt'],
      ...['html', 'html', 'html'],
    ]);
    for (const { objectKey } of after) expect((await bed.store.head(objectKey))?.size).toBeGreaterThan(0);
  });

  it('leaves a page alone that has become a copy of another one, and says so', async () => {
    for (let at = 0; at < 2; at++) web.pages[`/${at}`] = { body: `<p>Page ${at}.` };
    await whole('first', [url('/0'), url('/1')]);
    const before = await sources();
    web.pages['/1'] = web.pages['/0']!;
    const result = await whole('second');
    expect(result).toMatchObject({ changed: 0, unchanged: 1, failed: 1, gone: 0 });
    expect(result.problems).toMatchObject([
      { url: url('/1'), detail: `The content is the same as that of ${before[0]!.name}.` },
    ]);
    expect(await sources()).toEqual(before);
    await bed.db.knowledgeSource.update({ where: { id: before[0]!.id }, data: { state: 'failed' } });
    expect(await whole('third')).toMatchObject({ changed: 1, unchanged: 0, failed: 1 });
    expect((await sources()).map(({ id, url: of }) => [id, of])).toEqual(
      before.map(({ id, url: of }) => [id, of]),
    );
  });

  it('counts each page once if a part is repeated', async () => {
    for (let at = 0; at < 3; at++) web.pages[`/${at}`] = { body: `<p>Page ${at}.` };
    const urls = [url('/0'), url('/1'), url('/2')];
    await part('first', urls);
    const first = await part('first', urls);
    expect(first).toMatchObject({ added: 3, unchanged: 0, urls: 3 });
    expect(await part('first', urls, first)).toMatchObject({
      added: 3,
      unchanged: 0,
      changed: 0,
      isDone: true,
    });
    web.pages['/1'] = { body: '<p>Changed.' };
    await part('second', []);
    expect(await part('second', [])).toMatchObject({ added: 0, changed: 1, unchanged: 2, isDone: true });
    expect(await part('third', [])).toMatchObject({ changed: 0, unchanged: 3 });
    expect(await sources()).toHaveLength(3);
  });

  it('reads no page on the network of the service, and none if the operator has not allowed it', async () => {
    web.pages['/0'] = { body: '<p>Secret.' };
    const strict = serviceWith({ EGRESS_ALLOW_PRIVATE: false });
    const refused = await part('first', [url('/0')], null, strict);
    expect(refused).toMatchObject({ added: 0, failed: 1, gone: 0 });
    const off = serviceWith({ FETCH_URL: false });
    await expect(off.require(tenantId, collectionId)).rejects.toMatchObject({ code: 'fetching_off' });
    expect(web.requests).toEqual([]);
  });
});
