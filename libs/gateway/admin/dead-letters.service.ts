import type { deadLetterSchema, deadLettersQuery } from '#contracts/api/operations-schemas.js';
import { ProblemError } from '#contracts/errors.js';
import { phrase } from '#contracts/phrases/phrase.js';
import { queueNames, type QueueName } from '#contracts/queues.js';
import type { PageRequest } from '#db/page.js';
import { positionOf, readFailedJobs, type FailedPosition } from '#engine/queue/failed-jobs.js';
import type { Job, JobQueues } from '#engine/queue/job-queues.js';
import type { Engine } from '#engine/engine.js';
import { reopenPoisoned } from '#engine/tasks/resolved-letters.js';
import { ENGINE, QUEUES } from '#kit/runtime/infrastructure.module.js';
import { Inject, Injectable } from '@nestjs/common';
import { z } from 'zod';
import { idSchema, msSchema, readPage, type CursorFormat } from '../http/page.js';

type DeadLetter = z.infer<typeof deadLetterSchema>;

interface Position extends FailedPosition {
  queue: QueueName;
}

interface FailedJob {
  queue: QueueName;
  job: Job;
}

const byQueue: CursorFormat<FailedJob, Position> = {
  write({ queue, job }) {
    const { failedAt, jobId } = positionOf(job);
    return [queue, failedAt, jobId];
  },
  schema: z
    .tuple([z.enum(queueNames), msSchema, idSchema])
    .transform(([queue, failedAt, jobId]) => ({ queue, failedAt, jobId })),
};

const MAX_REASON = 500;

/** Jobs that failed permanently. They stay in their queue for the operator and do not block other jobs. */
@Injectable()
export class DeadLettersService {
  constructor(
    @Inject(QUEUES) private readonly queues: JobQueues,
    @Inject(ENGINE) private readonly engine: Engine,
  ) {}

  /** Lists failed jobs by queue, newest first. @throws ProblemError `invalid_request` for a wrong cursor */
  list(query: z.infer<typeof deadLettersQuery>) {
    return readPage(
      query,
      byQueue,
      (request: PageRequest<Position>) => this.read(query.queue, request),
      (rows) => rows.map(viewOf),
    );
  }

  private async read(
    only: QueueName | undefined,
    { take, after }: PageRequest<Position>,
  ): Promise<FailedJob[]> {
    const found: FailedJob[] = [];
    const first = after ? queueNames.indexOf(after.queue) : 0;
    for (const queue of queueNames.slice(first)) {
      const rest = take - found.length;
      if (rest === 0 || (only !== undefined && queue !== only)) continue;
      const source = this.queues.all().find(({ name }) => name === queue)!;
      const behind = queue === after?.queue ? after : undefined;
      const jobs = await this.queues.ask(() => readFailedJobs(source, rest, behind));
      found.push(...jobs.map((job) => ({ queue, job })));
    }
    return found;
  }

  /**
   * Puts a failed job back into its queue and reopens its task if it is poisoned. If the task has a result by
   * now, the job changes nothing.
   *
   * @throws ProblemError `not_found` if the queue lacks a failed job of that ID; `task_over` if the run has
   *   continued without the poisoned task
   */
  async retry(queue: string, jobId: string): Promise<{ queue: QueueName; job_id: string; state: string }> {
    const source = this.queues.all().find(({ name }) => name === queue);
    const job = await this.queues.ask(async () => source?.getJob(jobId));
    if (!job || !(await this.queues.ask(() => job.isFailed()))) {
      throw new ProblemError('not_found', phrase('not_found.failed_job', { queues: queueNames.join(', ') }));
    }
    const { taskId } = idsOf(job);
    if (taskId !== null && (await reopenPoisoned(this.engine, taskId)) === 'too_late')
      throw new ProblemError('task_over', phrase('task_over.restore'));
    await this.queues.ask(() => job.retry('failed'));
    return { queue: queue as QueueName, job_id: jobId, state: await job.getState() };
  }
}

function idsOf(job: Job): { runId: string | null; taskId: string | null } {
  const { run_id, task_id } = job.data as { run_id?: unknown; task_id?: unknown };
  return {
    runId: typeof run_id === 'string' ? run_id : null,
    taskId: typeof task_id === 'string' ? task_id : null,
  };
}

function viewOf({ queue, job }: FailedJob): DeadLetter {
  const { runId, taskId } = idsOf(job);
  return {
    queue,
    job_id: String(job.id),
    name: job.name,
    run_id: runId,
    task_id: taskId,
    reason: String(job.failedReason ?? '').slice(0, MAX_REASON),
    attempts: job.attemptsMade,
    failed_at: job.finishedOn === undefined ? null : new Date(job.finishedOn).toISOString(),
  };
}
