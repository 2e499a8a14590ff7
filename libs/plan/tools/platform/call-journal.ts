import type { ToolCallError } from '../tool.js';

/** What a person says about an interrupted call. */
export type CallOutcome = 'repeat' | 'done' | 'failed';

/** Entry about one attempt at the call for an item: it has begun, or also how it ended. */
export interface CallEntry {
  index: number;
  attempt: number;
  /** Task of the engine in which the attempt began. */
  task: string;
  end: { result: unknown } | { failed: true } | null;
}

/** Storage for the calls of one `map` with side effects. */
export interface CallStore {
  read(): Promise<CallEntry[]>;
  /** @returns false if the attempt has begun before: of several workers, one begins it */
  begin(entry: Omit<CallEntry, 'end'>): Promise<boolean>;
  end(entry: CallEntry): Promise<void>;
}

/** How the items of a `map` are called: at most once, or again after a crash. */
export interface ItemLog {
  /** Results of items that are not called again. */
  readonly finished: ReadonlyMap<number, unknown>;
  /** Items of which the outcome of the call is unknown, and which are not called. */
  readonly interrupted: ReadonlySet<number>;
  /** Items that are not called, because a person said that they failed. */
  readonly failed: ReadonlySet<number>;
  /** @returns false if the item must not be called */
  begin(index: number): Promise<boolean>;
  add(index: number, result: unknown): Promise<void>;
  /** @param isUnknown whether the call may have taken effect */
  fail(index: number, error: ToolCallError, isUnknown: boolean): Promise<void>;
}

/** Writes an entry before and after each call with side effects, so that none is repeated without a person's consent. */
export class CallJournal implements ItemLog {
  readonly finished = new Map<number, unknown>();
  readonly interrupted = new Set<number>();
  readonly failed = new Set<number>();
  private readonly attempts = new Map<number, number>();

  private constructor(
    private readonly store: CallStore,
    private readonly task: string,
  ) {}

  /**
   * @param task task of the engine that makes the calls
   * @param outcomeOf returns what a person said about an item that an earlier task left interrupted
   */
  static async open(
    store: CallStore,
    task: string,
    outcomeOf: (index: number) => CallOutcome | undefined,
  ): Promise<CallJournal> {
    const journal = new CallJournal(store, task);
    const newest = new Map<number, CallEntry>();
    for (const entry of await store.read())
      if (entry.attempt >= (newest.get(entry.index)?.attempt ?? 0)) newest.set(entry.index, entry);
    for (const entry of newest.values()) journal.take(entry, outcomeOf(entry.index));
    return journal;
  }

  private take({ index, attempt, task, end }: CallEntry, said: CallOutcome | undefined): void {
    this.attempts.set(index, attempt);
    if (end && 'result' in end) return void this.finished.set(index, end.result);
    const isOwn = task === this.task;
    // A later task of the plan step calls failed items again.
    if (end) return isOwn ? void this.failed.add(index) : undefined;
    if (isOwn || said === undefined) return void this.interrupted.add(index);
    if (said === 'done') this.finished.set(index, null);
    if (said === 'failed') this.failed.add(index);
  }

  async begin(index: number): Promise<boolean> {
    const attempt = (this.attempts.get(index) ?? 0) + 1;
    this.attempts.set(index, attempt);
    const isFirst = await this.store.begin({ index, attempt, task: this.task });
    if (!isFirst) this.interrupted.add(index);
    return isFirst;
  }

  add(index: number, result: unknown): Promise<void> {
    return this.end(index, { result });
  }

  async fail(index: number, _: ToolCallError, isUnknown: boolean): Promise<void> {
    if (isUnknown) this.interrupted.add(index);
    else await this.end(index, { failed: true });
  }

  private end(index: number, end: CallEntry['end']): Promise<void> {
    return this.store.end({ index, attempt: this.attempts.get(index)!, task: this.task, end });
  }
}
