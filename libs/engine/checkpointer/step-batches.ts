import { Prisma, type Database } from '#db/client.js';
import { isRefused } from '#db/one-transaction.js';
import { asService } from '#db/tenant-scope.js';
import { setTimeout } from 'node:timers/promises';

/**
 * Milliseconds that a batch waits for a lock. Less than the second after which PostgreSQL looks for deadlocks, so a
 * batch is part of none: it gives up before.
 */
const LOCK_MS = 20;
const LOCKING = Prisma.sql`SELECT WHERE set_config('lock_timeout', ${String(LOCK_MS)}, true) IS NULL`;
/** Maximum batches under way: the next one collects what arrives while PostgreSQL writes the two before it. */
const MAX_UNDER_WAY = 2;
/** Milliseconds after which a batch no longer counts as under way: its connection may have been lost unnoticed. */
const SLOW_MS = 250;
/** Characters and bytes from which a statement is sent by itself: others would wait for its execution. */
const LARGE = 64 * 1_024;

interface Step {
  sql: Prisma.Sql;
  done: (rows: unknown[]) => void;
  failed: (error: unknown) => void;
}

/**
 * Commits statements of different runs of a process together, each with its own fence. What arrives in the same turn of
 * the event loop is one batch, so runs that got the answer of one batch meet again in the next; a lone run does not
 * wait. If a statement fails or has to wait for a lock, PostgreSQL has undone the batch, and each of its statements is
 * sent again by itself: only the one at fault waits or fails.
 */
class StepBatches {
  private waiting: Step[] = [];
  private underWay = 0;
  private turn: NodeJS.Immediate | null = null;

  constructor(private readonly db: Database) {}

  add(step: Step): void {
    this.waiting.push(step);
    this.schedule();
  }

  private schedule(): void {
    // As the service: a batch has runs of several tenants.
    this.turn ??= setImmediate(() => void asService(() => this.begin()));
  }

  /** Never rejects: each statement gets its error. */
  private async begin(): Promise<void> {
    this.turn = null;
    if (this.underWay === MAX_UNDER_WAY || this.waiting.length === 0) return;
    this.underWay += 1;
    await Promise.race([this.send(this.waiting.splice(0)), setTimeout(SLOW_MS, undefined, { ref: false })]);
    this.underWay -= 1;
    this.schedule();
  }

  private async send(steps: Step[]): Promise<void> {
    try {
      const [, ...rows] = await this.db.$together([LOCKING, ...steps.map(({ sql }) => sql)]);
      steps.forEach(({ done }, index) => done(rows[index]!));
    } catch (error) {
      for (const { sql, done, failed } of steps) {
        // After a lost connection the batch may be committed: the run continues from its last checkpoint.
        if (isRefused(error)) void this.db.$statement(sql).then(done, failed);
        else failed(error);
      }
    }
  }
}

const batches = new WeakMap<Database, StepBatches>();

const sizeOf = (value: unknown) =>
  typeof value === 'string' || value instanceof Uint8Array ? value.length : 0;

/**
 * Runs a statement of one run, together with those of other runs.
 *
 * @throws pg.DatabaseError, or the error of the connection; the statement may be committed after the latter
 */
export function commitTogether<Row>(db: Database, sql: Prisma.Sql): Promise<Row[]> {
  if (sql.values.reduce<number>((sum, value) => sum + sizeOf(value), 0) > LARGE)
    return db.$statement<Row>(sql);
  let known = batches.get(db);
  if (!known) batches.set(db, (known = new StepBatches(db)));
  return new Promise((resolve, reject) => {
    known.add({ sql, done: (rows) => resolve(rows as Row[]), failed: reject });
  });
}
