import type { InThread } from '#agent/ports.js';
import { agentRunnerSettings } from '#config/settings.js';
import { createDatabase, type Database } from '#db/client.js';
import index, { type IndexCall } from '#knowledge/ingest/index.worker.js';
import { wordsOf } from '#knowledge/text/words.js';
import { EmbeddingUsage } from '#knowledge/vectors/embedding-usage.js';
import { StoredEmbedder } from '#knowledge/vectors/stored-embedder.js';
import { VectorSearch } from '#knowledge/vectors/vector-search.js';
import { OpenAiEmbedder } from '#llm/embeddings.js';
import type { HeldRun } from '#run-engine/kind.js';
import { DirectoryStore } from '#storage/directory-store.js';
import { startEmbeddingStub, type EmbeddingStub } from '#testing/embedding-stub.js';
import { createTestDatabase, type TestDatabase } from '#testing/postgres.js';
import { RunLog } from '#testing/run-log.js';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { articleServices } from './article-services.js';
import type { Meaning } from './meaning.js';

const SCAN = new URL('../../../../dist/libs/knowledge/src/vectors/scan.worker.js', import.meta.url);
const SHIPS = ['ship', 'ships', 'boat', 'boats', 'vessel', 'vessels'];
/** The more often it speaks of ships, the nearer. */
const vectorOf = (text: string) => [wordsOf(text).filter((word) => SHIPS.includes(word)).length, 0.1];
const inThread = ((_module, call) => index(call as IndexCall)) as InThread;

describe('the log of articles in a run', () => {
  let database: TestDatabase;
  let db: Database;
  let folder: string;
  let stub: EmbeddingStub;
  let meaning: Meaning;

  beforeAll(async () => {
    database = await createTestDatabase();
    db = createDatabase(database.url, 4);
    folder = await mkdtemp(join(tmpdir(), 'article-log-'));
    stub = await startEmbeddingStub(vectorOf);
    const config = { model: 'one', baseUrl: stub.baseUrl, retryDelayMs: 1 };
    const usage = new EmbeddingUsage(db);
    meaning = {
      search: new VectorSearch(db, config, usage, 2 ** 20, SCAN),
      embedder: new StoredEmbedder(db, new OpenAiEmbedder(config), usage),
    };
  });
  afterAll(async () => {
    await meaning.search.close();
    stub.stop();
    await db.$disconnect();
    await database.drop();
    await rm(folder, { recursive: true, force: true });
  });
  beforeEach(() => {
    stub.failures.length = 0;
  });

  async function newRun(): Promise<HeldRun> {
    const { runId: id, tenantId } = await RunLog.create(db);
    const { sessionId } = await db.run.findUniqueOrThrow({ where: { id } });
    const place = { id, tenantId, sessionId, kind: 'article', mode: 'author', inputs: { topic: 'x' } };
    const origin = { traceparent: null, graphVersion: '1', parentRunId: null, parentTaskId: null };
    const fence = { runId: id, epoch: 0 };
    return { ...place, ...origin, step: 0, crashes: 0, isNew: true, express: false, fence };
  }

  function logOf(run: HeldRun, given?: Meaning) {
    const url = database.url;
    const settings = agentRunnerSettings.parse({ DATABASE_URL: url, QUEUE_URL: url, STORAGE_DIR: folder });
    const outside = { db, store: new DirectoryStore(folder), settings, meaning: given };
    return articleServices(outside, inThread)(run, new AbortController().signal).log;
  }

  const entry = (topic: string) => ({ topic, keywords: [], word_count: 300, mode: 'author' as const });

  it('A5 finds a topic by its meaning, though no word of it is the same', async () => {
    const run = await newRun();
    await logOf(run, meaning).save(entry('Old boats'));
    expect(await logOf(run, meaning).resembling('Wooden vessels', [])).toMatchObject({ topic: 'Old boats' });
    expect(await logOf(run).resembling('Wooden vessels', [])).toBeNull();
    expect(await logOf(run, meaning).resembling('How bread is baked', [])).toBeNull();
  });

  it('A5 A12 goes by the words while the endpoint is down, and has what it could not embed embedded later', async () => {
    const run = await newRun();
    stub.failures.push(...Array.from({ length: 6 }, () => 500));
    await logOf(run, meaning).save(entry('Boats of the bay'));
    const topics = await db.knowledgeSource.findMany({ where: { tenantId: run.tenantId } });
    expect(topics.map(({ state }) => state)).toEqual(['queued']);
    stub.failures.push(...Array.from({ length: 6 }, () => 500));
    expect(await logOf(run, meaning).resembling('The boats of the bay', [])).toMatchObject({
      topic: 'Boats of the bay',
    });
  });
});
