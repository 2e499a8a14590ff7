/**
 * How many times its limit the work of a run may last while other processes have the cores. Work that fails for the load of the machine
 * would be done again, and fail again.
 */
export const BUSY_STRETCH = 4;
/** Between two looks at what was computed. */
const SHORTEST_PAUSE_MS = 10;

export interface ComputingLimit {
  /** Aborts when the limit is reached. */
  signal: AbortSignal;
  stop(): void;
}

/** The time and the CPU time of this process, and its timers. */
export interface ComputingClock {
  /** Milliseconds since any fixed moment. */
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
 * A limit of the time that a task computes. Time in which other processes have the cores counts less: the limit is reached no sooner than
 * `limitMs` from now and no later than `stretch` times that. What the process computes besides counts as the task's, for Node does not tell
 * what one thread used.
 *
 * @param limitMs in milliseconds
 * @param stretch at least 1, with which all time counts, whoever has the cores
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
    cancel = clock.after(Math.max(left, SHORTEST_PAUSE_MS), look);
  };
  wait(limitMs);
  return { signal: controller.signal, stop: () => cancel() };
}
