import { sha256 } from '#contracts/sha256.js';
import { forEachConcurrently } from '#contracts/for-each-concurrently.js';

/** What a person says about an interrupted call. */
export type CallOutcome = 'repeat' | 'done' | 'failed';

/** Entry about one attempt at the call for an item: it has begun, or also how it ended, or what a person said about it. */
export interface CallEntry {
  /** Name of the item, from `itemNames`. */
  item: string;
  attempt: number;
  /** Task of the engine in which the attempt began. */
  task: string;
  end: { result: unknown } | { failed: true } | { said: CallOutcome } | null;
}

/** Storage for the calls of one `map` with side effects. */
export interface CallStore {
  read(): Promise<CallEntry[]>;
  /** @returns false if the attempt has begun before: of several workers, one begins it */
  begin(entry: Omit<CallEntry, 'end'>): Promise<boolean>;
  /** @returns false if the attempt has ended before */
  end(entry: CallEntry): Promise<boolean>;
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
  fail(index: number, isUnknown: boolean): Promise<void>;
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
    private readonly items: readonly string[],
  ) {}

  /**
   * @param task task of the engine that makes the calls
   * @param items names of the items, by position
   * @param outcomeOf returns what a person said about an item that an earlier task left interrupted; the answer is
   *   stored with the attempt, and says nothing about later ones
   */
  static async open(
    store: CallStore,
    task: string,
    items: readonly string[],
    outcomeOf: (index: number) => CallOutcome | undefined,
  ): Promise<CallJournal> {
    const journal = new CallJournal(store, task, items);
    const newest = new Map<string, CallEntry>();
    for (const entry of await store.read())
      if (entry.attempt >= (newest.get(entry.item)?.attempt ?? 0)) newest.set(entry.item, entry);
    const known = [...items.entries()].flatMap(([index, item]) => {
      const entry = newest.get(item);
      return entry ? [{ index, entry }] : [];
    });
    await forEachConcurrently(known, async ({ index, entry }) => {
      const said = entry.end || entry.task === task ? undefined : outcomeOf(index);
      const isStored = said !== undefined && (await store.end({ ...entry, end: { said } }));
      journal.take(index, isStored ? { ...entry, end: { said } } : entry);
    });
    return journal;
  }

  private take(index: number, { attempt, task, end }: CallEntry): void {
    this.attempts.set(index, attempt);
    if (!end) this.interrupted.add(index);
    else if ('result' in end) this.finished.set(index, end.result);
    else if ('said' in end) {
      if (end.said === 'done') this.finished.set(index, null);
      if (end.said === 'failed') this.failed.add(index);
    }
    // A later task of the plan step calls failed items again.
    else if (task === this.task) this.failed.add(index);
  }

  async begin(index: number): Promise<boolean> {
    const attempt = (this.attempts.get(index) ?? 0) + 1;
    this.attempts.set(index, attempt);
    const isFirst = await this.store.begin({ item: this.items[index]!, attempt, task: this.task });
    if (!isFirst) this.interrupted.add(index);
    return isFirst;
  }

  add(index: number, result: unknown): Promise<void> {
    return this.end(index, { result });
  }

  async fail(index: number, isUnknown: boolean): Promise<void> {
    if (isUnknown) this.interrupted.add(index);
    else await this.end(index, { failed: true });
  }

  private async end(index: number, end: CallEntry['end']): Promise<void> {
    const attempt = this.attempts.get(index)!;
    await this.store.end({ item: this.items[index]!, attempt, task: this.task, end });
  }
}

/**
 * Returns a name for each item of a `map`: the same for the same item and tool, whatever the other arguments and the
 * position are. Equal items are numbered.
 */
export function itemNames(tool: string, items: readonly unknown[]): string[] {
  const seen = new Map<string, number>();
  return items.map((item) => {
    const hash = sha256(JSON.stringify([tool, item])).slice(0, 32);
    const before = seen.get(hash) ?? 0;
    seen.set(hash, before + 1);
    return `${hash}-${before}`;
  });
}
