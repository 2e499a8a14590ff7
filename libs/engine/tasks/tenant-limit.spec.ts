import { JobReleasedError, JobPostponedError, type JobProcessor } from '#engine/queue/job-worker.js';
import type { Job } from 'bullmq';
import { limitTenants } from './task-processor.js';

const LONG_MS = 3_600_000;

/** Tasks that the spec ends. */
class Tasks {
  readonly begun: string[] = [];
  private readonly waiting = new Map<number, () => void>();
  private readonly ends = new Map<string, () => void>();

  readonly processor: JobProcessor = {
    process: (job) => {
      const count = this.begun.push(job.id!);
      this.waiting.get(count)?.();
      return new Promise((resolve) => this.ends.set(job.id!, resolve));
    },
  };

  /** Resolves once so many tasks have begun. */
  async beginning(count: number): Promise<void> {
    if (this.begun.length < count) await new Promise<void>((resolve) => this.waiting.set(count, resolve));
  }

  end(id: string): void {
    this.ends.get(id)!();
  }
}

const jobOf = (tenant: string, id: string) =>
  ({ id, data: { v: 1, run_id: 'run_1', task_id: id, tenant_id: tenant } }) as unknown as Job;

describe('limitTenants', () => {
  const idle = new AbortController().signal;
  let tasks: Tasks;
  beforeEach(() => {
    tasks = new Tasks();
  });

  it('X7 reserves slots above the limit of a tenant for other tenants', async () => {
    const { process } = limitTenants(tasks.processor, 2, LONG_MS);
    const outcomes = Promise.allSettled(
      ['f1', 'f2', 'f3', 'f4']
        .map((id) => process(jobOf('flood', id), idle))
        .concat(process(jobOf('neighbour', 'n1'), idle)),
    );
    await tasks.beginning(3);
    expect(tasks.begun).toEqual(['f1', 'f2', 'n1']);
    for (const id of tasks.begun) tasks.end(id);
    const postponed = { status: 'rejected', reason: expect.any(JobPostponedError) as unknown };
    const done = { status: 'fulfilled', value: undefined };
    expect(await outcomes).toEqual([done, done, postponed, postponed, done]);
  });

  it('gives a free slot to a waiting task of the same tenant', async () => {
    const { process } = limitTenants(tasks.processor, 1, LONG_MS);
    const [first, second] = ['a', 'b'].map((id) => process(jobOf('one', id), idle));
    await tasks.beginning(1);
    tasks.end('a');
    await first;
    await tasks.beginning(2);
    tasks.end('b');
    await second;
  });

  it('postpones a task that has waited too long, so that the next task of the queue runs', async () => {
    const { process } = limitTenants(tasks.processor, 1, 1);
    const first = process(jobOf('one', 'a'), idle);
    await expect(process(jobOf('one', 'b'), idle)).rejects.toThrow(JobPostponedError);
    tasks.end('a');
    await first;
  });

  it('releases a waiting task when the worker stops', async () => {
    const { process } = limitTenants(tasks.processor, 1, LONG_MS);
    const first = process(jobOf('one', 'a'), idle);
    const stopping = new AbortController();
    const second = process(jobOf('one', 'b'), stopping.signal);
    stopping.abort(new JobReleasedError('The worker stops'));
    await expect(second).rejects.toThrow(JobReleasedError);
    tasks.end('a');
    await first;
  });

  it('counts jobs of older releases, which lack a tenant, by their run', async () => {
    const { process } = limitTenants(tasks.processor, 1, LONG_MS);
    const old = (runId: string) =>
      ({ id: runId, data: { v: 1, run_id: runId, task_id: 't' } }) as unknown as Job;
    const both = ['r1', 'r2'].map((runId) => process(old(runId), idle));
    await tasks.beginning(2);
    for (const id of tasks.begun) tasks.end(id);
    await Promise.all(both);
  });
});
