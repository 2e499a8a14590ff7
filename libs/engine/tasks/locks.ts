type Company = 'together' | 'alone';

/** First-come, first-served lock: the tasks of a process run concurrently, a suspect one runs alone. */
export class ReadWriteLock {
  private inside = 0;
  private isAlone = false;
  private readonly waiting: { company: Company; admit: () => void }[] = [];

  /** Waits for a turn. @returns a release function; call it once, when the task is over */
  async enter(company: Company): Promise<() => void> {
    await new Promise<void>((admit) => {
      this.waiting.push({ company, admit });
      this.admitNext();
    });
    return () => {
      this.inside -= 1;
      this.isAlone = false;
      this.admitNext();
    };
  }

  private admitNext(): void {
    for (let next = this.waiting[0]; next; next = this.waiting[0]) {
      const mayEnter = next.company === 'alone' ? this.inside === 0 : !this.isAlone;
      if (!mayEnter) return;
      this.waiting.shift();
      this.inside += 1;
      this.isAlone = next.company === 'alone';
      next.admit();
    }
  }
}

/** Limits concurrency per key; excess calls queue in order. */
export class KeyedSemaphore {
  private readonly usedSlots = new Map<string, number>();
  private readonly waiting = new Map<string, (() => void)[]>();

  constructor(private readonly limit: number) {}

  /** Returns whether a call with this key would start immediately. */
  isFree(key: string): boolean {
    return (this.usedSlots.get(key) ?? 0) < this.limit;
  }

  /** Runs `act` when the key has a free place. @throws the signal's reason if it aborts before that */
  async within<T>(key: string, signal: AbortSignal | undefined, act: () => Promise<T>): Promise<T> {
    await this.take(key, signal);
    try {
      signal?.throwIfAborted();
      return await act();
    } finally {
      this.leave(key);
    }
  }

  private async take(key: string, signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted();
    if (this.isFree(key)) {
      this.usedSlots.set(key, (this.usedSlots.get(key) ?? 0) + 1);
      return;
    }
    await new Promise<void>((resolve, reject) => {
      const queue = this.waiting.get(key) ?? [];
      this.waiting.set(key, queue);
      const start = () => {
        signal?.removeEventListener('abort', leave);
        resolve();
      };
      const leave = () => {
        queue.splice(queue.indexOf(start), 1);
        reject(signal!.reason as Error);
      };
      queue.push(start);
      signal?.addEventListener('abort', leave, { once: true });
    });
  }

  /** Passes the place on to the next call, or frees it. */
  private leave(key: string): void {
    const next = this.waiting.get(key)?.shift();
    if (next) return next();
    const count = this.usedSlots.get(key)! - 1;
    if (count > 0) this.usedSlots.set(key, count);
    else {
      this.usedSlots.delete(key);
      this.waiting.delete(key);
    }
  }
}
