/**
 * The intervals of one length that code within the process of a spec has set. They end when the spec says so and never by the clock; all
 * others are left as they are. Make one before the code sets its intervals.
 */
export class IntervalsOf {
  private readonly original = globalThis.setInterval;
  private readonly callbacks = new Map<NodeJS.Timeout, () => void>();
  private readonly originalClear = globalThis.clearInterval;

  /** @param ms the length, in milliseconds: one that nothing else uses */
  constructor(ms: number) {
    const { original, originalClear, callbacks } = this;
    const set = (callback: () => void, everyMs?: number, ...args: never[]) => {
      const timer = original(callback, everyMs, ...args);
      if (everyMs !== ms) return timer;
      originalClear(timer);
      callbacks.set(timer, callback);
      return timer;
    };
    globalThis.setInterval = set as typeof setInterval;
    globalThis.clearInterval = ((timer?: NodeJS.Timeout) => {
      if (timer !== undefined) callbacks.delete(timer);
      originalClear(timer);
    }) as typeof clearInterval;
  }

  /** Calls what waits for the end of each interval. */
  end(): void {
    for (const callback of [...this.callbacks.values()]) callback();
  }

  restore(): void {
    globalThis.setInterval = this.original;
    globalThis.clearInterval = this.originalClear;
  }
}
