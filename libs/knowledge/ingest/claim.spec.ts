import type { Database } from '#db/client.js';
import { TenantRepository } from '#db/repositories/tenants.js';
import type { DirectoryStore } from '#storage/directory-store.js';
import { DataBed } from '#testing/data-bed.js';
import { addText } from '../knowledge.js';
import { CollectionRepository } from '../store/collections.js';
import { claimSource, failSource, releaseSource, postponeSource, renewLease, retryLater } from './claim.js';
import { indexSource } from './index-source.js';
import { inlineWork } from './work.js';

describe('a claim on a source', () => {
  let bed: DataBed;
  let db: Database;
  let store: DirectoryStore;

  beforeAll(async () => {
    bed = await DataBed.open();
    ({ db, store } = bed);
  });
  afterAll(() => bed.close());

  it('B14 ends when the source is in service: a later failure does not fail the source', async () => {
    const tenantId = await new TenantRepository(db).create('a tenant');
    const { id } = await new CollectionRepository(db).create(tenantId, { name: 'x', purpose: 'knowledge' });
    const added = await addText({ db, store }, tenantId, id, { name: 'doc', text: 'Read at dawn.' });
    const source = () => db.knowledgeSource.findUniqueOrThrow({ where: { id: added.source.id } });
    const claimed = (await claimSource(db, added.source.id))!;
    expect(await renewLease(db, claimed)).toBe(true);
    await indexSource({ db, store, work: inlineWork }, claimed, new AbortController().signal);
    const ready = await source();
    expect(ready).toMatchObject({ state: 'ready', problem: null, leaseUntil: null });

    // Such as segments that could not be joined, in the last attempt that the source has.
    const late = [
      retryLater(db, { ...claimed, attempts: 8 }),
      retryLater(db, claimed),
      failSource(db, claimed, 'It could not be read.'),
      postponeSource(db, claimed, 'The server does not answer.', 5),
      releaseSource(db, claimed),
    ];
    await Promise.all(late);
    expect(await renewLease(db, claimed)).toBe(false);
    expect(await source()).toEqual(ready);
  });
});
