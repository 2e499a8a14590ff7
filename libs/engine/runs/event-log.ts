import type { NewRunEvent } from '#catalogue/events.js';
import { Prisma, type Database } from '#db/client.js';
import { toJsonb } from '#db/jsonb.js';
import type { Engine } from '../engine.js';
import { ASYNC_COMMIT } from '#db/async-commit.js';
import { asService } from '#db/tenant-scope.js';
import { StaleEpochError, type Fence } from './fence.js';
import type { RunEvents, TokenOrigin } from '../kind.js';

/** PostgreSQL NOTIFY channel: run X has new events. */
export const EVENTS_CHANNEL = 'scriptorium_events';
/** PostgreSQL NOTIFY channel: run X was cancelled. */
export const CANCEL_CHANNEL = 'scriptorium_cancel';

/** Converts events to a JSON array for `eventsCte`. Drops NUL, which JSONB cannot store. */
function asJson(events: NewRunEvent[]): string {
  const rows = events.map(({ type, data, effectKey }) => ({ type, data, effect_key: effectKey ?? null }));
  return toJsonb(rows);
}

/**
 * Returns CTEs that append events to a run's log inside the caller's statement. `seq` is gap-free (it comes
 * from the run's row, which the CTEs lock), and an event whose effect key exists is skipped. Call `announce`
 * after the commit.
 *
 * @param guard SQL condition on `runs` that must be true, such as the epoch fence
 * @param set extra assignments for the run's row, each ending in a comma
 * @returns CTEs `run_row` (the updated run; no row if the guard is false) and `appended`
 */
export function eventsCte(
  runId: string,
  events: NewRunEvent[],
  guard: Prisma.Sql,
  set = Prisma.empty,
): Prisma.Sql {
  return Prisma.sql`
    fresh AS (
      SELECT row_number() OVER (ORDER BY e.ordinality) AS position, e.value->>'type' AS type, e.value->'data' AS data,
             e.value->>'effect_key' AS effect_key
      FROM jsonb_array_elements(${asJson(events)}::jsonb) WITH ORDINALITY e
      -- One index lookup per event; NOT EXISTS would read the run's whole log.
      WHERE (SELECT seq FROM run_events x WHERE x.run_id = ${runId} AND x.effect_key = e.value->>'effect_key') IS NULL
    ),
    run_row AS (
      UPDATE runs SET ${set} event_seq = event_seq + (SELECT count(*)::int FROM fresh), updated_at = now()
      WHERE id = ${runId} AND ${guard}
      RETURNING id, tenant_id, event_seq, epoch, status, crashes, express
    ),
    appended AS (
      INSERT INTO run_events (run_id, seq, type, data, effect_key)
      SELECT run_row.id, run_row.event_seq - (SELECT count(*)::int FROM fresh) + fresh.position, fresh.type, fresh.data,
             fresh.effect_key
      FROM fresh, run_row
      RETURNING seq
    )`;
}

/**
 * Returns the condition that the run is running at this epoch. `IS TRUE` makes PostgreSQL look the run up by
 * its ID instead of scanning all running runs by status.
 */
export function heldAt(epoch: number): Prisma.Sql {
  return Prisma.sql`epoch = ${epoch} AND (status = 'running') IS TRUE`;
}

/**
 * Appends an event to a run's log; no-op if its effect key exists.
 *
 * @param whilePending ID of the event's task: nothing is added once that task is done. Without it, the event
 *   is added whatever the run's status, even after its end
 */
export async function appendEvent(
  { db }: Engine,
  runId: string,
  event: NewRunEvent,
  whilePending?: string,
): Promise<void> {
  const guard =
    whilePending === undefined
      ? Prisma.sql`true`
      : Prisma.sql`EXISTS (SELECT 1 FROM tasks WHERE tasks.id = ${whilePending} AND tasks.run_id = runs.id AND tasks.status = 'pending')`;
  await db.$executeRaw`/* append event */ WITH ${eventsCte(runId, [event], guard)} SELECT 1 FROM appended`;
  announce(db, runId);
}

/** Minimum milliseconds between two notifications of a process. */
const PAUSE_MS = 5;
/** Maximum milliseconds that a step's event waits for others. */
const STEP_MS = 25;

/**
 * Notifies listeners which runs have new events. Batches runs and sends outside the commits, because a NOTIFY
 * inside a transaction makes all commits of the server wait for each other. A lost notification only delays:
 * followers also poll the rows.
 */
class Announcer {
  private readonly runs = new Set<string>();
  private timer: NodeJS.Timeout | null = null;
  /** Time of the next notification and the earliest time for one, in `performance.now()` milliseconds. */
  private dueAt = Infinity;
  private freeAt = 0;

  constructor(private readonly db: Database) {}

  add(runId: string, patienceMs: number): void {
    this.runs.add(runId);
    const now = performance.now();
    const dueAt = Math.max(now + patienceMs, this.freeAt);
    if (dueAt >= this.dueAt) return;
    this.dueAt = dueAt;
    if (this.timer) clearTimeout(this.timer);
    if (dueAt <= now) this.notify();
    else this.timer = setTimeout(() => this.notify(), dueAt - now).unref();
  }

  private notify(): void {
    this.timer = null;
    this.dueAt = Infinity;
    this.freeAt = performance.now() + PAUSE_MS;
    // Send as the service: the batch may contain runs of any tenant. `send` never rejects.
    void asService(() => this.send());
  }

  private async send(): Promise<void> {
    const ids = [...this.runs];
    this.runs.clear();
    await this.db
      .$statement(
        Prisma.sql`
      SELECT ${ASYNC_COMMIT}, pg_notify(${EVENTS_CHANNEL}, id)
      FROM unnest(${ids}::text[]) id`,
      )
      .catch(() => undefined);
  }
}

const announcers = new WeakMap<Database, Announcer>();

/**
 * Notifies listeners that a run has new events. Call it after the commit.
 *
 * @param isStep true for events of a step in the middle of a leg, which the notification of another run or of the
 *   leg's end, at most 25 ms later, includes
 */
export function announce(db: Database, runId: string, isStep = false): void {
  let announcer = announcers.get(db);
  if (!announcer) announcers.set(db, (announcer = new Announcer(db)));
  announcer.add(runId, isStep ? STEP_MS : 0);
}

/** Minimum milliseconds between two writes of tokens. */
const TOKEN_BATCH_MS = 100;

/**
 * Buffer of a step's events. They are committed in the same statement as the step's checkpoint or writes, so
 * either both exist or neither. Only tokens are written earlier.
 */
export class EventBuffer implements RunEvents {
  private pending: NewRunEvent[] = [];
  private tokens: ({ text: string } & TokenOrigin)[] = [];
  private timer: NodeJS.Timeout | null = null;
  private flushing: Promise<void> = Promise.resolve();
  /** Time of the last token write, in `performance.now()` milliseconds. */
  private flushedAt = -TOKEN_BATCH_MS;

  constructor(
    private readonly db: Database,
    private readonly fence: Fence,
    private readonly onFenced: (error: unknown) => void,
  ) {}

  emit(event: NewRunEvent): void {
    this.takeTokens();
    this.pending.push(event);
  }

  /** Adds streamed text of a model; the first is written immediately, later text at most every 100 ms. */
  token(text: string, { node, operation }: TokenOrigin): void {
    const last = this.tokens.at(-1);
    if (last?.node === node && last.operation === operation) last.text += text;
    else this.tokens.push({ text, node, operation });
    if (this.timer) return;
    const pause = this.flushedAt + TOKEN_BATCH_MS - performance.now();
    if (pause <= 0) this.beginFlush();
    else this.timer = setTimeout(() => this.beginFlush(), pause);
  }

  /** Removes and returns the events to write with the next commit. */
  take(): NewRunEvent[] {
    this.takeTokens();
    const events = this.pending;
    this.pending = [];
    return events;
  }

  /** Puts back the events of a failed commit. */
  restore(events: NewRunEvent[]): void {
    this.pending = [...events, ...this.pending];
  }

  /** Stops the timer and waits for a pending write. */
  async close(): Promise<void> {
    if (this.timer) clearTimeout(this.timer);
    this.timer = null;
    await this.flushing;
  }

  private beginFlush(): void {
    this.timer = null;
    this.flushedAt = performance.now();
    this.flushing = this.flushing.then(() => this.flush()).catch(this.onFenced);
  }

  private takeTokens(): void {
    this.pending.push(...this.takeTokenEvents());
  }

  private takeTokenEvents(): NewRunEvent[] {
    const events = this.tokens.map((data): NewRunEvent => ({ type: 'token', data: { ...data } }));
    this.tokens = [];
    return events;
  }

  private async flush(): Promise<void> {
    // Only tokens may be written before their step is committed; other events wait for the commit.
    const events = this.takeTokenEvents();
    if (events.length === 0) return;
    const rows = await this.db.$statement(
      Prisma.sql`/* append tokens */ WITH ${eventsCte(this.fence.runId, events, heldAt(this.fence.epoch))} SELECT 1 FROM run_row`,
    );
    if (rows.length === 0) throw new StaleEpochError(this.fence);
    announce(this.db, this.fence.runId);
  }
}
