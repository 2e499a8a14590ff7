import type { ApiClient } from '#testing/api-client.js';
import { cliEnv, runCli } from '#testing/cli.js';
import { startPageServer, type PageServer } from '#testing/page-server.js';
import { sharedStack, type SharedStack } from '#testing/shared-stack.js';
import { until } from '#testing/until.js';
import { tmpdir } from 'node:os';

describe('syncs of collections', () => {
  let stack: SharedStack;
  let tenant: ApiClient;
  let web: PageServer;

  beforeAll(async () => {
    stack = await sharedStack('private');
    tenant = await stack.tenant();
    web = await startPageServer();
  });
  afterAll(() => web.stop());

  const newCollection = async (name = 'Pages') =>
    String((await tenant.post('/api/knowledge/collections', { name })).json.id);
  const done = async (scheduleId: string) =>
    (
      await until(
        'the sync is done',
        async () =>
          (await tenant.get(`/api/schedules/${scheduleId}`)).json.firings as Record<string, unknown>[],
        ([first]) => first!.status !== 'due',
      )
    )[0]!;
  const hits = async (collection: string, query: string) =>
    (await tenant.post('/api/knowledge/search', { collections: [collection], query })).json.hits as object[];

  it('add pages by URL, and find a changed page by its new words', async () => {
    const collection = await newCollection();
    web.pages['/lamp'] = { body: '<h1>Lamp</h1><p>The lamp was lit at dusk.' };
    const path = `/api/knowledge/collections/${collection}/sync`;
    const started = await tenant.post(path, { urls: [`${web.baseUrl}/lamp`] });
    expect([started.status, started.json]).toMatchObject([202, { status: 'due', result: null }]);
    const schedule = String(started.json.schedule_id);
    expect(await done(schedule)).toMatchObject({ status: 'done', run_id: null, result: { added: 1 } });
    await until(
      'the page is found',
      () => hits(collection, 'dusk'),
      (found) => found.length > 0,
    );
    web.pages['/lamp'] = { body: '<h1>Lamp</h1><p>The lantern broke at noon.' };
    expect((await tenant.post(path, {})).json.schedule_id).toBe(schedule);
    expect(await done(schedule)).toMatchObject({ status: 'done', result: { added: 0, changed: 1 } });
    await until(
      'the new words are found',
      () => hits(collection, 'lantern'),
      (found) => found.length > 0,
    );
    const shown = (await tenant.get(`/api/schedules/${schedule}`)).json;
    expect(shown).toMatchObject({ name: 'Pages', sync: { collection_id: collection }, next_at: null });
  });

  it('start at planned times, and from a terminal', async () => {
    const collection = await newCollection('Planned');
    const sync = { collection_id: collection };
    const made = await tenant.post('/api/schedules', { name: 'Nightly', sync, cron: '0 3 * * *' });
    expect([made.status, made.json]).toMatchObject([201, { start: null, saved_plan: null, sync }]);
    const refused = await tenant.post('/api/schedules', {
      name: 'x',
      sync,
      cron: '* * * * *',
      overlap: 'queue',
    });
    expect(refused.status).toBe(422);
    const cli = (...args: string[]) => runCli(args, { cwd: tmpdir(), env: cliEnv(tenant) });
    web.pages['/bell'] = { body: '<p>The bell rang.' };
    const begun = await cli('knowledge', 'sync', `${web.baseUrl}/bell`, '-c', 'Planned', '--json');
    expect([begun.code, begun.stderr]).toEqual([0, '']);
    const { schedule_id: id } = JSON.parse(begun.stdout) as { schedule_id: string };
    await done(id);
    const shown = await cli('schedule', 'show', id);
    expect(shown.stdout).toContain('only on request');
    expect(shown.stdout).toContain('1 added, 0 changed, 0 unchanged, 0 failed (of these 0 gone)');
    const added = await cli('schedule', 'add', 'Hourly', '--collection', collection, '--every', '1h');
    expect([added.code, added.stderr]).toEqual([0, '']);
  });

  it('are refused unless the operator allows fetching', async () => {
    const other = await (await sharedStack()).tenant();
    const { json } = await other.post('/api/knowledge/collections', { name: 'Pages' });
    const refused = await other.post(`/api/knowledge/collections/${String(json.id)}/sync`, {});
    expect([refused.status, refused.json.code]).toEqual([422, 'fetching_off']);
  });
});
