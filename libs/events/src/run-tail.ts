import type { RunEvent } from '#contracts/events.js';
import type { Database } from '#db/client.js';
import { AsyncResource } from 'node:async_hooks';
import type { LogReader } from './log-reader.js';
import { newestEvent, PAGE } from './read.js';

/** New events kept for followers that are a little behind; who is further behind reads rows. */
const KEPT = 100;
/** Looks at the rows at least this often, in case a notification was lost. */
const POLL_MS = 5_000;

/**
 * The end of one run's event log, read once for all who follow it. It keeps a bounded number of events whatever the number
 * and the speed of its followers, since they fetch and nothing is pushed to them.
 */
export class RunTail {
  followers = 0;
  /** The newest sequence number that was read; null until the first look. */
  private newest: number | null = null;
  /** The last events, up to `newest`, without a gap. */
  private recent: RunEvent[] = [];
  /** The newest event is the run's last one. */
  private hasEnded = false;
  private isStale = false;
  private isReading = false;
  private firstLook: Promise<void> | null = null;
  private readonly waiting = new Set<() => void>();
  private readonly timer: NodeJS.Timeout;
  private readonly look: () => Promise<void>;

  /**
   * Reads on behalf of whoever makes it: within the scope of that tenant.
   *
   * @param from where its first follower begins
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

  /** There may be new rows. */
  wake(): void {
    this.isStale = true;
    if (!this.isReading) void this.look();
  }

  /** The events after a sequence number; none when there are none yet. */
  async after(seq: number): Promise<RunEvent[]> {
    // What the first look finds is for the first follower too.
    if (this.newest === null) await this.firstLook?.catch(() => undefined);
    const oldest = this.recent[0];
    const known = oldest ? oldest.seq - 1 : this.newest;
    if (known === null || seq < known) return this.logs.read(this.runId, seq);
    return this.recent.filter((event) => event.seq > seq);
  }

  /** Whether events after a sequence number are known of. */
  isPast(seq: number): boolean {
    return this.newest !== null && this.newest > seq;
  }

  /** Whether no event will ever come after a sequence number, since the run has ended. */
  isOver(seq: number): boolean {
    return this.hasEnded && !this.isPast(seq);
  }

  /** Resolves when there are events after a sequence number or never will be, or on the abort. */
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
      // Rows can be read again at the next notification or poll.
    } finally {
      this.isReading = false;
    }
  }

  /** One statement, unless the first follower has caught up already or is far behind. */
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
