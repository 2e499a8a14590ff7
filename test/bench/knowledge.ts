/**
 * Measures the speed of knowledge: ingestion in chunks per second and CPU per chunk, in batches as the product does, and searches over a collection that grows to 1,000,
 * 10,000 and 100,000 chunks. Searches use words, generated vectors, or both, and alternate with PostgreSQL's own ts_rank
 * on the same rows and MiniSearch in memory (in a separate thread). Also measures the memory that searches retain.
 * Usage: node dist/test/bench/knowledge.js [--json FILE] [--chunks MAX]
 */
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cpuPerRun, postgresPid } from './engine/cpu.js';
import { benchOptions } from './options.js';
import { createDatabase } from '#db/client.js';
import { migrate } from '#db/migrate.js';
import { TenantRepository } from '#db/repositories/tenants.js';
import { startPostgres } from '#embedded/postgres.js';
import { projectRoot } from '#embedded/project-root.js';
import { claimNext } from '#knowledge/ingest/claim.js';
import { indexBatch, type IndexerTools } from '#knowledge/ingest/index-source.js';
import { mergeCollection } from '#knowledge/ingest/merge.js';
import { addText } from '#knowledge/knowledge.js';
import { search } from '#knowledge/search/search.js';
import { CollectionRepository } from '#knowledge/store/collections.js';
import { DirectoryStore } from '#storage/directory-store.js';
import type { IndexAnswer } from '#knowledge/ingest/index.worker.js';
import { INDEX_WORKER, threadedWork } from '#knowledge/ingest/threaded-work.js';
import { ThreadPool } from '#kit/runtime/thread-pool.js';
import { hasPgvector, pgvectorIn } from '#testing/pgvector.js';
import { miniSearchOver } from './knowledge/mini-search.js';
import { race, type Contender } from './knowledge/race.js';
import { sourceText, sampleQueries } from './knowledge/texts.js';
import { tsRankOver } from './knowledge/ts-rank.js';
import { addVectors, semanticContenders } from './knowledge/vectors.js';

const SIZES = { '1k': 1_000, '10k': 10_000, '100k': 100_000 };
const THREADS = 2;
/** Batches that are indexed at the same time, as by the tools worker. */
const AT_ONCE = 3;
/** Sources that are added when none waits. */
const ADDED = 32;
/** Of so many sources, one is large and the others have one part, so that the product indexes them together. */
const LARGE_EVERY = 13;
const QUERIES = 60;
/** Interval of queries to MiniSearch, which is by far the slowest. */
const SLOW_EVERY = 3;
/** Searches after which memory is looked at again. */
const MANY = 240;
const K = 10;

type Figures = Record<string, Record<string, number>>;

const { sizes, save } = benchOptions({ chunks: [100_000, 1_000] });

/** A collection whose sources are indexed in the batches that the product claims. */
class GrowingCollection {
  /** Chunks that it has. */
  chunks = 0;
  /** Milliseconds that indexing took, and of CPU, with PostgreSQL's. */
  private ms = 0;
  private cpuMs = 0;
  private sources = 0;

  constructor(
    private readonly tools: IndexerTools,
    readonly tenantId: string,
    readonly id: string,
  ) {}

  async growTo(chunks: number): Promise<void> {
    const { db } = this.tools;
    const started = performance.now();
    const grow = async () => {
      while (this.chunks < chunks) await this.step();
    };
    const groups = { own: [process.pid], postgres: [await postgresPid(db)] };
    const all = () => Promise.all(Array.from({ length: AT_ONCE }, grow));
    this.cpuMs += (await cpuPerRun(groups, 1, all))?.['all'] ?? 0;
    this.ms += performance.now() - started;
  }

  get speed() {
    return {
      chunksPerSecond: Math.round((this.chunks / this.ms) * 1_000),
      cpuMsPerChunk: Number((this.cpuMs / this.chunks).toFixed(2)),
    };
  }

  private async step(): Promise<void> {
    const { tools, id } = this;
    const claimed = await claimNext(tools.db);
    if (claimed.length === 0) return this.addSources();
    for (const error of (await indexBatch(tools, claimed, new AbortController().signal)).values())
      throw error;
    await mergeCollection(tools, id);
    const where = { id: { in: claimed.map((source) => source.id) } };
    const { _sum } = await tools.db.knowledgeSource.aggregate({ where, _sum: { chunks: true } });
    this.chunks += _sum.chunks ?? 0;
  }

  private async addSources(): Promise<void> {
    const first = this.sources;
    this.sources += ADDED;
    for (let at = first; at < first + ADDED; at++) {
      const text = { name: `source ${at}`, text: sourceText(at, at % LARGE_EVERY === 0 ? undefined : 1) };
      await addText(this.tools, this.tenantId, this.id, text);
    }
  }
}

/** Returns the growth of the process by searches, in MiB: memory that a search does not release for the next. */
async function growth(run: Contender['run']): Promise<number> {
  const queries = sampleQueries(MANY);
  for (const query of queries.slice(0, QUERIES)) await run(query);
  const before = process.memoryUsage().rss;
  for (const query of queries) await run(query);
  return Math.round((process.memoryUsage().rss - before) / 2 ** 20);
}

/** Measures everything at one size. */
async function measure({ db }: IndexerTools, collection: GrowingCollection, size: string, figures: Figures) {
  const { tenantId, id } = collection;
  await addVectors(db, tenantId, id);
  await db.$executeRawUnsafe('VACUUM ANALYZE');
  const lexical = (query: string) =>
    search(db, tenantId, { collections: [id], query, k: K, mode: 'lexical' });
  const growthMb = await growth(lexical);
  figures[`memory${size}`] = { growthMb };
  console.log(`${size}: ${MANY} searches by words let the process grow by ${growthMb} MiB`);
  const [semantic, tsRank, miniSearch] = await Promise.all([
    semanticContenders(db, tenantId, id, K),
    tsRankOver(db, id, K),
    miniSearchOver(db, id, K),
  ]);
  const contenders: Record<string, Contender> = {
    lexical: { run: lexical },
    tsRank: { run: tsRank },
    ...Object.fromEntries(Object.entries(semantic.contenders).map(([name, run]) => [name, { run }])),
    miniSearch: { run: miniSearch.run, every: SLOW_EVERY },
  };
  for (const [name, times] of Object.entries(await race(contenders, sampleQueries(QUERIES)))) {
    figures[`${name}${size}`] = { ...times };
    console.log(`${size}: ${name.padEnd(16)} p50 ${times.p50Ms} ms, p95 ${times.p95Ms} ms`);
  }
  await semantic.close();
  await miniSearch.close();
}

async function measureAll(tools: IndexerTools, figures: Figures): Promise<void> {
  const tenantId = await new TenantRepository(tools.db).create('bench');
  const created = await new CollectionRepository(tools.db).create(tenantId, {
    name: 'x',
    purpose: 'knowledge',
  });
  const collection = new GrowingCollection(tools, tenantId, created.id);
  for (const [size, chunks] of Object.entries(SIZES)) {
    if (chunks > sizes.chunks) continue;
    await collection.growTo(chunks);
    figures['ingest'] = collection.speed;
    const { chunksPerSecond, cpuMsPerChunk } = collection.speed;
    console.log(
      `${size}: ingestion ${chunksPerSecond} chunks/s (goal: 300), ${cpuMsPerChunk} ms of CPU a chunk (goal: 1.6)`,
    );
    await measure(tools, collection, size, figures);
  }
}

/** Reports how much slower a search is with ten times as much data. */
function reportGrowth(figures: Figures): void {
  const sizes = Object.keys(SIZES).filter((size) => figures[`lexical${size}`]);
  for (const [at, size] of sizes.slice(1).entries()) {
    const times = figures[`lexical${size}`]!['p50Ms']! / figures[`lexical${sizes[at]}`]!['p50Ms']!;
    figures[`growth${size}`] = { lexicalP50: Number(times.toFixed(2)) };
    console.log(
      `${sizes[at]} to ${size}: a search by words takes ${times.toFixed(1)} times as long (goal: less than 10)`,
    );
  }
  const { lexical100k, tsRank100k } = figures;
  if (lexical100k && tsRank100k)
    console.log(
      `100k: lexical p95 ${lexical100k['p95Ms']} ms (goal: 50, and less than the ${tsRank100k['p95Ms']} ms of ts_rank)`,
    );
}

const folder = await mkdtemp(join(tmpdir(), 'scriptorium-knowledge-'));
await chmod(folder, 0o755);
const postgres = await startPostgres({
  dataDir: join(folder, 'postgres'),
  ...(hasPgvector && { settings: pgvectorIn(join(folder, 'extension')) }),
});
const pool = new ThreadPool({ threads: THREADS, memoryMb: 2_048 });
const work = threadedWork((call) => pool.run<IndexAnswer>(INDEX_WORKER, call, 300_000));
const figures: Figures = {};
try {
  await migrate(postgres.url, join(projectRoot(), 'prisma/migrations'));
  const db = createDatabase(postgres.url, 8);
  await measureAll({ db, store: new DirectoryStore(join(folder, 'objects')), work }, figures);
  await db.$disconnect();
  reportGrowth(figures);
  save(figures);
} finally {
  await pool.close();
  await postgres.stop();
  await rm(folder, { recursive: true, force: true });
}
