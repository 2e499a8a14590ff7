import { pauseFlow } from './pause-flow.js';

describe('pauseFlow', () => {
  it('X7 puts three of a run’s hundreds of tasks into the express lane', () => {
    const pending = Array.from({ length: 200 }, (_, n) => ({
      ...{ id: `tsk_${n}`, run_id: 'run_1', tenant_id: 'ten_1', name: 'run_tool' },
      ...{ queue: 'tools' as const, enqueues: 1, deadline: null },
    }));
    const express = (isExpress: boolean) =>
      pauseFlow('run_1', 1, pending, isExpress).children.filter(({ options }) => !options?.priority);
    expect(express(true).map(({ jobId }) => jobId)).toEqual(['tsk_0.1', 'tsk_1.1', 'tsk_2.1']);
    expect(express(false)).toEqual([]);
  });
});
