import type { Database } from '#db/client.js';
import { TenantRepository } from '#db/repositories/tenants.js';
import type { DirectoryStore } from '#storage/directory-store.js';
import { atDepth } from '#testing/depth.js';
import { DataBed } from '#testing/data-bed.js';
import { chunkText } from '../chunk/chunk-text.js';
import { addText } from '../knowledge.js';
import { search } from '../search/search.js';
import { CollectionRepository } from '../store/collections.js';
import { EmbeddingUsage } from '../vectors/embedding-models.js';
import { StoredEmbedder } from '../vectors/stored-embedder.js';
import { claimSource } from './claim.js';
import { indexSource, type IndexerTools } from './index-source.js';
import { mergeCollection } from './merge.js';
import { inlineWork } from './work.js';

const SENDING = new Set<string | symbol>(['$queryRaw', '$executeRaw', '$executeRawUnsafe', '$statement']);
class KilledError extends Error {}

/** Ends a process at one of its statements: before it is sent, or after its execution but before the response. */
class Killer {
  private left: number;

  constructor(
    at: number,
    private readonly when: 'before' | 'after',
  ) {
    this.left = at;
  }

  over<Client extends object>(client: Client): Client {
    return new Proxy(client, {
      get: (target, name) => {
        const value: unknown = Reflect.get(target, name);
        if (typeof value !== 'function') return value;
        const call = (...args: unknown[]) => (value as (...all: unknown[]) => unknown).apply(target, args);
        if (name === '$transaction')
          return (work: unknown, options: unknown) =>
            this.step(() =>
              call(typeof work === 'function' ? (tx: object) => work(this.over(tx)) : work, options),
            );
        return SENDING.has(name) ? (...args: unknown[]) => this.step(() => call(...args)) : call;
      },
    });
  }

  private async step(send: () => unknown): Promise<unknown> {
    const isLast = --this.left === 0;
    if (isLast && this.when === 'before') throw new KilledError();
    const result = await send();
    if (isLast) throw new KilledError();
    return result;
  }
}

const topics = ['alpha', 'beta', 'gamma', 'delta', 'omega'];
const paragraph = (topic: string) =>
  Array.from({ length: 60 }, (_, at) => `${topic} sentence number ${at} of this paragraph.`).join(' ');
const textOf = (words: string[]) => words.map(paragraph).join('\n\n');

describe('a worker that is killed while it indexes', () => {
  let bed: DataBed;
  let db: Database;
  let store: DirectoryStore;

  beforeAll(async () => {
    bed = await DataBed.open();
    ({ db, store } = bed);
  });
  afterAll(() => bed.close());

  /** Returns the same vector for every text. */
  const tools = (over: Database): IndexerTools => {
    const embed = (texts: string[]) =>
      Promise.resolve({ vectors: texts.map(() => Float32Array.of(1, 0)), tokens: 1, estimated: false });
    const model = { label: 'made-up', embedder: { model: 'made-up', embed }, price: undefined };
    const given = () => Promise.resolve(model);
    const models = { current: given, ofVectors: given };
    const embedder = new StoredEmbedder(over, models, new EmbeddingUsage(db));
    return { db: over, store, work: inlineWork, embedder };
  };

  /** @returns whether indexing completed */
  async function work(over: Database, sourceId: string, collectionId: string): Promise<boolean> {
    // The previous lease has expired. Times are stored in milliseconds, so `now()` may be rounded into the future.
    await db.$executeRaw`UPDATE knowledge_sources SET lease_until = NULL, next_at = now() - interval '1 second' WHERE id = ${sourceId}`;
    try {
      const claimed = await claimSource(over, sourceId);
      if (claimed) await indexSource(tools(over), claimed, new AbortController().signal);
      await mergeCollection(tools(over), collectionId);
      return true;
    } catch (error) {
      if (error instanceof KilledError) return false;
      throw error;
    }
  }

  /** Number of statements between two kills, so that each kind of statement is covered before or after it at either depth. */
  const STRIDE = atDepth({ quick: 4, full: 1 });

  it.each([
    ['before', 1],
    ['after', 1 + Math.floor(STRIDE / 2)],
  ] as const)(
    'B14 leaves every source ready and each passage once, killed %s any statement',
    async (when, first) => {
      const tenantId = await new TenantRepository(db).create('a tenant');
      let isDone = false;
      for (let at = first; !isDone; at += STRIDE) {
        const { id } = await new CollectionRepository(db).create(tenantId, {
          name: 'x',
          purpose: 'knowledge',
        });
        const add = (words: string[]) =>
          addText({ db, store }, tenantId, id, { name: 'doc', text: textOf(words) });
        const { source } = await add(topics.slice(0, 4));
        await work(db, source.id, id);
        // A changed source: some passages stay, some are removed, some are added.
        await add(topics.slice(1));
        isDone = await work(new Killer(at, when).over(db), source.id, id);
        await work(db, source.id, id);
        await work(db, source.id, id);
        expect(await db.knowledgeSource.findFirst({ where: { id: source.id } })).toMatchObject({
          state: 'ready',
          problem: null,
        });
        const chunks = await db.knowledgeChunk.findMany({
          where: { collectionId: id },
          orderBy: { startAt: 'asc' },
        });
        const spans = chunks.map(({ startAt, endAt }) => [startAt, endAt]);
        expect(spans).toEqual(chunkText(textOf(topics.slice(1))).map(({ start, end }) => [start, end]));
        expect(await db.knowledgeVector.count({ where: { collectionId: id } })).toBe(chunks.length);
        for (const topic of topics) {
          const { hits } = await search(db, tenantId, {
            collections: [id],
            query: topic,
            mode: 'lexical',
            k: 100,
          });
          const holding = hits.filter(({ text }) => text.includes(`${topic} `));
          expect(holding).toHaveLength(chunks.filter(({ text }) => text.includes(`${topic} `)).length);
          if (topic === 'alpha') expect(holding).toEqual([]);
        }
        expect(await db.knowledgeSegment.count({ where: { collectionId: id, live: false } })).toBe(0);
      }
    },
    240_000,
  );
});
