import { EngineBed } from '#testing/engine/engine-bed.js';
import { TinyGraph } from '#testing/engine/tiny-graph.js';
import { advance } from './advance.js';
import { claimRun, releaseRun } from './claim.js';
import { MAX_CRASHES } from '../engine.js';

let bed: EngineBed;
let tenant: string;
beforeAll(async () => {
  bed = await EngineBed.open({ name: 'postgres', queueUrl: undefined });
  tenant = await bed.tenant();
});
afterAll(() => bed.close());

const never = new AbortController().signal;
const job = async (runId: string) => ({ v: 1 as const, run_id: runId, epoch: (await bed.run(runId)).epoch });

describe('claimRun', () => {
  it('lets one of many concurrent callers claim a run', async () => {
    const id = await bed.start(tenant, 'any');
    const asked = await job(id);
    const claims = await Promise.all(Array.from({ length: 20 }, () => claimRun(bed.engine, asked)));
    expect(claims.filter(Boolean)).toHaveLength(1);
    expect((await bed.run(id)).epoch).toBe(asked.epoch + 1);
  });

  it('rejects a claimed run until its lease expires or it is released', async () => {
    const id = await bed.start(tenant, 'any');
    const held = await claimRun(bed.engine, await job(id));
    expect(await claimRun(bed.engine, await job(id))).toBeNull();
    await bed.expireLease(id);
    const second = await claimRun(bed.engine, await job(id));
    expect(second!.fence.epoch).toBe(held!.fence.epoch + 1);
    await releaseRun(bed.engine, held!, true);
    expect(await claimRun(bed.engine, await job(id))).toBeNull();
    await releaseRun(bed.engine, second!, false);
    expect(await claimRun(bed.engine, await job(id))).not.toBeNull();
  });
});

describe('X4 a runner that wakes up late', () => {
  it('writes no checkpoint, no event and no result', async () => {
    let wake!: () => void;
    let reached!: () => void;
    const atNode = new Promise<void>((resolve) => (reached = resolve));
    const asleep = new Promise<void>((resolve) => (wake = resolve));
    let calls = 0;
    const graph = new TinyGraph([
      { kind: 'local', name: 'a' },
      {
        kind: 'local',
        name: 'b',
        work: async ({ events }) => {
          calls += 1;
          const mine = calls;
          if (mine === 1) {
            reached();
            await asleep;
          }
          events.emit({ type: 'state_updated', data: { by: mine } });
          return `b by ${mine}`;
        },
      },
    ]);
    const graphs = new Map([['slow', graph]]);
    const id = await bed.start(tenant, 'slow');
    const late = advance(bed.engine, graphs, await job(id), never);
    await atNode;
    await bed.expireLease(id);
    expect(await advance(bed.engine, graphs, await job(id), never)).toBe('finished');
    const before = await bed.events(id);
    const blobs = await bed.db.graphBlob.count({ where: { threadId: id } });
    wake();
    expect(await late).toBe('fenced');
    expect(await bed.events(id)).toEqual(before);
    expect(await bed.db.graphBlob.count({ where: { threadId: id } })).toBe(blobs);
    expect(await bed.words(id)).toEqual(['start', 'a', 'b by 2']);
    expect(before.filter(({ type }) => type === 'state_updated').map(({ data }) => data)).toEqual([
      { by: 2 },
    ]);
  });

  it('counts a released run as crashed only if its step failed', async () => {
    const id = await bed.start(tenant, 'any');
    const held = await claimRun(bed.engine, await job(id));
    await releaseRun(bed.engine, held!, false);
    const second = await claimRun(bed.engine, await job(id));
    expect(second!.crashes).toBe(0);
    await releaseRun(bed.engine, second!, true);
    expect((await claimRun(bed.engine, await job(id)))!.crashes).toBe(1);
  });

  it('fails a run that kills every runner that claims it', async () => {
    const id = await bed.start(tenant, 'any');
    for (let taken = 0; taken < MAX_CRASHES; taken++) {
      const { epoch } = await bed.run(id);
      await claimRun(bed.engine, { v: 1, run_id: id, epoch });
      await bed.expireLease(id);
    }
    expect(await advance(bed.engine, new Map([['any', new TinyGraph([])]]), await job(id), never)).toBe(
      'finished',
    );
    const run = await bed.run(id);
    expect(run).toMatchObject({ status: 'failed', error: { code: 'step_failed' } });
    expect((await bed.events(id)).at(-1)).toMatchObject({ type: 'done', data: { status: 'failed' } });
  });
});
