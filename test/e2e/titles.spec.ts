import { sharedStack, type SharedStack } from '#testing/shared-stack.js';
import type { ApiClient } from '#testing/api-client.js';
import { until } from '#testing/until.js';

interface Titled {
  id: string;
  title: string | null;
  latest_run: { id: string; title: string; status: string } | null;
}

/** Sessions, runs and decisions are named for people, not by their IDs. */
describe('titles', () => {
  let stack: SharedStack;
  let tenant: ApiClient;

  beforeAll(async () => {
    stack = await sharedStack();
    tenant = await stack.tenant();
  });

  const write = async (text: string, title?: string) => {
    const session = String((await tenant.post('/api/sessions', title ? { title } : {})).json['id']);
    await tenant.upload(session, { 'note.md': text });
    const run = String((await tenant.post('/api/agents/runs', { session_id: session })).json['id']);
    await until(
      `the run ${run} ends`,
      () => tenant.run(run),
      ({ status }) => status === 'completed',
    );
    return { session, run };
  };
  const sessions = async (query: string) =>
    (await tenant.get(`/api/sessions?kind=document&${query}`)).json['items'] as Titled[];

  it('returns the first heading as title of a run whose session has none, and the latest run of a session', async () => {
    const { session, run } = await write('# The **old** [`nets`](https://nets.test)\n\nNets are mended.\n');
    expect((await tenant.run(run)) as unknown).toMatchObject({ title: 'The old nets' });
    expect(await sessions('title=OLD%20nets')).toEqual([
      expect.objectContaining({
        id: session,
        title: null,
        latest_run: expect.objectContaining({ id: run, title: 'The old nets', status: 'completed' }),
      }),
    ]);
    expect(await sessions('title=%25')).toEqual([]);
    const runs = (await tenant.get('/api/agents/runs?title=old')).json['items'] as Titled[];
    expect(runs.map(({ id }) => id)).toEqual([run]);
  });

  it('renames a session, whose title then counts instead of the heading', async () => {
    const { session, run } = await write('# Harbour\n\nBoats.\n', 'First');
    const renamed = await tenant.request('PATCH', `/api/sessions/${session}`, { title: 'Second' });
    expect(renamed.json).toMatchObject({ id: session, title: 'Second' });
    expect((await tenant.run(run)) as unknown).toMatchObject({ title: 'Second' });
    expect((await sessions('title=harbour')).length).toBe(0);
    await tenant.request('PATCH', `/api/sessions/${session}`, { title: null });
    expect((await sessions('title=harbour')).map(({ id }) => id)).toEqual([session]);
    expect((await tenant.request('PATCH', `/api/sessions/${session}`, { title: '' })).status).toBe(422);
  });

  it('finds books and collections by part of their names, and returns the latest run of a book', async () => {
    const { json: book } = await tenant.post('/api/books/projects', { title: 'Tides 100% explained' });
    const books = async (query: string) =>
      (await tenant.get(`/api/books/projects?${query}`)).json['items'] as Titled[];
    expect(await books('title=TIDES%20100%25')).toEqual([
      expect.objectContaining({ id: book['id'], latest_run: null }),
    ]);
    const body = { project_id: book['id'], mode: 'toc' };
    const { json: run } = await tenant.post('/api/agents/runs', body);
    expect((await books('title=tides'))[0]!.latest_run).toMatchObject({ id: run['id'], kind: 'book' });
    expect(await books('title=t_des')).toEqual([]);

    const { json: collection } = await tenant.post('/api/knowledge/collections', { name: 'Harbour papers' });
    const collections = async (query: string) =>
      (await tenant.get(`/api/knowledge/collections?${query}`)).json['items'] as Titled[];
    expect((await collections('title=PAPERS')).map(({ id }) => id)).toEqual([collection['id']]);
    expect(await collections('title=pap%25rs')).toEqual([]);
  });
});
