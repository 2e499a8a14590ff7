import type { ComputingClock } from '#kit/runtime/computing-limit.js';

/** A clock that a test advances. The process gets CPU time for the given share of the elapsed time. */
export class HandClock implements ComputingClock {
  private time = 0;
  private used = 0;
  private readonly timers = new Set<{ at: number; look: () => void }>();

  constructor(public share = 0) {}

  now = (): number => this.time;

  computed = (): number => this.used;

  after = (ms: number, look: () => void): (() => void) => {
    const timer = { at: this.time + ms, look };
    this.timers.add(timer);
    return () => void this.timers.delete(timer);
  };

  /** True if no timer is waiting. */
  get isIdle(): boolean {
    return this.timers.size === 0;
  }

  /** Advances the time by `ms` milliseconds and calls due timers in order. */
  pass(ms: number): void {
    const end = this.time + ms;
    for (;;) {
      const [due] = [...this.timers].filter(({ at }) => at <= end).sort((one, other) => one.at - other.at);
      const to = due?.at ?? end;
      this.used += (to - this.time) * this.share;
      this.time = to;
      if (!due) return;
      this.timers.delete(due);
      due.look();
    }
  }
}
