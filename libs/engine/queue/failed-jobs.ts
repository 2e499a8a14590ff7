import type { Queue } from 'bullmq';
import type { Job } from './job-queues.js';

/** Position of a failed job in its queue's list. */
export interface FailedPosition {
  /** Milliseconds since 1970. */
  failedAt: number;
  jobId: string;
}

/**
 * Returns a job's position. Backends do not define the order of jobs that failed in the same millisecond, so
 * the job ID does.
 */
export const positionOf = (job: Job): FailedPosition => ({
  failedAt: job.finishedOn ?? 0,
  jobId: String(job.id),
});

/**
 * Extra jobs to read, so that a few jobs of the same millisecond at the page's end do not force a second
 * read.
 */
const SPARE = 20;

/**
 * Returns failed jobs of a queue, newest first. Pages start after a position, not at an offset, so jobs that
 * fail or are retried between two pages shift nothing.
 *
 * @param after the last job of the previous page
 */
export async function readFailedJobs(queue: Queue, take: number, after?: FailedPosition): Promise<Job[]> {
  const count = await queue.getFailedCount();
  const start = after === undefined ? 0 : await offsetOf(queue, count, after.failedAt);
  for (let size = take + SPARE; ; size *= 2) {
    const read = await queue.getJobs(['failed'], start, start + size - 1, false);
    const isAll = start + size >= count;
    const oldest = read.at(-1)?.finishedOn;
    const behind = read
      // More jobs of the last millisecond may follow, and they may sort before these.
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

/** Returns the number of jobs that failed later than `failedAt`. */
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
