/** Notifications about changes that other processes commit (`NotificationListener`). */
interface Notifications {
  /** Null while the connection is lost, so that changes may be missed. */
  readonly session: unknown;
  on(channel: string, listener: () => void): void;
  onReconnect(listener: () => void): void;
}

/** Notification channel for changes of API keys and of tenants' access, which triggers send. */
export const ACCESS_CHANNEL = 'scriptorium_access';

/** A lost notification lets an ended key work for at most this long. */
const KEPT_MS = 5_000;
const MAX_KEPT = 10_000;

/**
 * Keeps the rows of API keys for seconds, because every request needs one. Forgets all of them when any key or tenant
 * changes, and keeps none while such changes could be missed.
 */
export class KeptKeys<Row> {
  private readonly rows = new Map<string, { row: Row; until: number }>();
  /** Number of times that rows were forgotten: what was read before is not kept. */
  private changes = 0;

  constructor(
    private readonly notifications: Notifications,
    /** In milliseconds; it never goes back. */
    private readonly now = () => performance.now(),
  ) {
    const forget = () => this.forget();
    notifications.on(ACCESS_CHANNEL, forget);
    notifications.onReconnect(forget);
  }

  /** Returns the row under a name: the kept one, or else what `read` finds. */
  async get(name: string, read: () => Promise<Row | null>): Promise<Row | null> {
    if (this.notifications.session === null) return read();
    const kept = this.rows.get(name);
    if (kept && kept.until > this.now()) return kept.row;
    const { changes } = this;
    const until = this.now() + KEPT_MS;
    const row = await read();
    if (row === null || changes !== this.changes) return row;
    if (this.rows.size >= MAX_KEPT) this.rows.clear();
    this.rows.set(name, { row, until });
    return row;
  }

  /** Forgets all rows; also call it in the process that makes a change, which must not wait for its notification. */
  forget(): void {
    this.changes++;
    this.rows.clear();
  }
}
