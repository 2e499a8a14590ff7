/**
 * Maximum elapsed time of a run's work, as a multiple of its limit, while other processes use the CPU. Work
 * that failed because of the load would be retried and fail again.
 */
export const BUSY_STRETCH = 4;
/** Minimum interval between two checks of the computing time. */
const MIN_PAUSE_MS = 10;

interface ComputingLimit {
  /** Aborts when the limit is reached. */
  signal: AbortSignal;
  stop(): void;
}

/** Elapsed time, CPU time and timers of a process. */
export interface ComputingClock {
  /** Milliseconds since an arbitrary fixed time. */
  now(): number;
  /** Milliseconds of CPU time that the process has used. */
  computed(): number;
  /** Calls `look` after a number of milliseconds; returns a function that cancels the call. */
  after(ms: number, look: () => void): () => void;
}

/** The clock of this process. */
export const PROCESS_CLOCK: ComputingClock = {
  now: () => performance.now(),
  computed: () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1_000;
  },
  after: (ms, look) => {
    const timer = setTimeout(look, ms);
    return () => clearTimeout(timer);
  },
};

/**
 * Limits the computing time of a task. While other processes use the CPU, time counts less: the signal aborts
 * after `limitMs` at the earliest and after `stretch` times `limitMs` at the latest. Everything that the
 * process computes counts, because the clock measures whole processes.
 *
 * @param limitMs in milliseconds
 * @param stretch at least 1; with 1, all elapsed time counts
 */
export function computingLimit(limitMs: number, stretch = 1, clock = PROCESS_CLOCK): ComputingLimit {
  const controller = new AbortController();
  let cancel = (): void => undefined;
  const wait = (left: number) => {
    const [begun, computedBefore] = [clock.now(), clock.computed()];
    const look = () => {
      const passed = clock.now() - begun;
      const computed = clock.computed() - computedBefore;
      const rest = left - Math.min(passed, Math.max(computed, passed / stretch));
      if (rest > 0) wait(rest);
      else controller.abort();
    };
    cancel = clock.after(Math.max(left, MIN_PAUSE_MS), look);
  };
  wait(limitMs);
  return { signal: controller.signal, stop: () => cancel() };
}
