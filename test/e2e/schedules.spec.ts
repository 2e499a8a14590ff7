import { newId } from '#contracts/ids.js';
import { createDatabase } from '#db/client.js';
import { MAX_SCHEDULES } from '#db/repositories/schedules.js';
import type { ApiClient } from '#testing/api-client.js';
import { sharedStack, type SharedStack } from '#testing/shared-stack.js';
import { until } from '#testing/until.js';

describe('schedules', () => {
  let stack: SharedStack;
  let tenant: ApiClient;

  beforeAll(async () => {
    stack = await sharedStack();
    tenant = await stack.tenant();
  });

  const create = async (more: object = {}) => {
    const session_id = await tenant.sessionWith({ 'notes.md': '# Notes\n\nThe lamp was lit.\n' });
    const body = {
      name: 'Nightly notes',
      start: { session_id },
      cron: '0 3 * * *',
      time_zone: 'Europe/Warsaw',
      ...more,
    };
    return tenant.post('/api/schedules', body);
  };
  const firings = async (id: unknown) =>
    (await tenant.get(`/api/schedules/${String(id)}`)).json.firings as Record<string, unknown>[];

  it('start a document at once if a person asks, and show its run', async () => {
    const { status, json: schedule } = await create();
    expect(status).toBe(201);
    expect(schedule).toMatchObject({
      name: 'Nightly notes',
      overlap: 'skip',
      missed: 'once',
      paused_at: null,
    });
    const fired = await tenant.post(`/api/schedules/${String(schedule.id)}/fire`);
    expect([fired.status, fired.json.is_manual]).toEqual([202, true]);
    const [firing] = await until(
      'the run is started',
      () => firings(schedule.id),
      ([first]) => first!.status === 'started',
    );
    const run = await tenant.completed(String(firing!.run_id));
    expect(run.progress.details['coverage']).toBe(1);
  });

  it('show the next ten planned times, before and after they are created', async () => {
    const timing = { cron: '30 2 * * *', time_zone: 'Europe/Warsaw' };
    const { json } = await tenant.post('/api/schedules/preview', timing);
    expect(json.times).toHaveLength(10);
    const { json: made } = await create(timing);
    const shown = (await tenant.get(`/api/schedules/${String(made.id)}`)).json;
    expect(shown.next_times).toEqual(json.times);
    expect(made.next_at).toBe((json.times as string[])[0]);
  });

  it('are paused, renamed, resumed and deleted', async () => {
    const { json } = await create({ cron: undefined, every_seconds: 3_600 });
    const path = `/api/schedules/${String(json.id)}`;
    const paused = await tenant.request('PATCH', path, { is_paused: true, name: 'Hourly' });
    expect(paused.json).toMatchObject({ name: 'Hourly', next_at: null, paused_at: expect.any(String) });
    expect((await tenant.get(path)).json.next_times).toEqual([]);
    const resumed = await tenant.request('PATCH', path, { is_paused: false });
    expect(resumed.json).toMatchObject({ next_at: expect.any(String), paused_at: null });
    expect((await tenant.request('DELETE', path)).status).toBe(204);
    expect((await tenant.get(path)).json.code).toBe('not_found');
  });

  it.each([
    [{ cron: '61 * * * *' }, 'cron'],
    [{ cron: '* * * * * *' }, 'cron'],
    [{ time_zone: 'Mars/Base' }, 'time_zone'],
    [{ every_seconds: 60 }, 'cron'],
    [{ saved_plan: { saved_plan_id: 'pln_0' } }, 'start'],
    [{ cron: '0 0 30 2 *' }, 'cron'],
    [{ until: '2020-01-01T00:00:00Z' }, 'cron'],
  ])('are refused with %j', async (more, path) => {
    const { status, json } = await create(more);
    expect([status, json.code]).toEqual([422, 'invalid_request']);
    expect(JSON.stringify(json.errors)).toContain(`"path":"${path}"`);
  });

  it('start a saved plan with its parameters', async () => {
    const body = { name: 'List files', template: 'list_files' };
    const { json: plan } = await tenant.post('/api/saved-plans', body);
    const session_id = await tenant.sessionWith({ 'a.csv': 'a,b\n1,2\n' });
    const saved_plan = { saved_plan_id: plan.id, session_id };
    const { json: schedule } = await create({ start: undefined, saved_plan });
    expect(schedule).toMatchObject({ start: null, saved_plan });
    await tenant.post(`/api/schedules/${String(schedule.id)}/fire`);
    const [firing] = await until(
      'the plan is started',
      () => firings(schedule.id),
      ([first]) => first!.status !== 'due',
    );
    expect(firing).toMatchObject({ status: 'started', problem: null });
    await tenant.completed(String(firing!.run_id));
  });

  it('are limited in number', async () => {
    const busy = await stack.tenant('tenant with all schedules');
    const db = createDatabase(stack.database.url, 1);
    const { id: tenantId } = await db.tenant.findFirstOrThrow({
      where: { name: 'tenant with all schedules' },
    });
    const row = { tenantId, name: 'x', start: {}, timeZone: 'UTC', overlap: 'skip', missed: 'once' };
    await db.schedule.createMany({
      data: Array.from({ length: MAX_SCHEDULES }, () => ({ ...row, id: newId('sch') })),
    });
    await db.$disconnect();
    const session_id = await busy.sessionWith({ 'a.md': '# A\n' });
    const { status, json } = await busy.post('/api/schedules', {
      name: 'One more',
      start: { session_id },
      every_seconds: 60,
    });
    expect([status, json.code]).toEqual([409, 'too_many_schedules']);
  });

  it('are refused for a session that does not exist', async () => {
    const { json } = await create({ start: { session_id: 'ses_none' } });
    expect(json.code).toBe('not_found');
  });
});
