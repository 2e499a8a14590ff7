import { processMetrics } from '#telemetry/metrics.js';
import pg from 'pg';
import type { Engine } from '../engine.js';
import { reconcile, type ReconcileReport } from './reconcile.js';
import { removeResolvedLetters } from '../tasks/resolved-letters.js';
import { pruneActive, sweep, SWEEP_BATCH } from './sweep.js';

/** Advisory lock key: only the session that has the lock reconciles. */
const RECONCILER_LOCK = 7_370_003;
const ROUND_MS = 1_000;
/** Interval in ms of the removal of old data, which is never urgent. */
const REMOVAL_MS = 10_000;

/**
 * Runs `reconcile` every second in one gateway at a time. The leader has an advisory lock on a dedicated
 * connection, so another gateway takes over when the leader dies.
 */
export function startReconciler(engine: Engine, databaseUrl: string): { stop(): Promise<void> } {
  let client: pg.Client | null = null;
  let isLeader = false;
  let stopped = false;
  let removedAt = 0;
  let timer: NodeJS.Timeout | undefined;
  let round: Promise<void> = Promise.resolve();

  const connection = async (): Promise<pg.Client> => {
    if (client) return client;
    const fresh = new pg.Client({ connectionString: databaseUrl, keepAlive: true });
    const lose = () => {
      if (client === fresh) client = null;
      isLeader = false;
    };
    fresh.on('error', lose);
    fresh.on('end', lose);
    await fresh.connect();
    client = fresh;
    return fresh;
  };
  const runRound = async () => {
    const session = await connection();
    if (!isLeader) {
      const { rows } = await session.query<{ held: boolean }>('SELECT pg_try_advisory_lock($1) AS held', [
        RECONCILER_LOCK,
      ]);
      isLeader = rows[0]?.held === true;
    }
    if (!isLeader) return;
    countActions(await reconcile(engine));
    if (Date.now() - removedAt < REMOVAL_MS) return;
    while ((await sweep(engine.db)) === SWEEP_BATCH);
    while ((await pruneActive(engine.db)) === SWEEP_BATCH);
    await removeResolvedLetters(engine);
    removedAt = Date.now();
  };
  const loop = () => {
    if (stopped) return;
    timer = setTimeout(() => {
      round = runRound()
        .catch((error: unknown) => engine.log.warn({ err: error }, 'failed to reconcile runs; will retry'))
        .finally(loop);
    }, ROUND_MS);
  };
  loop();
  return {
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await round;
      await client?.end().catch(() => undefined);
    },
  };
}

function countActions(report: ReconcileReport): void {
  for (const [action, count] of Object.entries(report)) {
    processMetrics.reconcilerActions.inc({ action }, Number(count));
  }
}
