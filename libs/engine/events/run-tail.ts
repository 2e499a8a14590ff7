import type { RunEvent } from '#contracts/events.js';
import type { Database } from '#db/client.js';
import { AsyncResource } from 'node:async_hooks';
import type { LogReader } from './log-reader.js';
import { newestEvent, PAGE } from './read.js';

/** Maximum events in memory for followers that are slightly behind; others read rows. */
const KEPT = 100;
/** Polling interval in ms, in case a notification was lost. */
const POLL_MS = 5_000;

/**
 * The end of a run's event log, read once for all followers. Its memory is bounded regardless of the number
 * and speed of its followers, because they fetch events instead of being pushed to.
 */
export class RunTail {
  followers = 0;
  /** Newest sequence number that was read; null until the first read. */
  private newest: number | null = null;
  /** The last events, up to `newest`, without gaps. */
  private recent: RunEvent[] = [];
  /** True if the newest event is the run's last. */
  private hasEnded = false;
  private isStale = false;
  private isReading = false;
  private firstLook: Promise<void> | null = null;
  private readonly waiting = new Set<() => void>();
  private readonly timer: NodeJS.Timeout;
  private readonly look: () => Promise<void>;

  /**
   * Reads in the tenant scope of the code that creates it.
   *
   * @param from position of its first follower
   */
  constructor(
    private readonly db: Database,
    private readonly logs: LogReader,
    private readonly runId: string,
    private readonly from: number,
  ) {
    this.look = AsyncResource.bind(() => this.readNew());
    this.timer = setInterval(() => this.wake(), POLL_MS).unref();
    this.wake();
  }

  /** Triggers a read, because there may be new rows. */
  wake(): void {
    this.isStale = true;
    if (!this.isReading) void this.look();
  }

  /** Returns the events after a sequence number; empty if there are none yet. */
  async after(seq: number): Promise<RunEvent[]> {
    // The first follower also uses the result of the first read.
    if (this.newest === null) await this.firstLook?.catch(() => undefined);
    const oldest = this.recent[0];
    const known = oldest ? oldest.seq - 1 : this.newest;
    if (known === null || seq < known) return this.logs.read(this.runId, seq);
    return this.recent.filter((event) => event.seq > seq);
  }

  /** Returns whether events after a sequence number are known. */
  isPast(seq: number): boolean {
    return this.newest !== null && this.newest > seq;
  }

  /** Returns whether the run has ended without events after a sequence number. */
  isOver(seq: number): boolean {
    return this.hasEnded && !this.isPast(seq);
  }

  /** Resolves when there are events after a sequence number, when none can follow, or on abort. */
  past(seq: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const look = () => {
        if (!signal.aborted && !this.isPast(seq) && !this.isOver(seq)) return;
        this.waiting.delete(look);
        signal.removeEventListener('abort', look);
        resolve();
      };
      this.waiting.add(look);
      signal.addEventListener('abort', look);
      look();
    });
  }

  stop(): void {
    clearInterval(this.timer);
  }

  private async readNew(): Promise<void> {
    this.isReading = true;
    try {
      while (this.isStale) {
        this.isStale = false;
        if (this.newest === null) await (this.firstLook = this.lookFirst());
        else this.add(await this.logs.read(this.runId, this.newest));
        for (const look of [...this.waiting]) look();
      }
    } catch {
      // The next notification or poll reads the rows again.
    } finally {
      this.isReading = false;
    }
  }

  /** Reads with one statement, unless the first follower has caught up already or is far behind. */
  private async lookFirst(): Promise<void> {
    const events = await this.logs.read(this.runId, this.from);
    if (events.length === 0 || events.length === PAGE)
      return this.begin(await newestEvent(this.db, this.runId));
    this.begin(events.at(-1)!);
    this.recent = events;
  }

  private begin({ seq, type }: { seq: number; type: string | null }): void {
    this.newest = seq;
    this.hasEnded = type === 'done';
  }

  private add(events: RunEvent[]): void {
    if (events.length === 0) return;
    this.begin(events.at(-1)!);
    this.recent = [...this.recent, ...events].slice(-KEPT);
    if (events.length === PAGE) this.isStale = true;
  }
}
