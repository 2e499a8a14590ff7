import type { NewRunEvent } from '#contracts/events.js';
import { Prisma, type Database } from '#db/client.js';
import { announce } from '../announce.js';
import type { EventBuffer } from '../event-buffer.js';
import { eventsCte, heldAt } from '../event-log.js';
import { StaleEpochError, type Fence } from '../fence.js';
import type { StepPreemption } from '../step-preemption.js';

/** A row of graph_blobs, graph_writes or graph_checkpoints, as SQL values. */
export interface SaverRows {
  blobs?: Prisma.Sql[];
  /** The address of the checkpoint that writes and marks belong to: the one that follows it makes them needless. */
  of?: string;
  /** Writes of a task to a checkpoint: the first of a place stays. */
  writes?: () => Promise<Prisma.Sql[]>;
  /** Writes that replace an earlier one of their place (errors, interrupts, resumes), by place. */
  marks?: Map<string, Prisma.Sql>;
  checkpoint?: Prisma.Sql;
  /** The address of the checkpoint that this one follows, when it holds all that was written to that one. */
  supersedes?: string;
}

/** What the last statement of a leg has to write besides its own. */
export interface Unwritten {
  events: NewRunEvent[];
  /** Common table expressions that read `run_row`; each begins with a comma. */
  rows: Prisma.Sql;
}

/** Hands over what is left to write, once; called when nothing but that statement can fail any more. */
export type TakeRest = () => Promise<Unwritten>;

interface Waiting {
  rows: SaverRows;
  /** Waits for rows that are committed. */
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
 * The inserts of rows, as common table expressions that read `run_row`; each begins with a comma. Writes and marks are there to go on from
 * in the middle of a step: those of a step whose checkpoint comes with them are left out.
 */
async function insertsOf(all: SaverRows[]): Promise<Prisma.Sql> {
  const superseded = new Set(all.map((rows) => rows.supersedes));
  const current = all.filter(({ of }) => of === undefined || !superseded.has(of));
  const marks = new Map(current.flatMap((rows) => [...(rows.marks ?? [])]));
  const blobs = all.flatMap((rows) => rows.blobs ?? []);
  const writes = (await Promise.all(current.map((rows) => rows.writes?.() ?? []))).flat();
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
 * One statement that writes the rows when `run_row`, which the gate defines, has a row.
 *
 * @param othersWait a condition whose truth the statement tells
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
 * The writes of the runner that holds a run, in the order in which they were made and never two at once: a checkpoint is
 * there only when the writes and the events that came before it are. What comes in while a statement is under way, or in
 * the same turn of the event loop, is committed by one statement.
 */
export class GroupCommit {
  private waiting: Waiting[] = [];
  private isCommitting = false;
  private turn: NodeJS.Immediate | null = null;

  /**
   * @param crashes of the held run; its first progress sets them back
   * @param others asked for at the end of each step
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
   * @param atOnce false: what follows in this turn of the event loop may join
   * @throws StaleEpochError when fenced out; nothing was written then
   */
  write(rows: SaverRows, atOnce: boolean): Promise<void> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ rows, isHeld: false, done: resolve, failed: reject });
      if (atOnce) void this.commit();
      else this.turn ??= setImmediate(() => this.endTurn());
    });
  }

  /** Rows that are committed with the next that are written, and are nothing without them. What they supersede is done. */
  hold(rows: SaverRows): void {
    const isOver = ({ rows: { of } }: Waiting) => of !== undefined && of === rows.supersedes;
    for (const { done } of this.waiting.filter(isOver)) done();
    this.waiting = this.waiting.filter((waiting) => !isOver(waiting));
    this.waiting.push({ rows, isHeld: true, done: () => undefined, failed: () => undefined });
  }

  /** Hands over what the statement that ends the leg has to write; nothing may be under way any more. */
  async takeRest(): Promise<Unwritten> {
    const rows = this.waiting.splice(0).map((waiting) => waiting.rows);
    return { events: this.events.take(), rows: await insertsOf(rows) };
  }

  private endTurn(): void {
    this.turn = null;
    void this.commit();
  }

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
    // A mark alone is no progress: LangGraph also marks the error of a step that failed.
    const progress = this.crashes > 0 && rows.some(({ writes, checkpoint }) => writes ?? checkpoint);
    const gate =
      pending.length === 0 && !progress
        ? Prisma.sql`run_row AS (SELECT 1 FROM runs WHERE id = ${this.fence.runId} AND ${guard} FOR SHARE)`
        : eventsCte(this.fence.runId, pending, guard, progress ? Prisma.sql`crashes = 0,` : Prisma.empty);
    try {
      const isStepOver = rows.some(({ checkpoint }) => checkpoint);
      const statement = await commitStatement(gate, rows, isStepOver ? this.others?.othersWait() : undefined);
      const [row] = await this.db.$statement<{ held: boolean; others_wait: boolean }>(statement);
      if (!row?.held) throw new StaleEpochError(this.fence);
      if (row.others_wait) this.others?.giveWay();
      if (progress) this.crashes = 0;
      if (pending.length > 0) announce(this.db, this.fence.runId);
    } catch (error) {
      this.events.restore(pending);
      throw error;
    }
  }
}
