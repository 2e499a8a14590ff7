/**
 * Controls the timers of one length that code within the process of a spec sets. The spec ends them, never the clock;
 * timers of other lengths work as usual. Create one before the code sets its timers.
 */
export class TimersOf {
  private readonly callbacks = new Map<NodeJS.Timeout, () => void>();
  private readonly original = { ...globalThisTimers() };

  /** @param ms a length that no other code uses, in milliseconds */
  constructor(private readonly ms: number) {
    const { original, callbacks } = this;
    const clear = (timer?: NodeJS.Timeout) => {
      if (timer !== undefined) callbacks.delete(timer);
      original.clearInterval(timer);
    };
    Object.assign(globalThis, {
      setInterval: this.capturing(original.setInterval, (timer, callback) => callbacks.set(timer, callback)),
      setTimeout: this.capturing(original.setTimeout, (timer, callback) =>
        callbacks.set(timer, () => {
          callbacks.delete(timer);
          callback();
        }),
      ),
      clearInterval: clear,
      clearTimeout: clear,
    });
  }

  /** Ends every timer that is set: timeouts permanently, intervals once. */
  end(): void {
    for (const callback of [...this.callbacks.values()]) callback();
  }

  restore(): void {
    Object.assign(globalThis, this.original);
  }

  private capturing(
    set: (callback: (...args: unknown[]) => void, ms?: number, ...args: unknown[]) => NodeJS.Timeout,
    keep: (timer: NodeJS.Timeout, callback: () => void) => void,
  ) {
    return (callback: (...args: unknown[]) => void, ms?: number, ...args: unknown[]) => {
      const timer = set(callback, ms, ...args);
      if (ms !== this.ms) return timer;
      this.original.clearInterval(timer);
      keep(timer, () => callback(...args));
      return timer;
    };
  }
}

const globalThisTimers = () => ({
  setInterval: globalThis.setInterval,
  setTimeout: globalThis.setTimeout,
  clearInterval: globalThis.clearInterval,
  clearTimeout: globalThis.clearTimeout,
});
