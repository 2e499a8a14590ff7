import { EngineBed } from '#testing/engine/engine-bed.js';
import { TinyGraph } from '#testing/engine/tiny-graph.js';
import { until } from '#testing/until.js';
import { reconcile } from '../recovery/reconcile.js';
import { reopenPoisoned } from './resolved-letters.js';
import { MAX_UNFINISHED } from './task-processor.js';
import { ReadWriteLock } from './locks.js';

const graph = new TinyGraph([{ kind: 'fan-out', name: 'f', items: ['a', 'b', 'poison'] }]);

describe('X4 a poisoned task', () => {
  it('can be reopened once while its run waits for other tasks, and not afterwards', async () => {
    const bed = await EngineBed.open({ name: 'postgres', queueUrl: undefined });
    try {
      bed.runner({ fan: graph });
      const runId = await bed.start(await bed.tenant(), 'fan');
      await bed.until(runId, 'waiting');
      const poison = (await bed.tasks(runId)).find(
        ({ input }) => (input as { manuscript: string }).manuscript === 'poison',
      )!;
      await bed.db.task.update({ where: { id: poison.id }, data: { unfinished: MAX_UNFINISHED } });
      let release = (): void => undefined;
      const released = new Promise<void>((resolve) => (release = resolve));
      bed.workers(async (item) => {
        if (item !== 'poison') await released;
        return `done ${item}`;
      });
      const converter = bed.queues.all().find(({ name }) => name === 'converter')!;
      const letter = await until('a dead letter', async () => (await converter.getJobs(['failed']))[0]);
      expect(await reopenPoisoned(bed.engine, poison.id)).toBe('reopened');
      expect(await reopenPoisoned(bed.engine, poison.id)).toBe('not_poisoned');
      await letter!.retry('failed');
      await until(
        'the reopened task is completed',
        async () => (await bed.tasks(runId)).find(({ id }) => id === poison.id),
        (task) => task?.status === 'completed',
      );
      release();
      await until(
        'every task is completed',
        () => bed.tasks(runId),
        (tasks) => tasks.every(({ status }) => status === 'completed'),
      );
      // BullMQ counted the failed job once before: it may have called a runner too early, so that the reconciler
      // resumes the run.
      await bed.age();
      await reconcile(bed.engine);
      await bed.until(runId, 'completed');
      expect(await bed.words(runId)).toContain('f.poison=done poison');
      const error = { code: 'task_poisoned', message: 'as it was' };
      await bed.db.task.update({ where: { id: poison.id }, data: { status: 'failed', error } });
      expect(await reopenPoisoned(bed.engine, poison.id)).toBe('too_late');
    } finally {
      await bed.close();
    }
  });
});

describe('the gate of a worker', () => {
  it('admits normal tasks together and a suspect task alone, in the order of their arrival', async () => {
    const lock = new ReadWriteLock();
    const inside: string[] = [];
    const enter = async (name: string, company: 'together' | 'alone') => {
      const leave = await lock.enter(company);
      inside.push(name);
      return () => {
        inside.splice(inside.indexOf(name), 1);
        leave();
      };
    };
    const leaveA = await enter('a', 'together');
    const leaveB = await enter('b', 'together');
    const suspect = enter('suspect', 'alone');
    const late = enter('late', 'together');
    leaveA();
    await Promise.resolve();
    expect(inside).toEqual(['b']);
    leaveB();
    const leaveSuspect = await suspect;
    expect(inside).toEqual(['suspect']);
    leaveSuspect();
    await late;
    expect(inside).toEqual(['late']);
  });
});
