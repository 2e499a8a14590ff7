import type { Queue } from 'bullmq';
import type { Job } from './job-queues.js';

/** Where a failed job stands among those of its queue. */
export interface FailedPosition {
  /** Milliseconds since 1970. */
  failedAt: number;
  jobId: string;
}

/** The backends leave the order of jobs open that failed in the same millisecond; here it is that of their ids. */
export const positionOf = (job: Job): FailedPosition => ({
  failedAt: job.finishedOn ?? 0,
  jobId: String(job.id),
});

/** More than a page, so that a few jobs of the same millisecond at its end do not make it be read again. */
const SPARE = 20;

/**
 * Failed jobs of a queue, newest first. The queue is asked for a position, not for an offset: what fails or is retried
 * between two pages shifts nothing.
 *
 * @param after the last job of the page before
 */
export async function readFailedJobs(queue: Queue, take: number, after?: FailedPosition): Promise<Job[]> {
  const count = await queue.getFailedCount();
  const start = after === undefined ? 0 : await offsetOf(queue, count, after.failedAt);
  for (let size = take + SPARE; ; size *= 2) {
    const read = await queue.getJobs(['failed'], start, start + size - 1, false);
    const isAll = start + size >= count;
    const oldest = read.at(-1)?.finishedOn;
    const behind = read
      // Of the last millisecond there may be more, which belong before these.
      .filter((job) => isAll || job.finishedOn !== oldest)
      .sort((one, other) => (isBehind(positionOf(one), positionOf(other)) ? 1 : -1))
      .filter((job) => after === undefined || isBehind(positionOf(job), after));
    if (isAll || behind.length >= take) return behind.slice(0, take);
  }
}

function isBehind(position: FailedPosition, other: FailedPosition): boolean {
  if (position.failedAt !== other.failedAt) return position.failedAt < other.failedAt;
  return position.jobId < other.jobId;
}

/** How many jobs of the queue failed later than the moment given. */
async function offsetOf(queue: Queue, count: number, failedAt: number): Promise<number> {
  let [low, high] = [0, count];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const [job] = await queue.getJobs(['failed'], middle, middle, false);
    if (job && positionOf(job).failedAt > failedAt) low = middle + 1;
    else high = middle;
  }
  return low;
}
