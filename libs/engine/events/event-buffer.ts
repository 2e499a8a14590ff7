import type { NewRunEvent } from '#catalogue/events.js';
import type { Database } from '#db/client.js';
import { Prisma } from '#db/client.js';
import { announce } from './announce.js';
import { eventsCte, heldAt } from './event-log.js';
import { StaleEpochError, type Fence } from '../runs/fence.js';
import type { RunEvents, TokenOrigin } from '../kind.js';

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
