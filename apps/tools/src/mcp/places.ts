/** Bounds how many things happen at once for a key; the others wait for their turn. */
export class Places {
  private readonly taken = new Map<string, number>();
  private readonly waiting = new Map<string, (() => void)[]>();

  constructor(private readonly most: number) {}

  /** @throws the reason of the signal when it aborts before there is a place */
  async within<T>(key: string, signal: AbortSignal, act: () => Promise<T>): Promise<T> {
    await this.take(key, signal);
    try {
      return await act();
    } finally {
      this.leave(key);
    }
  }

  private async take(key: string, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    const count = this.taken.get(key) ?? 0;
    if (count < this.most) {
      this.taken.set(key, count + 1);
      return;
    }
    await new Promise<void>((resolve, reject) => {
      const queue = this.waiting.get(key) ?? [];
      this.waiting.set(key, queue);
      const turn = () => {
        signal.removeEventListener('abort', leave);
        resolve();
      };
      const leave = () => {
        queue.splice(queue.indexOf(turn), 1);
        reject(signal.reason as Error);
      };
      queue.push(turn);
      signal.addEventListener('abort', leave, { once: true });
    });
  }

  /** Hands the place on, or gives it back. */
  private leave(key: string): void {
    const next = this.waiting.get(key)?.shift();
    if (next) return next();
    const count = this.taken.get(key)! - 1;
    if (count > 0) this.taken.set(key, count);
    else {
      this.taken.delete(key);
      this.waiting.delete(key);
    }
  }
}
