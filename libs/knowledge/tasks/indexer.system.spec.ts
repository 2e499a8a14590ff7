import { scannerSettings } from '#config/settings.js';
import type { Database } from '#db/client.js';
import { TenantRepository } from '#db/repositories/tenants.js';
import { NotificationListener } from '#engine/events/listener.js';
import { claimSource } from '../ingest/claim.js';
import { addText } from '../knowledge.js';
import { CollectionRepository } from '../store/collections.js';
import type { DirectoryStore } from '#storage/directory-store.js';
import { StorageUnavailableError, type ObjectStore } from '#storage/object-store.js';
import { createLogger } from '#telemetry/logger.js';
import { DataBed } from '#testing/data-bed.js';
import { until } from '#testing/until.js';
import { ParsingProcesses } from '#kit/runtime/parsing-processes.js';
import { Indexer } from './indexer.js';

/** Number of processes that a source may crash before it fails. */
const DEATHS = 8;

describe('a source that ends the process which indexes it', () => {
  let bed: DataBed;
  let db: Database;
  let store: DirectoryStore;

  beforeEach(async () => {
    bed = await DataBed.open();
    ({ db, store } = bed);
  });
  afterEach(() => bed.close());

  /** Sources of one collection, by their ids. */
  async function add(...names: string[]): Promise<string[]> {
    const tenantId = await new TenantRepository(db).create('a tenant');
    const { id } = await new CollectionRepository(db).create(tenantId, { name: 'x', purpose: 'knowledge' });
    const ids = [];
    for (const name of names) {
      const { source } = await addText({ db, store }, tenantId, id, {
        name,
        text: `${name} was read at dawn.`,
      });
      ids.push(source.id);
    }
    return ids;
  }

  /** Processes begin to index a source and are heard of no more; their leases have run out. */
  async function die(sourceId: string, times: number): Promise<void> {
    for (let death = 0; death < times; death++) {
      expect(await claimSource(db, sourceId)).not.toBeNull();
      await db.$executeRaw`UPDATE knowledge_sources SET lease_until = now() - interval '1 second' WHERE id = ${sourceId}`;
    }
  }

  async function indexing<T>(from: ObjectStore, work: () => Promise<T>): Promise<T> {
    const settings = scannerSettings.parse({
      DATABASE_URL: bed.url,
      QUEUE_URL: bed.url,
      STORAGE_DIR: bed.folder,
      WORKER_CONCURRENCY: '3',
    });
    const processes = new ParsingProcesses(settings);
    const listener = new NotificationListener(bed.url);
    const indexer = new Indexer(
      db,
      from,
      settings,
      createLogger('scanner', { level: 'silent' }),
      processes,
      listener,
    );
    await indexer.onApplicationBootstrap();
    try {
      return await work();
    } finally {
      await indexer.onModuleDestroy();
      await listener.stop();
      await processes.close();
    }
  }

  const stateOf = async (id: string) => (await db.knowledgeSource.findUniqueOrThrow({ where: { id } })).state;
  const untilSettled = (ids: string[]) =>
    until(
      'the sources to be ready or failed',
      () => Promise.all(ids.map(stateOf)),
      (states) => states.every((state) => state === 'ready' || state === 'failed'),
    );

  it('B14 X4 fails after a number of crashes, and its neighbours are indexed', async () => {
    const [poison, last, neighbour] = (await add('poison', 'last', 'neighbour')) as [string, string, string];
    await die(poison, DEATHS);
    await die(last, DEATHS - 1);
    await indexing(store, () => untilSettled([poison, last, neighbour]));
    expect(await Promise.all([poison, last, neighbour].map(stateOf))).toEqual(['failed', 'ready', 'ready']);
    const { problem } = await db.knowledgeSource.findUniqueOrThrow({ where: { id: poison } });
    expect(problem).toContain('Split it');
  });

  it('B14 X4 waits during an outage of the object store, and does not fail', async () => {
    const [source] = (await add('source')) as [string];
    await die(source, DEATHS - 1);
    let isAway = true;
    const broken = new Proxy(store, {
      get: (target, name) => {
        if (name === 'head' && isAway)
          return () => Promise.reject(new StorageUnavailableError('AccessDenied'));
        const value: unknown = Reflect.get(target, name);
        return typeof value === 'function' ? (value.bind(target) as unknown) : value;
      },
    });
    const found = () => db.knowledgeSource.findUniqueOrThrow({ where: { id: source } });
    const states = await indexing(broken, async () => {
      const waiting = await until(
        'the source to be put back',
        found,
        ({ leaseUntil }) => leaseUntil === null,
      );
      expect(waiting).toMatchObject({ state: 'indexing', attempts: 0 });
      expect(waiting.problem).toContain('is unreachable');
      isAway = false;
      await db.$executeRaw`UPDATE knowledge_sources SET next_at = now() WHERE id = ${source}`;
      return untilSettled([source]);
    });
    expect(states).toEqual(['ready']);
  });

  it('B14 X4 is indexed alone after the first crash, so that a further crash counts only against it', async () => {
    const [suspect, ...neighbours] = (await add('suspect', 'a', 'b')) as [string, string, string];
    await die(suspect, 1);
    const { objectKey: suspected } = await db.knowledgeSource.findUniqueOrThrow({ where: { id: suspect } });
    const inside = new Set<string>();
    let beside: string[] | undefined;
    const watched = new Proxy(store, {
      get: (target, name) => {
        if (name !== 'getBytes') {
          const value: unknown = Reflect.get(target, name);
          return typeof value === 'function' ? (value.bind(target) as unknown) : value;
        }
        return async (key: string) => {
          inside.add(key);
          if (key === suspected) {
            // The loops have the others in hand by then, and would have begun.
            await until(
              'the neighbours to be begun',
              () => Promise.all(neighbours.map(stateOf)),
              (states) => !states.includes('queued'),
            );
            beside = [...inside];
          }
          try {
            return await target.getBytes(key);
          } finally {
            inside.delete(key);
          }
        };
      },
    });
    const states = await indexing(watched, () => untilSettled([suspect, ...neighbours]));
    expect(beside).toEqual([suspected]);
    expect(states).toEqual(['ready', 'ready', 'ready']);
  });
});
