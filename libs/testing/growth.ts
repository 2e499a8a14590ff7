/** CPU time of this process while something is done, in microseconds. */
function cpuOf(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  return process.cpuUsage(before).user;
}

/**
 * How many times as much CPU time work takes when its input grows, on whatever machine: four times as large an input takes some four times
 * as much in linear time, sixteen times in quadratic time. The least of two measurements each: what else goes on in the process only adds to one.
 */
export function growth(work: (size: number) => unknown, small: number, large: number): number {
  const least = (size: number) =>
    Math.min(
      cpuOf(() => work(size)),
      cpuOf(() => work(size)),
    );
  return least(large) / least(small);
}
