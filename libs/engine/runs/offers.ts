import { Prisma, type Database } from '#db/client.js';
import { asService } from '#db/tenant-scope.js';
import { randomInt } from 'node:crypto';
import { leftToReconciler, type Engine } from '../engine.js';
import { notify } from './event-log.js';
import type { NotificationListener } from '../events/listener.js';
import type { JobSpec } from '../queue/job-queues.js';

/** Class of the advisory locks that runners hold while they accept offers; the second key is the runner's number. */
const RUNNERS_LOCK = 7_370_010;
/** Milliseconds for which a process uses the list of runners that it read. */
const FRESH_MS = 1_000;

const channelOf = (runner: number) => `scriptorium_runner_${runner}`;

/** The runners that accept offers, in the order in which they get them. */
class Runners {
  private reading: Promise<number[]> | null = null;
  private until = -Infinity;
  private turn = 0;

  constructor(private readonly db: Database) {}

  /** @returns undefined if no runner accepts offers */
  async next(): Promise<number | undefined> {
    if (!this.reading || this.until < performance.now()) {
      this.until = performance.now() + FRESH_MS;
      this.reading = asService(() => this.read());
    }
    const numbers = await this.reading;
    return numbers[this.turn++ % numbers.length];
  }

  /** PostgreSQL releases the lock of a runner that dies. Never rejects: without a list, jobs pass the queue. */
  private async read(): Promise<number[]> {
    const rows = await this.db
      .$statement<{ number: number }>(
        Prisma.sql`/* list runners */ SELECT objid::bigint::int AS number FROM pg_locks
        WHERE locktype = 'advisory' AND classid::bigint = ${RUNNERS_LOCK}::bigint AND objsubid = 2 AND granted
          AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
      )
      .catch(() => []);
    return rows.map(({ number }) => number);
  }
}

const known = new WeakMap<Database, Runners>();

/**
 * Lets a run continue: offers the job to a runner, by a notification that costs no message of its own. A runner
 * without a free place adds the job to the queue. Without a runner that accepts offers (all are of an older release, or
 * none runs), the job is added here. If the runner dies first, the reconciler adds the job a second later.
 */
export async function offer({ db, queues }: Pick<Engine, 'db' | 'queues'>, job: JobSpec): Promise<void> {
  let runners = known.get(db);
  if (!runners) known.set(db, (runners = new Runners(db)));
  const runner = await runners.next();
  if (runner === undefined) return queues.add(job);
  notify(db, channelOf(runner), JSON.stringify(job));
}

/** Executes legs of runs that were offered to this process. */
interface Legs {
  /** @returns false if no place is free */
  accept(job: JobSpec, places: number): boolean;
}

/**
 * Accepts offers while the listener has a session, until the returned function is called. An offer for which no place
 * is free is added to the queue, also one that a process sends before it knows of the end.
 *
 * @param places legs that the process executes at once
 */
export async function acceptOffers(
  { queues, log }: Engine,
  listener: NotificationListener,
  legs: Legs,
  places: number,
): Promise<() => Promise<void>> {
  const number = randomInt(1, 2 ** 31);
  const lock = (name: string) => listener.session?.query(`SELECT ${name}($1, $2)`, [RUNNERS_LOCK, number]);
  const onOffer = (payload: string) => {
    const job = JSON.parse(payload) as JobSpec;
    if (!asService(() => legs.accept(job, places))) void leftToReconciler(queues.add(job));
  };
  const onFailure = (error: unknown) => log.warn({ err: error }, 'cannot accept offers; runs pass the queue');
  const appear = () => Promise.resolve(lock('pg_advisory_lock')).catch(onFailure);
  listener.on(channelOf(number), onOffer);
  // Listen first: whoever finds the lock may send at once.
  await listener.listen(channelOf(number));
  const stopReappearing = listener.onReconnect(() => void appear());
  await appear();
  return async () => {
    stopReappearing();
    await Promise.resolve(lock('pg_advisory_unlock')).catch(() => undefined);
  };
}
