/** Places for work that is done at the same time; who finds none free waits for a turn, in order. */
export class Turns {
  private readonly waiting: (() => void)[] = [];

  constructor(private free: number) {}

  /** Waits until a place is free and takes it. @throws the signal's reason */
  async take(signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted();
    while (this.free === 0) {
      await new Promise<void>((resolve) => {
        const wake = () => {
          signal?.removeEventListener('abort', wake);
          const at = this.waiting.indexOf(wake);
          if (at >= 0) this.waiting.splice(at, 1);
          resolve();
        };
        this.waiting.push(wake);
        signal?.addEventListener('abort', wake, { once: true });
      });
      if (!signal?.aborted) continue;
      // The turn may have been this task's: the next one takes it.
      this.waiting.shift()?.();
      throw signal.reason;
    }
    this.free -= 1;
  }

  give(): void {
    this.free += 1;
    this.waiting.shift()?.();
  }
}
