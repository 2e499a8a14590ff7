import type { ItemLog } from './call-journal.js';

/** Results of finished items, by position in the list. */
export type FinishedItems = [index: number, result: unknown][];

/** Storage for the finished items of one `map`, so that a repetition after a crash skips them. */
export interface JournalStore {
  /** Number of items that are stored together: 1 where a repeated call is expensive. */
  batch: number;
  /** Returns all parts that were stored. */
  read(): Promise<FinishedItems[]>;
  /** @param part the first position in it, which no other part has */
  write(part: number, items: FinishedItems): Promise<void>;
}

/** Remembers the finished items of one `map` without side effects. */
export class ItemJournal implements ItemLog {
  readonly interrupted = new Set<number>();
  readonly failed = new Set<number>();
  private pending: FinishedItems = [];

  private constructor(
    private readonly store: JournalStore | undefined,
    /** Items that were finished before. */
    readonly finished: ReadonlyMap<number, unknown>,
  ) {}

  /** @param items length of the list: a list within one batch is not stored */
  static async open(store: JournalStore | undefined, items: number): Promise<ItemJournal> {
    const used = store && (items > store.batch || store.batch === 1) ? store : undefined;
    return new ItemJournal(used, new Map((await used?.read())?.flat()));
  }

  begin(): Promise<boolean> {
    return Promise.resolve(true);
  }

  fail(): Promise<void> {
    return Promise.resolve();
  }

  /** Notes a finished item; stores it with others once they fill a batch. */
  async add(index: number, result: unknown): Promise<void> {
    if (!this.store) return;
    this.pending.push([index, result]);
    if (this.pending.length < this.store.batch) return;
    const items = this.pending;
    this.pending = [];
    await this.store.write(items[0]![0], items);
  }
}
