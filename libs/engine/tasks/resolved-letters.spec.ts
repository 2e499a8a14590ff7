import { EngineBed } from '#testing/engine/engine-bed.js';
import { until } from '#testing/until.js';
import { removeResolvedLetters } from './resolved-letters.js';

it('X4 a dead letter is removed once its task or run continued without it, and remains otherwise', async () => {
  const bed = await EngineBed.open({ name: 'postgres', queueUrl: undefined });
  try {
    const tenantId = await bed.tenant();
    const [run, ended] = [await bed.start(tenantId, 'hop'), await bed.start(tenantId, 'hop')];
    await bed.db.run.update({ where: { id: ended }, data: { status: 'completed' } });
    const task = async (id: string, status: string, error?: object) => {
      const facts = {
        id,
        status,
        runId: run,
        tenantId,
        name: 'parse_to_json',
        queue: 'converter',
        enqueues: 2,
      };
      const place = { node: 'a', checkpointId: 'c', interruptId: id, input: {}, ...(error && { error }) };
      await bed.db.task.create({ data: { ...facts, ...place } });
    };
    await task('open', 'pending');
    await task('done', 'completed');
    await task('poisoned', 'failed', { code: 'task_poisoned', message: 'x' });
    const letter = (queue: 'converter' | 'agent-runner', jobId: string, data: object) =>
      bed.queues.add({ queue, name: 'job', jobId, data });
    await letter('converter', 'open.1', { run_id: run, task_id: 'open' });
    await letter('converter', 'open.2', { run_id: run, task_id: 'open' });
    await letter('converter', 'done.2', { run_id: run, task_id: 'done' });
    await letter('converter', 'poisoned.2', { run_id: run, task_id: 'poisoned' });
    await letter('converter', 'unreadable', {});
    const { epoch } = await bed.run(run);
    await letter('agent-runner', `${run}.old`, { run_id: run, epoch: epoch - 1 });
    const fails = () => Promise.reject(new Error('The database is away.'));
    for (const queue of ['converter', 'agent-runner'] as const)
      bed.queues.work(queue, fails, { concurrency: 1 });
    const failed = async () => {
      const jobs = await Promise.all(bed.queues.all().map((queue) => queue.getJobs(['failed'])));
      return jobs
        .flat()
        .map(({ id }) => id!)
        .sort();
    };
    await until('every job has failed', failed, (ids) => ids.length === 8);
    expect(await removeResolvedLetters(bed.engine)).toBe(4);
    expect(await failed()).toEqual(['open.2', 'poisoned.2', 'unreadable', `${run}.${epoch}`].sort());
  } finally {
    await bed.close();
  }
});
