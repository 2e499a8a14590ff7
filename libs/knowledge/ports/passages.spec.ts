import type { InThread } from '#kit/graph/ports.js';
import type { Database } from '#db/client.js';
import { TenantRepository } from '#db/repositories/tenants.js';
import { claimSource } from '../ingest/claim.js';
import { indexSource } from '../ingest/index-source.js';
import index, { type IndexCall } from '../ingest/index.worker.js';
import { inlineWork } from '../ingest/work.js';
import { addText } from '../knowledge.js';
import { CollectionRepository } from '../store/collections.js';
import type { DirectoryStore } from '#storage/directory-store.js';
import { DataBed } from '#testing/data-bed.js';
import { until } from '#testing/until.js';
import { indexSources } from './passages.js';
import { runnerIndexWork } from './runner-index-work.js';

describe('sources that a run needs', () => {
  let bed: DataBed;
  let db: Database;
  let store: DirectoryStore;
  const { signal } = new AbortController();

  beforeAll(async () => {
    bed = await DataBed.open();
    ({ db, store } = bed);
  });
  afterAll(() => bed.close());

  it('B14 X4 are indexed by the runner, except documents, for which it waits for a worker', async () => {
    const tenantId = await new TenantRepository(db).create('a tenant');
    const { id } = await new CollectionRepository(db).create(tenantId, { name: 'x', purpose: 'knowledge' });
    const add = async (name: string, text: string) =>
      (await addText({ db, store }, tenantId, id, { name, text })).source.id;
    const [page, note] = [await add('page.html', '<p>Read at dawn.</p>'), await add('note', 'Read at dusk.')];
    const stateOf = (source: string) => db.knowledgeSource.findUniqueOrThrow({ where: { id: source } });

    const done: string[] = [];
    const inThread = (async (_module: URL, call: IndexCall) => {
      done.push(call.name);
      return index(call);
    }) as InThread;
    const work = runnerIndexWork(inThread, signal);
    let isOver = false;
    const needed = indexSources({ db, store, work }, tenantId, [note, page], signal).finally(
      () => (isOver = true),
    );
    // The worker had claimed it, and has released it.
    await until(
      'the page to be given back',
      () => stateOf(page),
      ({ state, leaseUntil }) => isOver || (state === 'indexing' && leaseUntil === null),
    );
    expect(isOver).toBe(false);
    expect((await stateOf(note)).state).toBe('ready');
    expect(done).toEqual(['extract', 'plan', 'build']);

    const claimed = (await claimSource(db, page))!;
    expect(claimed.attempts).toBe(1);
    await indexSource({ db, store, work: inlineWork }, claimed, signal);
    await needed;
    expect((await stateOf(page)).state).toBe('ready');
  });
});
