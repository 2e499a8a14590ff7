import { logRepeatedErrors } from '#telemetry/log-repeated.js';
import { processMetrics } from '#telemetry/metrics.js';
import type pg from 'pg';
import type { Engine } from '../engine.js';
import { EVENTS_CHANNEL } from '../events/event-log.js';
import type { NotificationListener } from '../events/listener.js';
import { NO_ACTIVE_RUN, reconcile, type ReconcileReport } from './reconcile.js';
import { removeResolvedLetters } from '../tasks/resolved-letters.js';
import { pruneActive, sweep, SWEEP_BATCH } from './sweep.js';

/** Advisory lock key: only the session that has the lock reconciles. */
const RECONCILER_LOCK = 7_370_003;
const ROUND_MS = 1_000;
/** Interval in ms of the rounds while no run is active, unless a run has a new event. */
const IDLE_ROUND_MS = 5_000;
/** Interval in ms of the removal of old data, which is never urgent; and while no run is active. */
const REMOVAL_MS = 30_000;
const IDLE_REMOVAL_MS = 5 * 60_000;

/**
 * Runs `reconcile` every second in one gateway at a time. The leader's session has an advisory lock, so
 * another gateway takes over when the leader dies.
 *
 * @param listener its session gets the lock; a notification about a run ends an idle pause
 */
export function startReconciler(engine: Engine, listener: NotificationListener): { stop(): Promise<void> } {
  /** Session that has the lock. */
  let leading: pg.Client | null = null;
  /** The last round found no active run. */
  let isIdle = false;
  /** An idle pause, which a notification ends. */
  let isPausing = false;
  let stopped = false;
  let removedAt = 0;
  let timer: NodeJS.Timeout | undefined;
  let round: Promise<void> = Promise.resolve();
  const logFailure = logRepeatedErrors(engine.log, 'failed to reconcile runs; will retry');
  // Shows every action with 0 before the first round, so that monitoring sees the first increase.
  countActions(NO_ACTIVE_RUN);

  const runRound = async () => {
    await listener.listen(EVENTS_CHANNEL);
    const { session } = listener;
    if (!session) return;
    if (leading !== session) {
      const { rows } = await session.query<{ held: boolean }>('SELECT pg_try_advisory_lock($1) AS held', [
        RECONCILER_LOCK,
      ]);
      leading = rows[0]?.held === true ? session : null;
    }
    if (!leading) return;
    const report = await reconcile(engine);
    isIdle = report === NO_ACTIVE_RUN;
    countActions(report);
    if (Date.now() - removedAt < (isIdle ? IDLE_REMOVAL_MS : REMOVAL_MS)) return;
    while ((await sweep(engine.db)) === SWEEP_BATCH);
    while ((await pruneActive(engine.db)) === SWEEP_BATCH);
    await removeResolvedLetters(engine);
    removedAt = Date.now();
  };
  const next = () => {
    clearTimeout(timer);
    if (stopped) return;
    isPausing = isIdle;
    timer = setTimeout(
      () => {
        isIdle = isPausing = false;
        round = runRound().catch(logFailure).finally(next);
      },
      isIdle ? IDLE_ROUND_MS : ROUND_MS,
    );
  };
  const stopWaking = listener.on(EVENTS_CHANNEL, () => {
    isIdle = false;
    if (isPausing) next();
  });
  next();
  return {
    async stop() {
      stopped = true;
      stopWaking();
      clearTimeout(timer);
      await round;
      await leading?.query('SELECT pg_advisory_unlock($1)', [RECONCILER_LOCK]).catch(() => undefined);
    },
  };
}

function countActions(report: ReconcileReport): void {
  for (const [action, count] of Object.entries(report)) {
    processMetrics.reconcilerActions.inc({ action }, Number(count));
  }
}
