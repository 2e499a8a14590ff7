import { phrase } from '#contracts/phrases/phrase.js';
import type { Database } from '#db/client.js';
import { TenantRepository } from '#db/repositories/tenants.js';
import type { DirectoryStore } from '#storage/directory-store.js';
import { ExtractionError } from '#extraction/errors.js';
import { DataBed } from '#testing/data-bed.js';
import { addText } from '../knowledge.js';
import { CollectionRepository } from '../store/collections.js';
import {
  claimNext,
  claimSource,
  failSource,
  releaseSource,
  postponeSource,
  renewLeases,
  retryLater,
  SourceLostError,
} from './claim.js';
import { indexBatch, indexSource, UnreadableSourceError, type PassageEmbedder } from './index-source.js';
import { SemanticUnavailableError } from '../search/search.js';
import { inlineWork, type IndexWork } from './work.js';

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
    expect(await renewLeases(db, [claimed])).toBe(1);
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
    expect(await renewLeases(db, [claimed])).toBe(0);
    expect(await source()).toEqual(ready);
  });

  it('B14 claims small texts of a collection together, and one that is lost or unreadable keeps none back', async () => {
    const tenantId = await new TenantRepository(db).create('a tenant');
    const collections = new CollectionRepository(db);
    const [one, other] = [
      await collections.create(tenantId, { name: 'one', purpose: 'knowledge' }),
      await collections.create(tenantId, { name: 'other', purpose: 'knowledge' }),
    ];
    const add = async (name: string, { id } = one, text = `${name} was read at dawn.`) =>
      (await addText({ db, store }, tenantId, id, { name, text })).source.id;
    const good = await add('good');
    const [lost, unreadable, alone, tried] = [
      await add('lost'),
      await add('bad'),
      await add('far', other),
      await add('tried'),
    ];
    const large = await add('large', one, 'A long text. '.repeat(5_000));
    await db.knowledgeSource.update({ where: { id: tried }, data: { attempts: 1 } });

    const claimed = await claimNext(db);
    expect(claimed.map(({ id }) => id).sort()).toEqual([good, lost, unreadable].sort());
    const rest = [await claimNext(db), await claimNext(db), await claimNext(db)];
    expect(rest.map((sources) => sources.map(({ id }) => id))).toEqual([[alone], [tried], [large]]);
    expect(await claimNext(db)).toEqual([]);

    await db.knowledgeSource.update({ where: { id: lost }, data: { epoch: { increment: 1 } } });
    const work: IndexWork = {
      ...inlineWork,
      extract: async (bytes, name, tenant) => {
        if (name === 'bad') throw new ExtractionError(phrase('source_problem.too_much'));
        return inlineWork.extract(bytes, name, tenant);
      },
    };
    const errors = await indexBatch({ db, store, work }, claimed, new AbortController().signal);
    expect(errors.get(lost)).toBeInstanceOf(SourceLostError);
    expect(errors.get(unreadable)).toBeInstanceOf(UnreadableSourceError);
    expect(errors.size).toBe(2);
    const states = await db.knowledgeSource.findMany({ where: { collectionId: one.id, state: 'ready' } });
    expect(states.map(({ id, chunks }) => [id, chunks])).toEqual([[good, 1]]);
  });

  it('B14 indexes small texts together also if they have more passages than one transaction stores', async () => {
    const tenantId = await new TenantRepository(db).create('a tenant');
    const { id } = await new CollectionRepository(db).create(tenantId, {
      name: 'many',
      purpose: 'knowledge',
    });
    for (let at = 0; at < 32; at++)
      await addText({ db, store }, tenantId, id, {
        name: `${at}`,
        text: `It was read ${at} times. `.repeat(1_300),
      });
    const claimed = await claimNext(db);
    expect(claimed).toHaveLength(32);

    const errors = await indexBatch({ db, store, work: inlineWork }, claimed, new AbortController().signal);
    expect(errors).toEqual(new Map());
    const ready = await db.knowledgeSource.findMany({ where: { collectionId: id, state: 'ready' } });
    expect(ready).toHaveLength(32);
    expect(ready.reduce((sum, { chunks }) => sum + chunks, 0)).toBeGreaterThan(512);
  });

  it('B14 asks an embedding server that does not respond only once for all texts', async () => {
    const tenantId = await new TenantRepository(db).create('a tenant');
    const { id } = await new CollectionRepository(db).create(tenantId, {
      name: 'embedded',
      purpose: 'knowledge',
    });
    for (const name of ['refused', 'first', 'second'])
      await addText({ db, store }, tenantId, id, { name, text: `${name} was read at dawn.` });
    const claimed = await claimNext(db);
    const refused = claimed[0]!;
    const asked: string[] = [];
    const embedder: PassageEmbedder = {
      embedMissing: (source) => {
        asked.push(source.id);
        if (source === refused) throw new UnreadableSourceError(phrase('source_problem.too_much'));
        throw new SemanticUnavailableError(phrase('source_problem.embedding_outage'));
      },
      serve: () => Promise.resolve(),
    };
    const { signal } = new AbortController();
    const errors = await indexBatch({ db, store, work: inlineWork, embedder }, claimed, signal);
    expect(asked).toEqual(claimed.slice(0, 2).map((source) => source.id));
    expect(claimed.map((source) => errors.get(source.id)?.name)).toEqual([
      'UnreadableSourceError',
      'SemanticUnavailableError',
      'SemanticUnavailableError',
    ]);
  });
});
