import { newId } from '#contracts/ids.js';
import { createDatabase } from '#db/client.js';
import { migrate } from '#db/migrate.js';
import { projectRoot } from '#embedded/project-root.js';
import { connectJobQueues } from '#testing/queues.js';
import type { Engine } from '#engine/engine.js';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Finding } from '../findings.js';
import { persist, type Deadline } from '../persist.js';
import { Chance } from '../random.js';
import type { OwnBackends } from '../servers.js';
import { checkVolumeRun, repeatedCalls } from './check.js';
import { Driver } from './drive.js';
import { VOLUME_FAULTS, type VolumeTarget } from './faults.js';
import { Keeper } from './keeper.js';

/** Runs in flight. */
const LANES = 60;
const PAUSE_MS = { least: 100, most: 700 };
/** Time limit in ms for a run without further faults. */
const GRACE_MS = 90_000;
/** If no run has ended for this long, no more are started, and running ones are checked after the grace period. */
const STALLED_MS = 90_000;
/** Maximum number of findings that are listed. */
const FINDINGS_SHOWN = 50;
/** A longer fault continues concurrently with the next ones. */
const MAX_WAIT_MS = 3_000;

export interface VolumeOptions {
  runs: number;
  seed: number;
  servers: OwnBackends;
  /** Once aborted, starts no run; started runs are checked. */
  signal: AbortSignal;
  say: (line: string) => void;
}

/** The servers and processes of the engine, and the tenant of the runs. */
interface Scene {
  target: VolumeTarget;
  engine: Engine;
  driver: Driver;
  stop(): Promise<void>;
}

/**
 * Drives small runs on the engine's own processes while these are killed and their servers restarted, then checks every
 * run.
 *
 * @returns the findings; empty if every run ended as if nothing had happened (X4)
 */
export async function injectVolume(options: VolumeOptions): Promise<Finding[]> {
  const deadline = { at: Infinity };
  const scene = await setUp(options.servers, deadline);
  const counts: Record<string, number> = {};
  try {
    const from = performance.now();
    await drive(scene, options, counts, deadline);
    const seconds = (performance.now() - from) / 1_000;
    return await persist('the report', () => report(scene, options.say, counts, seconds), {
      at: Date.now() + GRACE_MS,
    });
  } finally {
    await scene.stop();
  }
}

async function setUp({ postgres, redis }: OwnBackends, deadline: Deadline): Promise<Scene> {
  const queueUrl = redis?.url ?? postgres.url;
  await migrate(postgres.url, join(projectRoot(), 'prisma/migrations'));
  const db = createDatabase(postgres.url, 10);
  await db.$executeRaw`CREATE TABLE volume_calls (run_id TEXT NOT NULL, node TEXT NOT NULL)`;
  const silent = () => undefined;
  const queues = await connectJobQueues(queueUrl, { maxConnections: 5, onError: silent });
  const engine = { db, queues, log: { info: silent, warn: silent, error: silent }, kinds: new Map() };
  const tenantId = newId('ten');
  await db.tenant.create({ data: { id: tenantId, name: 'volume', maxActiveRuns: LANES } });
  const keeper = new Keeper({ runner: 3, worker: 2, reconciler: 2 }, postgres.url, queueUrl);
  return {
    target: { keeper, postgres, redis },
    engine,
    driver: new Driver(engine, tenantId, deadline),
    async stop() {
      await keeper.stop();
      await queues.close();
      await db.$disconnect();
    },
  };
}

/** The last runs are not disturbed: a run that is still open after the grace period is lost. */
async function drive(
  { target, driver }: Scene,
  { runs, seed, say, signal }: VolumeOptions,
  counts: Record<string, number>,
  deadline: { at: number },
): Promise<void> {
  const chance = new Chance(seed);
  let started = 0;
  const goesOn = () => started < runs && !signal.aborted && Date.now() < driver.lastEnd + STALLED_MS;
  const lane = async (source: Chance) => {
    while (goesOn()) {
      started += 1;
      if (started % 500 === 0) say(`${started} runs started, ${JSON.stringify(counts)}`);
      await driver.one(source);
    }
  };
  const lanes = Promise.all(Array.from({ length: LANES }, () => lane(chance.fork())));
  const over = new AbortController();
  const watching = driver.watch(over.signal, chance.fork());
  await inject(target, chance.fork(), counts, goesOn);
  deadline.at = Date.now() + GRACE_MS;
  const late = setTimeout(() => driver.abandon(), GRACE_MS);
  await lanes;
  clearTimeout(late);
  over.abort();
  await watching;
}

/** Injects faults one after the other, with pauses, until stopped. */
async function inject(
  target: VolumeTarget,
  source: Chance,
  counts: Record<string, number>,
  goesOn: () => boolean,
): Promise<void> {
  const underWay: Promise<void>[] = [];
  while (goesOn()) {
    await delay(source.between(PAUSE_MS.least, PAUSE_MS.most));
    const fault = source.weighted(VOLUME_FAULTS);
    const applied = fault.apply(target, source.fork()).then(
      (times) => void (counts[fault.name] = (counts[fault.name] ?? 0) + times),
      () => undefined,
    );
    underWay.push(applied);
    await Promise.race([applied, delay(MAX_WAIT_MS)]);
  }
  await Promise.all(underWay);
}

async function report(
  { engine: { db }, driver }: Scene,
  say: (line: string) => void,
  counts: Record<string, number>,
  seconds: number,
): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const driven of driver.driven) findings.push(...(await checkVolumeRun(db, driven)));
  for (const { kind, runId, what } of findings.slice(0, FINDINGS_SHOWN))
    say(`FINDING ${kind}: ${runId} ${what}`);
  const of = (kind: Finding['kind']) => findings.filter((finding) => finding.kind === kind).length;
  const repeated = ((await repeatedCalls(db)) * 100).toFixed(1);
  say(
    Object.entries(counts)
      .map(([name, count]) => `${count} × ${name}`)
      .join(', '),
  );
  say(
    `${driver.driven.length} runs in ${Math.round(seconds)} s; ${of('lost')} lost, ${of('doubled')} doubled, ` +
      `${of('answered by accident')} answered by accident, ${of('altered')} altered; ${repeated} % of the calls repeated`,
  );
  return findings;
}
