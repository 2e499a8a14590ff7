import type { NewRunEvent } from '#catalogue/events.js';
import { Prisma, type Database } from '#db/client.js';
import { isRefused } from '#db/one-transaction.js';
import { asService } from '#db/tenant-scope.js';
import { announce, eventsCte, heldAt, type EventBuffer } from '../runs/event-log.js';
import { StaleEpochError, type Fence } from '../runs/fence.js';
import type { StepPreemption } from '../runs/step-preemption.js';

/** A row of graph_blobs, graph_writes or graph_checkpoints, as SQL values. */
export interface SaverRows {
  blobs?: Prisma.Sql[];
  /**
   * Address of the checkpoint that the writes and marks belong to; a checkpoint that supersedes it makes them
   * redundant.
   */
  of?: string;
  /** A task's writes to a checkpoint; an existing write with the same key is kept. */
  writes?: () => Promise<Prisma.Sql[]>;
  /** Writes (errors, interrupts, resumes) that replace an earlier write with the same key. */
  marks?: Map<string, Prisma.Sql>;
  checkpoint?: Prisma.Sql;
  /** Address of the previous checkpoint, if this one includes everything that was written to it. */
  supersedes?: string;
}

/** Rows and events that the last statement of a leg must also write. */
interface Unwritten {
  events: NewRunEvent[];
  /** CTEs that read `run_row`; each begins with a comma. */
  rows: Prisma.Sql;
}

/**
 * Removes and returns the unwritten rows. Call it once, when only the statement that writes them can still
 * fail.
 */
export type TakeRest = () => Promise<Unwritten>;

interface Waiting {
  rows: SaverRows;
  /** Written only together with other rows that require a commit. */
  isHeld: boolean;
  done: () => void;
  failed: (error: unknown) => void;
}

const INTO_BLOBS = Prisma.sql`INSERT INTO graph_blobs (thread_id, ns, channel, version, type, value)`;
const INTO_WRITES = Prisma.sql`
  INSERT INTO graph_writes (thread_id, ns, checkpoint_id, task_id, task_path, idx, channel, type, value)`;
const INTO_CHECKPOINTS = Prisma.sql`
  INSERT INTO graph_checkpoints (thread_id, ns, id, parent_id, head, metadata)`;
const OF_A_WRITE = Prisma.sql`(thread_id, ns, checkpoint_id, task_id, idx)`;

/**
 * Returns the inserts as CTEs that read `run_row`; each begins with a comma. Writes and marks are needed only
 * to resume in the middle of a step, so they are left out if the step's checkpoint is in the same statement.
 */
async function insertsOf(all: SaverRows[]): Promise<Prisma.Sql> {
  const superseded = new Set(all.map((rows) => rows.supersedes));
  const current = all.filter(({ of }) => of === undefined || !superseded.has(of));
  const marks = new Map(current.flatMap((rows) => [...(rows.marks ?? [])]));
  const blobs = all.flatMap((rows) => rows.blobs ?? []);
  const writes = (await Promise.all(current.flatMap((rows) => rows.writes?.() ?? []))).flat();
  const checkpoints = all.flatMap((rows) => rows.checkpoint ?? []);
  return Prisma.sql`
    ${insert('blobs', INTO_BLOBS, blobs, Prisma.sql`DO NOTHING`)}
    ${insert('writes', INTO_WRITES, writes, Prisma.sql`DO NOTHING`)}
    ${insert(
      'marks',
      INTO_WRITES,
      [...marks.values()],
      Prisma.sql`${OF_A_WRITE} DO UPDATE SET channel = EXCLUDED.channel, type = EXCLUDED.type, value = EXCLUDED.value`,
    )}
    ${insert(
      'checkpoints',
      INTO_CHECKPOINTS,
      checkpoints,
      Prisma.sql`(thread_id, ns, id) DO UPDATE SET head = EXCLUDED.head, metadata = EXCLUDED.metadata`,
    )}`;
}

function insert(name: string, into: Prisma.Sql, rows: Prisma.Sql[], conflict: Prisma.Sql): Prisma.Sql {
  if (rows.length === 0) return Prisma.empty;
  return Prisma.sql`, ${Prisma.raw(name)} AS (
    ${into} SELECT v.* FROM run_row, (VALUES ${Prisma.join(rows)}) v ON CONFLICT ${conflict})`;
}

/**
 * Returns one statement that writes the rows if `run_row`, which the gate defines, has a row.
 *
 * @param othersWait condition that the statement evaluates and returns
 */
export async function commitStatement(
  gate: Prisma.Sql,
  all: SaverRows[],
  othersWait = Prisma.sql`false`,
): Promise<Prisma.Sql> {
  return Prisma.sql`/* commit step */ WITH ${gate}${await insertsOf(all)}
    SELECT EXISTS (SELECT 1 FROM run_row) AS held, ${othersWait} AS others_wait`;
}

/**
 * Commits the writes of the runner that claimed a run, in order and one statement at a time: a checkpoint is
 * stored only if the writes and events before it are. Rows that arrive during a statement, or in the same
 * turn of the event loop, share one statement.
 */
export class GroupCommit {
  private waiting: Waiting[] = [];
  private isCommitting = false;
  private turn: NodeJS.Immediate | null = null;

  /**
   * @param crashes crash count of the claimed run; the first progress resets it
   * @param others asked at the end of each step
   */
  constructor(
    private readonly db: Database,
    private readonly fence: Fence,
    private readonly events: EventBuffer,
    private crashes: number,
    private readonly others?: StepPreemption,
  ) {}

  /**
   * Commits rows; resolves when they are durable.
   *
   * @param atOnce false lets rows that follow in this turn of the event loop share the statement
   * @throws StaleEpochError if the run was fenced out; nothing was written then
   */
  write(rows: SaverRows, atOnce: boolean): Promise<void> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ rows, isHeld: false, done: resolve, failed: reject });
      if (atOnce) void this.commit();
      else this.turn ??= setImmediate(() => this.endTurn());
    });
  }

  /**
   * Holds rows back until the next commit; they are useless without it. Resolves and drops pending rows that
   * they supersede.
   */
  hold(rows: SaverRows): void {
    const isOver = ({ rows: { of } }: Waiting) => of !== undefined && of === rows.supersedes;
    for (const { done } of this.waiting.filter(isOver)) done();
    this.waiting = this.waiting.filter((waiting) => !isOver(waiting));
    this.waiting.push({ rows, isHeld: true, done: () => undefined, failed: () => undefined });
  }

  /** Removes and returns the rows for the statement that ends the leg; no commit may be running. */
  async takeRest(): Promise<Unwritten> {
    const rows = this.waiting.splice(0).map((waiting) => waiting.rows);
    return { events: this.events.take(), rows: await insertsOf(rows) };
  }

  private endTurn(): void {
    this.turn = null;
    void this.commit();
  }

  /** Sends what waits, batch after batch. Never rejects: each writer gets the error of its batch. */
  private async commit(): Promise<void> {
    if (this.isCommitting) return;
    this.isCommitting = true;
    while (this.waiting.some(({ isHeld }) => !isHeld)) {
      if (this.turn) clearImmediate(this.turn);
      this.turn = null;
      const batch = this.waiting.splice(0);
      try {
        await this.send(batch.map(({ rows }) => rows));
        for (const { done } of batch) done();
      } catch (error) {
        for (const { failed } of batch) failed(error);
      }
    }
    this.isCommitting = false;
  }

  private async send(rows: SaverRows[]): Promise<void> {
    const pending = this.events.take();
    const guard = heldAt(this.fence.epoch);
    // A mark alone is not progress: LangGraph also marks the error of a failed step.
    const progress = this.crashes > 0 && rows.some(({ writes, checkpoint }) => writes ?? checkpoint);
    const gate =
      pending.length === 0 && !progress
        ? Prisma.sql`run_row AS (SELECT 1 FROM runs WHERE id = ${this.fence.runId} AND ${guard} FOR SHARE)`
        : eventsCte(
            this.fence.runId,
            pending,
            guard,
            progress ? Prisma.sql`crashes = 0, blocked = 0,` : Prisma.empty,
          );
    try {
      const isStepOver = rows.some(({ checkpoint }) => checkpoint);
      const statement = await commitStatement(gate, rows, isStepOver ? this.others?.othersWait() : undefined);
      const [row] = await commitTogether<{ held: boolean; others_wait: boolean }>(this.db, statement);
      if (!row?.held) throw new StaleEpochError(this.fence);
      if (row.others_wait) this.others?.giveWay();
      if (progress) this.crashes = 0;
      if (pending.length > 0) announce(this.db, this.fence.runId, true);
    } catch (error) {
      this.events.restore(pending);
      throw error;
    }
  }
}

/**
 * Milliseconds that a batch waits for a lock. Less than the second after which PostgreSQL looks for deadlocks, so a
 * batch is part of none: it gives up before. A lone statement waits as long as it has to, but no longer counts as under way.
 */
const LOCK_MS = 20;
const LOCKING = Prisma.sql`SELECT WHERE set_config('lock_timeout', ${String(LOCK_MS)}, true) IS NULL`;
/** Maximum batches under way: the next one collects what arrives while PostgreSQL writes the two before it. */
const MAX_UNDER_WAY = 2;
/** Milliseconds after which a batch no longer counts as under way: its connection may have been lost unnoticed. */
const SLOW_MS = 250;
/** Characters and bytes from which a statement is sent alone: others would wait for its execution. */
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
 * sent again alone: only the one at fault waits or fails.
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
    this.turn ??= setImmediate(() => asService(() => this.begin()));
  }

  private begin(): void {
    this.turn = null;
    if (this.underWay === MAX_UNDER_WAY || this.waiting.length === 0) return;
    this.underWay += 1;
    let isCounted = true;
    const end = () => {
      clearTimeout(slow);
      if (!isCounted) return;
      isCounted = false;
      this.underWay -= 1;
      this.schedule();
    };
    const steps = this.waiting.splice(0);
    const slow = setTimeout(end, steps.length === 1 ? LOCK_MS : SLOW_MS).unref();
    void this.send(steps).then(end);
  }

  /** Never rejects: each statement gets its error. */
  private async send(steps: Step[]): Promise<void> {
    const [first, second] = steps;
    // Nobody waits for a lone statement, so it may wait for its lock.
    if (!second) return this.db.$statement(first!.sql).then(first!.done, first!.failed);
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
