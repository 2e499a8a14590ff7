/** Returns the CPU time in microseconds that this process spends on some work. */
function cpuOf(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  return process.cpuUsage(before).user;
}

/**
 * Returns the factor by which the CPU time of some work grows with its input, on any machine: about 4 for linear work on an input four
 * times as large, 16 for quadratic work. Takes the smaller of two measurements, because other activity in the process only adds time.
 */
export function growth(work: (size: number) => unknown, small: number, large: number): number {
  const least = (size: number) =>
    Math.min(
      cpuOf(() => work(size)),
      cpuOf(() => work(size)),
    );
  return least(large) / least(small);
}
