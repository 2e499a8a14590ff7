/**
 * Speed of knowledge: ingestion in chunks per second, and searches over 1,000, 10,000 and 100,000 chunks by words, by made-up vectors and by
 * both, beside PostgreSQL's own ts_rank on the same rows and MiniSearch in memory, by turns; and what searches leave in memory.
 * Usage: node dist/test/bench/knowledge.js [--json FILE] [--chunks MAX]
 */
import { writeFileSync } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import MiniSearch from 'minisearch';
import { createDatabase, type Database } from '#db/client.js';
import { migrate } from '#db/migrate.js';
import { TenantRepository } from '#db/repositories/tenants.js';
import { startPostgres } from '#embedded/postgres.js';
import { projectRoot } from '#embedded/project-root.js';
import { claimSource } from '#knowledge/ingest/claim.js';
import { indexSource, type IndexerTools } from '#knowledge/ingest/index-source.js';
import { mergeCollection } from '#knowledge/ingest/merge.js';
import { addText } from '#knowledge/knowledge.js';
import { search } from '#knowledge/search/search.js';
import { CollectionRepository } from '#knowledge/store/collections.js';
import { wordsOf } from '#knowledge/text/words.js';
import { DirectoryStore } from '#storage/directory-store.js';
import type { IndexAnswer } from '#knowledge/ingest/index.worker.js';
import { INDEX_WORKER, threadedWork } from '#knowledge/ingest/threaded-work.js';
import { ThreadPool } from '#runtime/thread-pool.js';
import { hasPgvector, pgvectorIn } from '#testing/pgvector.js';
import { sourceText, sampleQueries } from './knowledge/texts.js';
import { addVectors, semanticContenders } from './knowledge/vectors.js';

const SIZES = { '1k': 1_000, '10k': 10_000, '100k': 100_000 };
const THREADS = 2;
/** Sources that are indexed at the same time. */
const AT_ONCE = 3;
const QUERIES = 60;
/** Searches after which memory is looked at again. */
const MANY = 240;
const K = 10;

type Figures = Record<string, Record<string, number>>;

const { values: options } = parseArgs({
  options: { json: { type: 'string' }, chunks: { type: 'string', default: '100000' } },
});

/** Fills a collection. @returns chunks per second */
async function fill(
  tools: IndexerTools,
  tenantId: string,
  collectionId: string,
  chunks: number,
): Promise<number> {
  const started = performance.now();
  const signal = new AbortController().signal;
  let made = 0;
  let next = 0;
  const fillOne = async () => {
    while (made < chunks) {
      const at = next++;
      const { source } = await addText(tools, tenantId, collectionId, {
        name: `source ${at}`,
        text: sourceText(at),
      });
      await indexSource(tools, (await claimSource(tools.db, source.id))!, signal);
      await mergeCollection(tools, collectionId);
      made += (await tools.db.knowledgeSource.findFirstOrThrow({ where: { id: source.id } })).chunks;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, fillOne));
  return (made / (performance.now() - started)) * 1_000;
}

/** Runs each contender on each query by turns. */
async function race(
  contenders: Record<string, (query: string) => Promise<unknown>>,
  queries: string[],
): Promise<Figures> {
  const times = Object.fromEntries(Object.keys(contenders).map((name) => [name, [] as number[]]));
  for (const query of queries.slice(0, 5)) for (const run of Object.values(contenders)) await run(query);
  for (const query of queries)
    for (const [name, run] of Object.entries(contenders)) {
      const started = performance.now();
      await run(query);
      times[name]!.push(performance.now() - started);
    }
  return Object.fromEntries(
    Object.entries(times).map(([name, all]) => {
      const sorted = all.sort((a, b) => a - b);
      const at = (share: number) => Number(sorted[Math.floor(share * (sorted.length - 1))]!.toFixed(2));
      return [name, { p50Ms: at(0.5), p95Ms: at(0.95) }];
    }),
  );
}

/** PostgreSQL's own search over the same rows: a stored tsvector, GIN, ts_rank. */
async function tsRankOver(db: Database, collectionId: string, size: string) {
  await db.$executeRawUnsafe(
    `CREATE TABLE ts_${size} AS SELECT id, to_tsvector('english', text) AS words FROM knowledge_chunks WHERE collection_id = '${collectionId}'`,
  );
  await db.$executeRawUnsafe(`CREATE INDEX ts_${size}_words ON ts_${size} USING gin (words)`);
  await db.$executeRawUnsafe(`ANALYZE ts_${size}`);
  return (query: string) => {
    const terms = wordsOf(query).join(' | ');
    return db.$queryRawUnsafe(
      `SELECT id, ts_rank(words, q) AS score FROM ts_${size}, to_tsquery('english', $1) q WHERE words @@ q ORDER BY score DESC LIMIT ${K}`,
      terms,
    );
  };
}

async function miniSearchOver(db: Database, collectionId: string) {
  const index = new MiniSearch({ fields: ['text'] });
  for (let last = ''; ;) {
    const rows = await db.knowledgeChunk.findMany({
      where: { collectionId, id: { gt: last } },
      orderBy: { id: 'asc' },
      take: 5_000,
      select: { id: true, text: true },
    });
    if (rows.length === 0) break;
    index.addAll(rows);
    last = rows.at(-1)!.id;
  }
  return (query: string) => Promise.resolve(index.search(query).slice(0, K));
}

type Contender = (query: string) => Promise<unknown>;

/** How much the process grows by searches: what one leaves behind that the next does not use. @returns MiB */
async function growth(run: Contender): Promise<number> {
  const queries = sampleQueries(MANY);
  for (const query of queries.slice(0, QUERIES)) await run(query);
  const before = process.memoryUsage().rss;
  for (const query of queries) await run(query);
  return Math.round((process.memoryUsage().rss - before) / 2 ** 20);
}

async function measure(tools: IndexerTools, figures: Figures): Promise<void> {
  const { db } = tools;
  const tenantId = await new TenantRepository(db).create('bench');
  for (const [size, chunks] of Object.entries(SIZES)) {
    if (chunks > Number(options.chunks)) continue;
    const { id } = await new CollectionRepository(db).create(tenantId, { name: size, purpose: 'knowledge' });
    const rate = await fill(tools, tenantId, id, chunks);
    figures['ingest'] = { chunksPerSecond: Math.round(rate) };
    console.log(`${size}: ingestion ${rate.toFixed(0)} chunks/s`);
    await addVectors(db, tenantId, id);
    await db.$executeRawUnsafe('VACUUM ANALYZE');
    const lexical = (query: string) =>
      search(db, tenantId, { collections: [id], query, k: K, mode: 'lexical' });
    figures[`memory${size}`] = { growthMb: await growth(lexical) };
    const semantic = await semanticContenders(db, tenantId, id, K);
    const before = process.memoryUsage().rss;
    const contenders = {
      lexical,
      tsRank: await tsRankOver(db, id, size),
      ...semantic.contenders,
      miniSearch: await miniSearchOver(db, id),
    };
    for (const [name, figure] of Object.entries(await race(contenders, sampleQueries(QUERIES)))) {
      figures[`${name}${size}`] = figure;
      console.log(`${size}: ${name.padEnd(16)} p50 ${figure['p50Ms']} ms, p95 ${figure['p95Ms']} ms`);
    }
    await semantic.close();
    console.log(`${size}: ${MANY} searches by words: ${figures[`memory${size}`]!['growthMb']} MiB`);
    console.log(
      `${size}: MiniSearch's index and all else took ${Math.round((process.memoryUsage().rss - before) / 2 ** 20)} MiB`,
    );
  }
}

const folder = await mkdtemp(join(tmpdir(), 'scriptorium-knowledge-'));
await chmod(folder, 0o755);
const postgres = await startPostgres({
  dataDir: join(folder, 'postgres'),
  ...(hasPgvector && { settings: pgvectorIn(join(folder, 'extension')) }),
});
const pool = new ThreadPool(INDEX_WORKER, { threads: THREADS, memoryMb: 2_048 });
const work = threadedWork((call) => pool.run<IndexAnswer>(call, 300_000));
const figures: Figures = {};
try {
  await migrate(postgres.url, join(projectRoot(), 'prisma/migrations'));
  const db = createDatabase(postgres.url, 8);
  await measure({ db, store: new DirectoryStore(join(folder, 'objects')), work }, figures);
  await db.$disconnect();
  if (options.json) writeFileSync(options.json, `${JSON.stringify(figures, null, 2)}\n`);
} finally {
  await pool.close();
  await postgres.stop();
  await rm(folder, { recursive: true, force: true });
}
