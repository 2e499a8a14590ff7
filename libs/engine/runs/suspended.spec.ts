import { TenantRepository } from '#db/repositories/tenants.js';
import { queueColumns } from '#testing/columns.js';
import { EngineBed } from '#testing/engine/engine-bed.js';
import { TinyGraph } from '#testing/engine/tiny-graph.js';
import { until } from '#testing/until.js';
import { reconcile } from '../recovery/reconcile.js';
import { GRACE_SECONDS } from './step-preemption.js';

describe.each(queueColumns())('X20 the runs of a suspended tenant, on $name', (column) => {
  let bed: EngineBed;
  beforeAll(async () => {
    bed = await EngineBed.open(column);
  });
  afterAll(() => bed.close());

  it('stop after the current step, are not claimed, and continue when the suspension ends', async () => {
    const [suspended, other] = [await bed.tenant(), await bed.tenant()];
    const setSuspended = (isSuspended: boolean) =>
      new TenantRepository(bed.db).setSuspended(suspended, isSuspended);
    let begin = (): void => undefined;
    const begun = new Promise<void>((resolve) => (begin = resolve));
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    const later: string[] = [];
    const graph = new TinyGraph([
      {
        kind: 'local',
        name: 'first',
        async work({ run }) {
          if (run.tenantId === other) return 'first';
          const since = performance.now();
          begin();
          await released;
          // A runner does not check more often.
          await until('a step that is checked', () => performance.now() - since > GRACE_SECONDS * 1_000);
          return 'first';
        },
      },
      { kind: 'local', name: 'second', work: ({ run }) => (later.push(run.id), 'second') },
    ]);
    bed.runner({ tiny: graph });
    const running = await bed.start(suspended, 'tiny');
    await begun;
    await setSuspended(true);
    const queued = await bed.start(suspended, 'tiny');
    const neighbour = await bed.start(other, 'tiny');
    expect(await bed.until(neighbour)).toMatchObject({ status: 'completed' });
    release();
    await until(
      'the run is released',
      () => bed.run(running),
      ({ leaseUntil }) => leaseUntil?.getTime() === 0,
    );
    for (let round = 0; round < 3; round++) {
      await bed.age();
      await reconcile(bed.engine);
    }
    expect(await bed.run(running)).toMatchObject({ status: 'running', epoch: 1 });
    expect(await bed.run(queued)).toMatchObject({ status: 'queued', epoch: 0, dispatchedAt: null });
    expect(later).toEqual([neighbour]);
    await setSuspended(false);
    for (const id of [running, queued]) {
      const ended = until(
        'the run has ended',
        async () => {
          await bed.age();
          await reconcile(bed.engine);
          return bed.run(id);
        },
        ({ status }) => status === 'completed',
      );
      expect(await ended).toMatchObject({ error: null, crashes: 0 });
      expect(await bed.words(id)).toEqual(['start', 'first', 'second']);
    }
  });
});
