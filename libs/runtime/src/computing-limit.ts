/** Between two looks at what was computed. */
const SHORTEST_PAUSE_MS = 10;

export interface ComputingLimit {
  /** Aborts when the limit is reached. */
  signal: AbortSignal;
  stop(): void;
}

/**
 * A limit of the time that a task computes. Time in which other processes have the cores counts less: the limit is reached no sooner than
 * `limitMs` from now and no later than `stretch` times that. What the process computes besides counts as the task's, for Node does not tell
 * what one thread used.
 *
 * @param limitMs in milliseconds
 * @param stretch at least 1, with which all time counts, whoever has the cores
 */
export function computingLimit(limitMs: number, stretch = 1): ComputingLimit {
  const controller = new AbortController();
  let timer: NodeJS.Timeout;
  const wait = (left: number) => {
    const begun = performance.now();
    const usedBefore = process.cpuUsage();
    timer = setTimeout(
      () => {
        const passed = performance.now() - begun;
        const { user, system } = process.cpuUsage(usedBefore);
        const computed = (user + system) / 1_000;
        const rest = left - Math.min(passed, Math.max(computed, passed / stretch));
        if (rest > 0) wait(rest);
        else controller.abort();
      },
      Math.max(left, SHORTEST_PAUSE_MS),
    );
  };
  wait(limitMs);
  return { signal: controller.signal, stop: () => clearTimeout(timer) };
}
