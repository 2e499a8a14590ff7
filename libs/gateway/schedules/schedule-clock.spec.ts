import { ProblemError } from '#contracts/errors.js';
import { newId } from '#contracts/ids.js';
import { createDatabase, type Database } from '#db/client.js';
import { ScheduleRepository, type Schedule } from '#db/repositories/schedules.js';
import { TenantRepository } from '#db/repositories/tenants.js';
import { atDepth } from '#testing/depth.js';
import { createTestDatabase, type TestDatabase } from '#testing/postgres.js';
import fc from 'fast-check';
import type { CollectionSyncs, SavedPlans, SyncProgress } from '../runs/feature-ports.js';
import type { RunsService } from '../runs/runs.service.js';
import { ScheduleClock } from './schedule-clock.js';

type Start = (tenantId: string, request: object, id: string) => void;

describe('the clock of schedules', () => {
  let database: TestDatabase;
  let db: Database;
  let schedules: ScheduleRepository;
  let tenantId: string;
  const warnings: unknown[] = [];

  beforeAll(async () => {
    database = await createTestDatabase();
    db = createDatabase(database.url, 6);
    schedules = new ScheduleRepository(db);
  });
  beforeEach(async () => {
    tenantId = newId('ten');
    await db.tenant.create({ data: { id: tenantId, name: 'tenant' } });
  });
  afterEach(() => db.tenant.deleteMany());
  afterAll(async () => {
    await db.$disconnect();
    await database.drop();
  });

  const noSync: CollectionSyncs = {
    require: () => Promise.resolve('pages'),
    next: () => Promise.reject(new Error('there is no collection')),
  };
  const clockOf = (start: Start, repository = schedules, syncs = noSync) => {
    const runs = {
      start: async (tenant: string, request: object, id: string) => {
        await Promise.resolve(start(tenant, request, id));
        return { id };
      },
    };
    const log = { warn: (fields: object) => void warnings.push(fields) };
    const plans: SavedPlans = {
      start: (tenant, planId, request, runId) => runs.start(tenant, { planId, ...request }, runId),
      read: () => Promise.resolve({}),
    };
    return new ScheduleClock(log as never, repository, runs as unknown as RunsService, plans, syncs);
  };

  const roundOf = async (clock: ScheduleClock) => {
    await clock.doRound();
    await clock.idle();
  };

  /** Adds a schedule with a run each minute, whose first planned time was some minutes ago. */
  async function everyMinute(minutesAgo: number, more: Partial<Schedule> = {}): Promise<Schedule> {
    const nextAt = new Date((await schedules.now()).getTime() - minutesAgo * 60_000);
    const made = await schedules.create(tenantId, {
      id: newId('sch'),
      name: 'each minute',
      everySeconds: 60,
      timeZone: 'UTC',
      overlap: 'queue',
      missed: 'all',
      nextAt,
      ...more,
      start: (more.start as object | undefined) ?? { run: { session_id: 'ses_1', kind: 'document' } },
    });
    return made!;
  }

  const firingsOf = (scheduleId: string) =>
    db.scheduleFiring.findMany({ where: { scheduleId }, orderBy: { plannedAt: 'asc' } });

  it('starts each planned time once, whichever statements fail on two gateways', async () => {
    const fault = fc.constantFrom('none', 'none', 'before', 'after');
    const faults = fc.record({
      plan: fc.infiniteStream(fault),
      claimFirings: fc.infiniteStream(fault),
      settle: fc.infiniteStream(fault),
      start: fc.infiniteStream(fault),
    });
    let injected = 0;
    await fc.assert(
      fc.asyncProperty(
        faults,
        fc.array(fc.integer({ min: 1, max: 25 }), { minLength: 1, maxLength: 3 }),
        async (given, ages) => {
          const started = new Map<string, number>();
          const failing = async <T>(name: keyof typeof given, work: () => Promise<T>): Promise<T> => {
            const kind = given[name].next().value;
            if (kind !== 'none') injected += 1;
            if (kind === 'before') throw new Error('connection lost');
            const result = await work();
            if (kind === 'after') throw new Error('killed');
            return result;
          };
          const unsafe = Object.assign(Object.create(schedules) as ScheduleRepository, {
            plan: (plan: never) => failing('plan', () => schedules.plan(plan)),
            claimFirings: (limit: number) => failing('claimFirings', () => schedules.claimFirings(limit)),
            settle: (...args: Parameters<ScheduleRepository['settle']>) =>
              failing('settle', () => schedules.settle(...args)),
          });
          const record: Start = (_tenant, _request, id) => void started.set(id, (started.get(id) ?? 0) + 1);
          const start = ((...args: Parameters<Start>) =>
            failing('start', () => Promise.resolve(record(...args)))) as unknown as Start;
          const made = await Promise.all(ages.map((age) => everyMinute(age)));
          for (let round = 0; round < 8; round++) {
            const clocks = [clockOf(start, unsafe), clockOf(start, unsafe)];
            await Promise.allSettled(clocks.map(roundOf));
            // Time passes, and the claims of the gateway that was killed lapse.
            await db.scheduleFiring.updateMany({
              where: { status: 'due' },
              data: { claimedUntil: new Date(0) },
            });
          }
          await roundOf(clockOf(record));
          for (const { id, nextAt } of made) {
            const firings = await firingsOf(id);
            const { nextAt: next } = (await schedules.find(tenantId, id))!;
            const count = (next!.getTime() - nextAt!.getTime()) / 60_000;
            expect(firings.map(({ plannedAt }) => plannedAt.getTime())).toEqual(
              Array.from({ length: count }, (_, at) => nextAt!.getTime() + at * 60_000),
            );
            expect(firings.every(({ status }) => status === 'started')).toBe(true);
          }
          const all = await db.scheduleFiring.findMany({ where: { tenantId } });
          expect(new Set(all.map(({ startedRunId }) => startedRunId))).toEqual(new Set(started.keys()));
          expect(started.size).toBe(all.length);
          await db.schedule.deleteMany();
        },
      ),
      { numRuns: atDepth({ quick: 5, full: 40 }) },
    );
    expect(injected).toBeGreaterThan(atDepth({ quick: 50, full: 500 }));
  });

  it('skips a planned time while a run is active, and says why a run was refused', async () => {
    const { id } = await everyMinute(2, { overlap: 'skip' });
    const problems = [
      new ProblemError('run_active', 'a run is active'),
      new ProblemError('no_inputs', 'no files'),
    ];
    const requests: object[] = [];
    await roundOf(
      clockOf((_tenant, request) => {
        requests.push(request);
        const problem = problems.shift();
        if (problem) throw problem;
      }),
    );
    expect(await firingsOf(id)).toMatchObject([
      { status: 'skipped', problem: { code: 'run_active' }, startedRunId: null },
      { status: 'failed', problem: { code: 'no_inputs', message: 'no files' } },
      { status: 'started', problem: null, startedRunId: expect.stringMatching(/^run_/) },
    ]);
    expect(requests[0]).toMatchObject({ session_id: 'ses_1', on_conflict: 'reject' });
  });

  it.each([
    ['queue', 'enqueue'],
    ['cancel_previous', 'interrupt'],
  ])('with overlap %s starts with on_conflict %s', async (overlap, conflict) => {
    await everyMinute(0, { overlap });
    const requests: object[] = [];
    await roundOf(clockOf((_tenant, request) => void requests.push(request)));
    expect(requests).toMatchObject([{ on_conflict: conflict }]);
  });

  it('starts a saved plan with its parameters', async () => {
    await everyMinute(0, {
      start: { saved_plan: { saved_plan_id: 'pln_1', parameters: { file: 'a.csv' } } },
    });
    const requests: object[] = [];
    await roundOf(clockOf((_tenant, request) => void requests.push(request)));
    expect(requests).toMatchObject([{ planId: 'pln_1', parameters: { file: 'a.csv' } }]);
  });

  it('does a sync in parts, each with the progress before it, and starts other runs in between', async () => {
    const start = { sync: { collection_id: 'col_1', urls: [] } };
    const { id } = await everyMinute(0, { start });
    const parts: [string, SyncProgress | null][] = [];
    const counts = { added: 0, changed: 0, unchanged: 0, failed: 0, gone: 0, problems: [], urls: 0 };
    const syncs: CollectionSyncs = {
      require: noSync.require,
      next: (_tenant, { collection_id }, _syncId, progress) => {
        parts.push([collection_id, progress]);
        const unchanged = (progress?.unchanged ?? 0) + 4;
        const after = `src_${parts.length}`;
        return Promise.resolve({ ...counts, unchanged, after, isDone: unchanged === 12 });
      },
    };
    await roundOf(clockOf(() => undefined, schedules, syncs));
    expect(parts.map(([collection, progress]) => [collection, progress?.after])).toEqual([
      ['col_1', undefined],
      ['col_1', 'src_1'],
      ['col_1', 'src_2'],
    ]);
    expect(await firingsOf(id)).toMatchObject([
      { status: 'done', startedRunId: null, problem: null, result: { unchanged: 12 } },
    ]);
  });

  it('starts nothing while the tenant is suspended or the schedule paused, and after its end', async () => {
    const started: string[] = [];
    const clock = clockOf((_tenant, _request, run) => void started.push(run));
    const { id } = await everyMinute(1);
    await new TenantRepository(db).setSuspended(tenantId, true);
    await roundOf(clock);
    await new TenantRepository(db).setSuspended(tenantId, false);
    await schedules.change(tenantId, id, { pausedAt: new Date(), nextAt: null });
    await roundOf(clock);
    expect(started).toEqual([]);
    const ended = await everyMinute(3, { until: new Date(Date.now() - 2.5 * 60_000) });
    await roundOf(clock);
    expect(started).toHaveLength(1);
    expect(await schedules.find(tenantId, ended.id)).toMatchObject({ nextAt: null });
  });

  it('starts the run that a person asks for, also of a paused schedule', async () => {
    const { id } = await everyMinute(0, { pausedAt: new Date(), nextAt: null });
    await schedules.addManual(tenantId, id, () => Promise.resolve());
    const started: string[] = [];
    await roundOf(clockOf((_tenant, _request, run) => void started.push(run)));
    expect(await firingsOf(id)).toMatchObject([
      { isManual: true, status: 'started', startedRunId: started[0] },
    ]);
  });
});
