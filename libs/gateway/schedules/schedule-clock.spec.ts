import { newScheduleSchema } from '#catalogue/schedule-schemas.js';
import { ProblemError } from '#contracts/errors.js';
import { newId } from '#contracts/ids.js';
import { createDatabase, type Database } from '#db/client.js';
import { ScheduleRepository, type ClaimedFiring, type Schedule } from '#db/repositories/schedules.js';
import { SessionRepository } from '#db/repositories/sessions.js';
import { asTenant, currentKey, pendingAudit } from '#db/tenant-scope.js';
import { TenantRepository } from '#db/repositories/tenants.js';
import { atDepth } from '#testing/depth.js';
import { createTestDatabase, type TestDatabase } from '#testing/postgres.js';
import { until } from '#testing/until.js';
import fc from 'fast-check';
import { text } from 'node:stream/consumers';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { CollectionSyncs, SavedPlans, SyncProgress } from '../runs/feature-ports.js';
import type { RunsService } from '../runs/runs.service.js';
import type { ArrivingFile } from '../sessions/file-intake.js';
import type { InputsService } from '../sessions/inputs.service.js';
import { EventValues } from './event-values.js';
import { ScheduleClock } from './schedule-clock.js';
import { SchedulesService } from './schedules.service.js';
import { TriggerBuckets } from './trigger-buckets.js';

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
    find: () => Promise.resolve({ name: 'pages' }),
    require: () => Promise.resolve('pages'),
    next: () => Promise.reject(new Error('there is no collection')),
  };
  const noBuckets = new TriggerBuckets({
    FETCH_URL: false,
    EGRESS_ALLOW_PRIVATE: false,
    EGRESS_PORTS: [],
    TOKEN_SECRET: undefined,
  });
  const uploads: string[] = [];
  const inputs = {
    upload: async (_caller: object, session: string, parts: AsyncIterable<ArrivingFile>) => {
      for await (const { filename, file } of parts)
        uploads.push(`${session}/${filename} ${await text(file)}`);
    },
  } as unknown as InputsService;
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
    const events = new EventValues(new SessionRepository(db), inputs, noBuckets);
    return new ScheduleClock(
      log as never,
      repository,
      runs as unknown as RunsService,
      plans,
      syncs,
      events,
      noBuckets,
    );
  };

  const roundOf = async (clock: ScheduleClock) => {
    await clock.doRound();
    await clock.idle();
  };

  /** Adds a schedule with a run each minute, whose first planned time was some minutes ago. */
  async function everyMinute(
    minutesAgo: number,
    more: Partial<Omit<Schedule, 'source'>> = {},
  ): Promise<Schedule> {
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

  it('starts runs of schedules without the key of the request that woke it', async () => {
    await everyMinute(1);
    const seen: unknown[] = [];
    const clock = clockOf(() => void seen.push(currentKey(), pendingAudit()));
    const audit = {
      actor: 'key_1',
      byToken: false,
      action: 'startRun',
      requestId: 'req_1',
      isWritten: false,
    };
    asTenant(tenantId, () => clock.wake(), 'key_1', audit);
    await until('the clock starts a run', () => seen.length > 0);
    await clock.onModuleDestroy();
    expect(new Set(seen)).toEqual(new Set([null]));
  });

  const firingsOf = (scheduleId: string) =>
    db.scheduleFiring.findMany({ where: { scheduleId }, orderBy: { plannedAt: 'asc' } });

  type Fault = 'none' | 'before' | 'after';

  /** Returns an arbitrary with an endless series of faults for each kind of call. */
  const faultsOf = (...calls: string[]) => {
    const fault = fc.constantFrom<Fault>('none', 'none', 'before', 'after');
    return fc.record(Object.fromEntries(calls.map((name) => [name, fc.infiniteStream(fault)])));
  };

  /** Returns a function that does a call with its next fault, if it has some, and a repository whose calls fail by it. */
  function failingBy(faults: Record<string, Iterator<Fault>>, onFault: () => void) {
    const failing = async <T>(name: string, work: () => Promise<T>): Promise<T> => {
      const kind = faults[name]?.next().value ?? 'none';
      if (kind !== 'none') onFault();
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
    return { failing, unsafe };
  }

  /** Also after an example that failed, so that smaller ones fail only by themselves. */
  const leaveNothing = async () => void (await db.schedule.deleteMany());

  it('starts each planned time once, whichever statements fail on two gateways', async () => {
    const faults = faultsOf('plan', 'claimFirings', 'settle', 'start');
    let injected = 0;
    await fc.assert(
      fc
        .asyncProperty(
          faults,
          fc.array(fc.integer({ min: 1, max: 25 }), { minLength: 1, maxLength: 3 }),
          async (given, ages) => {
            const started = new Map<string, number>();
            const { failing, unsafe } = failingBy(given, () => (injected += 1));
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
          },
        )
        .afterEach(leaveNothing),
      { numRuns: atDepth({ quick: 5, full: 40 }) },
    );
    expect(injected).toBeGreaterThan(atDepth({ quick: 50, full: 500 }));
  });

  it('is idle only when the look for the next runs has ended, too', async () => {
    const firing = (name: string) =>
      ({
        ...{
          scheduleId: name,
          plannedAt: new Date(0),
          key: '',
          isManual: false,
          tenantId,
          name,
          overlap: 'skip',
        },
        start: { run: { session_id: name, kind: 'document' } },
      }) as unknown as ClaimedFiring;
    let endSecondRun!: () => void;
    const secondRun = new Promise<void>((resolve) => (endSecondRun = resolve));
    let endLastLook!: (found: ClaimedFiring[]) => void;
    const lastLook = new Promise<ClaimedFiring[]>((resolve) => (endLastLook = resolve));
    const looks = [[firing('a'), firing('b')], [firing('c')], lastLook];
    const repository = Object.assign(Object.create(schedules) as ScheduleRepository, {
      hasWork: () => Promise.resolve(true),
      claimFirings: () => Promise.resolve(looks.shift() ?? []),
      settle: ({ name }: ClaimedFiring) => (name === 'b' ? secondRun : Promise.resolve()),
    });
    const clock = clockOf(() => undefined, repository);
    await clock.doRound();
    let isIdle = false;
    const idle = clock.idle().then(() => (isIdle = true));
    await until('the last look', () => looks.length === 0);
    endSecondRun();
    for (let turn = 0; turn < 10; turn++) await nextTurn();
    expect(isIdle).toBe(false);
    endLastLook([]);
    await idle;
  });

  /** Adds a trigger. */
  async function triggerOf(source: object, start: object, overlap = 'queue'): Promise<Schedule> {
    const fixed = { id: newId('sch'), name: 'trigger', timeZone: 'UTC', missed: 'once' };
    return (await schedules.create(tenantId, { ...fixed, source, start, overlap }))!;
  }

  it('starts each event once, however often it is reported, whichever statements fail on two gateways', async () => {
    const faults = faultsOf('addEvent', 'claimFirings', 'settle', 'start');
    let injected = 0;
    await fc.assert(
      fc
        .asyncProperty(
          faults,
          fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 3 }),
          async (given, counts) => {
            const started = new Map<string, unknown>();
            const { failing, unsafe } = failingBy(given, () => (injected += 1));
            const isActive = new Map<string, number>();
            const record: Start = (_tenant, request, id) => {
              // A session may have another run at first.
              isActive.set(id, (isActive.get(id) ?? 0) + 1);
              if (isActive.get(id) === 1) throw new ProblemError('run_active', 'a run is active');
              started.set(id, (request as { parameters: Record<string, unknown> }).parameters['n']);
            };
            const start = ((...args: Parameters<Start>) =>
              failing('start', () => Promise.resolve().then(() => record(...args)))) as unknown as Start;
            const plan = { saved_plan_id: 'pln_1', event_parameters: { n: '/body/n' } };
            const made = await Promise.all(
              counts.map(() => triggerOf({ webhook: {} }, { saved_plan: plan })),
            );
            const events = made.flatMap((trigger, at) =>
              Array.from({ length: counts[at]! }, (_, n) => ({ trigger, n, isAccepted: false })),
            );
            for (let round = 0; round < 10; round++) {
              // Senders repeat an event until it is accepted, and some repeat it afterwards.
              const report = async (event: (typeof events)[number]) => {
                if (event.isAccepted && event.n % 3 !== 0) return;
                const { trigger, n } = event;
                await failing('addEvent', () =>
                  schedules.addEvent(trigger, `msg_${n}`, { id: n, body: `{"n":${n}}` }),
                );
                event.isAccepted = true;
              };
              const clocks = [clockOf(start, unsafe), clockOf(start, unsafe)];
              await Promise.allSettled([...events.map(report), ...clocks.map(roundOf)]);
              await db.scheduleFiring.updateMany({
                where: { status: 'due' },
                data: { claimedUntil: new Date(0) },
              });
            }
            for (const { trigger, n } of events)
              await schedules.addEvent(trigger, `msg_${n}`, { id: n, body: `{"n":${n}}` });
            for (;;) {
              await roundOf(clockOf(record));
              const { count } = await db.scheduleFiring.updateMany({
                where: { status: 'due' },
                data: { claimedUntil: new Date(0) },
              });
              if (count === 0) break;
            }
            const all = await db.scheduleFiring.findMany({ where: { tenantId } });
            expect(all).toHaveLength(events.length);
            expect(all.every(({ status }) => status === 'started')).toBe(true);
            expect(new Set(all.map(({ startedRunId }) => startedRunId))).toEqual(new Set(started.keys()));
            expect(started.size).toBe(events.length);
            expect([...started.values()].sort()).toEqual(events.map(({ n }) => n).sort());
          },
        )
        .afterEach(leaveNothing),
      { numRuns: atDepth({ quick: 4, full: 40 }) },
    );
    expect(injected).toBeGreaterThan(atDepth({ quick: 50, full: 500 }));
  });

  it('tries an event that meets an active run again after seconds, with its body', async () => {
    const trigger = await triggerOf({ webhook: {} }, { saved_plan: { saved_plan_id: 'pln_1' } });
    await schedules.addEvent(trigger, 'msg_1', { id: 'msg_1', body: '{}' });
    await roundOf(
      clockOf(() => {
        throw new ProblemError('run_active', 'a run is active');
      }),
    );
    const [firing] = await firingsOf(trigger.id);
    expect(firing).toMatchObject({ status: 'due', event: { body: '{}' }, problem: null });
    const waitMs = firing!.claimedUntil!.getTime() - (await schedules.now()).getTime();
    expect([waitMs > 0, waitMs <= 5_000]).toEqual([true, true]);
  });

  it('refuses a sync that new sources of its collection would start again, by one trigger or several', async () => {
    const settings = { TOKEN_SECRET: 'a secret of at least thirty-two characters' };
    const nothing = { wake: () => undefined };
    const service = new SchedulesService(
      ...([schedules, {}, {}, noSync, nothing, {}, {}, settings] as unknown as ConstructorParameters<
        typeof SchedulesService
      >),
    );
    const add = (from: string, to: string) =>
      service.create(
        tenantId,
        newScheduleSchema.parse({
          ...{ name: 'pages', on: { new_file: { collection_id: from } } },
          sync: { collection_id: to },
        }),
        () => Promise.resolve(),
      );
    await add('col_a', 'col_b');
    await add('col_b', 'col_c');
    const circle = { code: 'invalid_request', errors: [{ path: 'sync.collection_id' }] };
    await expect(add('col_c', 'col_a')).rejects.toMatchObject(circle);
    await expect(add('col_b', 'col_a')).rejects.toMatchObject(circle);
    await expect(add('col_d', 'col_d')).rejects.toMatchObject(circle);
    await add('col_a', 'col_c');
    await add('col_d', 'col_a');
    expect(await schedules.list(tenantId)).toHaveLength(4);
    const both = await Promise.allSettled([add('col_e', 'col_f'), add('col_f', 'col_e')]);
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });

  it('gives a plan values of the event, and its body as an input file of the run’s session', async () => {
    const event_parameters = {
      file: '/file',
      city: '/body/a~1b/0',
      all: '/body',
      id: '/id',
      none: '/body/x',
    };
    const plan = { saved_plan_id: 'pln_1', parameters: { none: 'default' }, event_parameters };
    const trigger = await triggerOf({ webhook: {} }, { saved_plan: plan });
    const text = '{ "a/b": ["Kraków"], "n": [1.0], "id": 9007199254740993 }';
    await schedules.addEvent(trigger, 'msg_1', { id: 'msg_1', body: text });
    const requests: [object, string][] = [];
    await roundOf(clockOf((_tenant, request, id) => void requests.push([request, id])));
    const [[request, run] = [{}, '']] = requests;
    const all = '{"a/b":["Kraków"],"n":[1],"id":9007199254740992}';
    const parameters = { file: `${run}.json`, city: 'Kraków', all, id: 'msg_1', none: 'default' };
    expect(request).toMatchObject({
      planId: 'pln_1',
      parameters,
      session_id: expect.stringMatching(/^ses_/),
    });
    expect(request).not.toHaveProperty('event_parameters');
    expect(uploads).toEqual([`${(request as { session_id: string }).session_id}/${run}.json ${text}`]);
    expect(await firingsOf(trigger.id)).toMatchObject([{ status: 'started', event: { id: 'msg_1' } }]);
    expect((await firingsOf(trigger.id))[0]!.event).not.toHaveProperty('body');
  });

  it('says which parameters have no fitting value', async () => {
    const plan = { saved_plan_id: 'pln_1', event_parameters: { city: '/body/city' } };
    const trigger = await triggerOf({ webhook: {} }, { saved_plan: plan });
    await schedules.addEvent(trigger, 'msg_1', { body: '{"city":""}' });
    await roundOf(clockOf(() => undefined));
    const [firing] = await firingsOf(trigger.id);
    expect(firing).toMatchObject({ status: 'failed', problem: { code: 'invalid_request' } });
    expect(JSON.stringify(firing!.problem)).toContain('city');
  });

  it('fires once for a new input of a session, by hash and name, and not while it is paused', async () => {
    const session = await new SessionRepository(db).create(tenantId, 'inbox');
    const trigger = await triggerOf(
      { new_file: { session_id: session.id } },
      { run: { session_id: session.id } },
    );
    const file = { tenantId, sessionId: session.id, folder: 'inputs', size: 1, mediaType: 'text/csv' };
    const add = (name: string, sha256: string, more: object = {}) =>
      db.sessionFile.create({ data: { ...file, id: newId('fil'), name, objectKey: name, sha256, ...more } });
    await add('a.csv', 'one');
    await add('a.csv', 'one', { folder: 'assets' });
    await db.sessionFile.updateMany({ where: { name: 'a.csv', folder: 'inputs' }, data: { sha256: 'two' } });
    await db.sessionFile.deleteMany({ where: { name: 'a.csv' } });
    await add('a.csv', 'one');
    await schedules.change(tenantId, trigger.id, { pausedAt: new Date() });
    await add('b.csv', 'three');
    expect(await firingsOf(trigger.id)).toMatchObject([
      { status: 'due', event: { name: 'a.csv', file: 'a.csv', sha256: 'one', session_id: session.id } },
      { status: 'due', event: { name: 'a.csv', sha256: 'two' } },
    ]);
  });

  it('fires for a source of a collection when it is indexed, and not when it is indexed again', async () => {
    const collectionId = newId('col');
    const collection = { id: collectionId, tenantId, name: 'inbox', purpose: 'knowledge' };
    await db.knowledgeCollection.create({ data: collection });
    const file = { tenantId, collectionId, size: 1, mediaType: 'text/csv' };
    const add = (name: string) =>
      db.knowledgeSource.create({ data: { ...file, id: newId('src'), name, objectKey: name, sha256: name } });
    const old = await add('old.csv');
    const trigger = await triggerOf(
      { new_file: { collection_id: collectionId } },
      { saved_plan: { saved_plan_id: 'pln_1' } },
    );
    const [good, bad] = [await add('good.csv'), await add('bad.csv')];
    const become = (id: string, state: string, problem?: string) =>
      db.knowledgeSource.update({ where: { id }, data: { state, problem: problem ?? null } });
    expect(await firingsOf(trigger.id)).toMatchObject([{ status: 'waiting' }, { status: 'waiting' }]);
    await become(old.id, 'ready');
    await become(good.id, 'ready');
    await become(bad.id, 'failed', 'It is encrypted.');
    await become(good.id, 'queued');
    await become(good.id, 'ready');
    expect(await firingsOf(trigger.id)).toMatchObject([
      { status: 'due', event: { name: 'good.csv', id: good.id, collection_id: collectionId } },
      { status: 'failed', problem: { code: 'source_unreadable', message: 'It is encrypted.' } },
    ]);
    await roundOf(clockOf(() => undefined));
    await become(bad.id, 'queued');
    await become(bad.id, 'ready');
    await become(good.id, 'queued');
    await become(good.id, 'ready');
    expect(await firingsOf(trigger.id)).toMatchObject([
      { status: 'started' },
      { status: 'due', problem: null, event: { name: 'bad.csv' } },
    ]);
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
      ...{ find: noSync.find, require: noSync.require },
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
    parts.length = 0;
    const trigger = await triggerOf({ new_file: { collection_id: 'col_2' } }, start);
    await schedules.addEvent(trigger, 'file', { id: 'src_1', collection_id: 'col_2' });
    await roundOf(clockOf(() => undefined, schedules, syncs));
    expect(parts[0]).toEqual(['col_1', null]);
  });

  it('plans no further time of a sync while one waits, and accepts no more than 1,000 firings', async () => {
    const start = { sync: { collection_id: 'col_1', urls: [] } };
    const { id } = await everyMinute(3, { start });
    const slow = clockOf(() => undefined);
    await roundOf(slow);
    const firing = (await firingsOf(id)).at(-1);
    await db.schedule.update({ where: { id }, data: { nextAt: firing!.plannedAt } });
    await roundOf(slow);
    const passedOver = { status: 'skipped', problem: { code: 'run_active' } };
    expect(await firingsOf(id)).toMatchObject([passedOver, passedOver, passedOver, { status: 'due' }]);
    const data = Array.from({ length: 999 }, (_, at) => ({
      ...{
        tenantId,
        scheduleId: id,
        isManual: true,
        plannedAt: new Date(firing!.plannedAt.getTime() - at - 1),
      },
    }));
    const settings = { TOKEN_SECRET: 'a secret of at least thirty-two characters' };
    const service = new SchedulesService(
      ...([
        schedules,
        {},
        {},
        noSync,
        { wake: () => undefined },
        {},
        {},
        settings,
      ] as unknown as ConstructorParameters<typeof SchedulesService>),
    );
    const fire = () => service.fire(tenantId, id, () => Promise.resolve());
    await db.scheduleFiring.createMany({ data: data.slice(1) });
    expect(await fire()).toMatchObject({ status: 'due' });
    await expect(fire()).rejects.toMatchObject({ code: 'too_many_requests' });
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

  it('holds the events of a paused trigger, which delay nothing that a person asks for, until it is resumed', async () => {
    const trigger = await triggerOf({ webhook: {} }, { run: { session_id: 'ses_1', kind: 'document' } });
    await schedules.addEvent(trigger, 'msg_1', { id: 'msg_1' });
    await schedules.change(tenantId, trigger.id, { pausedAt: new Date() });
    await schedules.addManual(tenantId, trigger.id, () => Promise.resolve());
    const clock = clockOf(() => undefined);
    await roundOf(clock);
    expect(await firingsOf(trigger.id)).toMatchObject([
      { status: 'due', claimedUntil: null },
      { isManual: true, status: 'started' },
    ]);
    await schedules.change(tenantId, trigger.id, { pausedAt: null });
    await roundOf(clock);
    expect(await firingsOf(trigger.id)).toMatchObject([{ status: 'started' }, { status: 'started' }]);
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
