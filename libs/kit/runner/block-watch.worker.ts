import { Session } from 'node:inspector';
import { writeSync } from 'node:fs';
import { setInterval } from 'node:timers/promises';
import { workerData } from 'node:worker_threads';
import pg from 'pg';

export interface Watched {
  /** Changes as long as the event loop is not blocked. */
  beats: Int32Array;
  databaseUrl: string;
  blockedSeconds: number;
  /** Property of the global object with the leg that is computing now. */
  currentLeg: string;
}

interface Leg {
  runId: string;
  epoch: number;
}

const TICK_MS = 1_000;
const { beats, databaseUrl, blockedSeconds, currentLeg } = workerData as Watched;

// Counts ticks, not time: while the whole process is stopped or starved, there are no ticks either.
let last = Atomics.load(beats, 0);
let silentTicks = 0;
for await (const _ of setInterval(TICK_MS)) {
  const now = Atomics.load(beats, 0);
  silentTicks = now === last ? silentTicks + 1 : 0;
  last = now;
  if (silentTicks < blockedSeconds) continue;
  const leg = await legOfMainThread();
  if (!leg || Atomics.load(beats, 0) !== last) continue;
  await record(leg).catch(() => undefined);
  report(leg);
  process.kill(process.pid, 'SIGKILL');
}

/**
 * Asks the main thread which leg is computing. Interrupts even a loop or a regular expression; without a leg, or
 * within native code, there is no answer, and the next tick asks again.
 */
async function legOfMainThread(): Promise<Leg | null> {
  const session = new Session();
  session.connectToMainThread();
  try {
    return await new Promise<Leg | null>((resolve) => {
      setTimeout(() => resolve(null), TICK_MS);
      session.post(
        'Runtime.evaluate',
        { expression: `globalThis.${currentLeg}`, returnByValue: true },
        (error, answer) => resolve(error ? null : ((answer.result.value ?? null) as Leg | null)),
      );
    });
  } finally {
    session.disconnect();
  }
}

/**
 * Counts the blocking of a run, unless it has progressed since: another runner may have claimed it after the lease
 * ran out, which counts as a crash until the run progresses.
 */
async function record({ runId, epoch }: Leg): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query(
    `/* record blocking */ UPDATE runs SET blocked = blocked + 1
     WHERE id = $1 AND status = 'running' AND (epoch = $2 OR (epoch > $2 AND crashes > 0))`,
    [runId, epoch],
  );
  await client.end();
}

/** Logs like the process does, which cannot any more. */
function report({ runId }: Leg): void {
  const time = new Date().toISOString();
  const msg = 'the run blocked the event loop; the process ends, and its other runs continue elsewhere';
  writeSync(1, `${JSON.stringify({ level: 'error', time, pid: process.pid, run_id: runId, msg })}\n`);
}
