import type { InThread } from '#kit/graph/ports.js';
import { agentRunnerSettings } from '#config/settings.js';
import type { Database } from '#db/client.js';
import index, { type IndexCall } from '#knowledge/ingest/index.worker.js';
import type { HeldRun } from '#engine/kind.js';
import { DataBed } from '#testing/data-bed.js';
import { RunLog } from '#testing/run-log.js';
import { startSemanticSearchStub, type ShipsMeaning } from '#testing/semantic-search-stub.js';
import { articleServices } from './services.js';
import type { EmbeddingServices } from '#knowledge/runner.js';

const inThread = ((_module, call) => index(call as IndexCall)) as InThread;

describe('the log of articles in a run', () => {
  let bed: DataBed;
  let db: Database;
  let ships: ShipsMeaning;
  let meaning: EmbeddingServices;

  beforeAll(async () => {
    bed = await DataBed.open();
    ({ db } = bed);
    ships = await startSemanticSearchStub(db);
    ({ meaning } = ships);
  });
  afterAll(async () => {
    await ships.stop();
    await bed.close();
  });
  beforeEach(() => {
    ships.stub.failures.length = 0;
  });

  async function newRun(): Promise<HeldRun> {
    const { runId: id, tenantId } = await RunLog.create(db);
    const { sessionId } = await db.run.findUniqueOrThrow({ where: { id } });
    const place = { id, tenantId, sessionId, kind: 'article', mode: 'author', inputs: { topic: 'x' } };
    const origin = { traceparent: null, graphVersion: '1', parentRunId: null, parentTaskId: null };
    const fence = { runId: id, epoch: 0 };
    return { ...place, ...origin, step: 0, crashes: 0, blocked: 0, isNew: true, express: false, fence };
  }

  function logOf(run: HeldRun, given?: EmbeddingServices) {
    const url = bed.url;
    const settings = agentRunnerSettings.parse({
      DATABASE_URL: url,
      QUEUE_URL: url,
      STORAGE_DIR: bed.folder,
    });
    const outside = { db, store: bed.store, settings, meaning: given };
    return articleServices(outside, inThread)(run, new AbortController().signal).log;
  }

  const entry = (topic: string) => ({ topic, keywords: [], word_count: 300, mode: 'author' as const });

  it('A5 finds a similar topic that has no word in common', async () => {
    const run = await newRun();
    await logOf(run, meaning).save(entry('Old boats'));
    expect(await logOf(run, meaning).resembling('Wooden vessels', [])).toMatchObject({ topic: 'Old boats' });
    expect(await logOf(run).resembling('Wooden vessels', [])).toBeNull();
    expect(await logOf(run, meaning).resembling('How bread is baked', [])).toBeNull();
  });

  it('A5 A12 compares words while the embedding server is down, and embeds the missing topics later', async () => {
    const run = await newRun();
    ships.stub.failures.push(...Array.from({ length: 6 }, () => 500));
    await logOf(run, meaning).save(entry('Boats of the bay'));
    const topics = await db.knowledgeSource.findMany({ where: { tenantId: run.tenantId } });
    expect(topics.map(({ state }) => state)).toEqual(['queued']);
    ships.stub.failures.push(...Array.from({ length: 6 }, () => 500));
    expect(await logOf(run, meaning).resembling('The boats of the bay', [])).toMatchObject({
      topic: 'Boats of the bay',
    });
  });
});
