import { createDatabase } from '#db/client.js';
import { EventBuffer } from '#engine/runs/event-log.js';
import { GroupCommit } from '#engine/checkpointer/group-commit.js';
import { PrismaSaver } from '#engine/checkpointer/prisma-saver.js';
import { PostgresSaver } from '@langchain/langgraph-checkpoint-postgres';
import type { Checkpoint } from '@langchain/langgraph-checkpoint';
import type { RunnableConfig } from '@langchain/core/runnables';
import pg from 'pg';
import { percentiles, timed, type Percentiles } from './figures.js';

const ROUNDS = 300;
const WARM_UP = 40;
const VALUE = 'x'.repeat(10_000);

/** The compared method, which both savers have with types of different versions. */
interface Saver {
  getNextVersion(current: never): string | number;
  put(
    config: RunnableConfig,
    checkpoint: Checkpoint,
    metadata: never,
    versions: never,
  ): Promise<RunnableConfig>;
}

const checkpointId = (step: number) => `1f000000-0000-6000-8000-${String(step).padStart(12, '0')}`;

async function put(saver: Saver, thread: string, step: number): Promise<number> {
  const version = saver.getNextVersion(undefined as never);
  const checkpoint = {
    v: 4,
    id: checkpointId(step),
    ts: new Date().toISOString(),
    // Another node follows, because the writes of a run's last step are committed with its end.
    channel_values: { text: VALUE, 'branch:to:node': null },
    channel_versions: { text: `${step}.${version}` },
    versions_seen: { node: { text: `${step}.${version}` } },
  } as Checkpoint;
  const parent = step === 0 ? {} : { checkpoint_id: checkpointId(step - 1) };
  const config = { configurable: { thread_id: thread, checkpoint_ns: '', ...parent } };
  const metadata = { source: 'loop', step, parents: {} };
  return timed(() => saver.put(config, checkpoint, metadata as never, checkpoint.channel_versions as never));
}

/**
 * Alternately puts a 10 KB state with both savers, in one process and database; our puts are fenced and carry an event
 * each.
 */
export async function checkpointPuts(
  databaseUrl: string,
): Promise<{ product: Percentiles; postgresSaver: Percentiles }> {
  const db = createDatabase(databaseUrl, 1);
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 1 });
  const peer = new PostgresSaver(pool);
  await peer.setup();
  const runId = 'run_put';
  await db.$executeRaw`INSERT INTO tenants (id, name) VALUES ('ten_put', 'put') ON CONFLICT DO NOTHING`;
  await db.$executeRaw`INSERT INTO sessions (id, tenant_id) VALUES ('ses_put', 'ten_put') ON CONFLICT DO NOTHING`;
  await db.$executeRaw`INSERT INTO runs (id, tenant_id, session_id, kind, status, epoch, inputs, graph_version)
    VALUES (${runId}, 'ten_put', 'ses_put', 'put', 'running', 1, '{}', 'bench') ON CONFLICT DO NOTHING`;
  const events = new EventBuffer(db, { runId, epoch: 1 }, (error) => console.error(error));
  const own = new PrismaSaver(db, new GroupCommit(db, { runId, epoch: 1 }, events, 0)) as Saver;
  const mine: number[] = [];
  const theirs: number[] = [];
  for (let step = 0; step < WARM_UP + ROUNDS; step++) {
    events.emit({ type: 'node_complete', data: { step }, effectKey: `step/${step}` });
    const a = await put(own, runId, step);
    const b = await put(peer as Saver, runId, step);
    if (step < WARM_UP) continue;
    mine.push(a);
    theirs.push(b);
  }
  await db.$executeRaw`DELETE FROM runs WHERE id = ${runId}`;
  await db.$disconnect();
  await pool.end();
  return { product: percentiles(mine), postgresSaver: percentiles(theirs) };
}
