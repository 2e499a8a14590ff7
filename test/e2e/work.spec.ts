import { sharedStack } from '#testing/shared-stack.js';
import type { ApiClient } from '#testing/api-client.js';

interface Work {
  id: string;
  title: string | null;
  kind: string;
  project_id: string | null;
  project_status: string | null;
  latest_run: { id: string; kind: string; status: string } | null;
}

/** GET /api/work: documents, books, articles and plans with their newest state, not runs. */
describe('X22 works', () => {
  let tenant: ApiClient;
  let notes: { session: string; run: string };
  let nets: { session: string; run: string };

  const run = async (session: string, more: object = {}) => {
    const { json } = await tenant.post('/api/agents/runs', { session_id: session, ...more });
    await tenant.completed(String(json['id']));
    return String(json['id']);
  };
  const write = async (text: string) => {
    const session = String((await tenant.post('/api/sessions', {})).json['id']);
    await tenant.upload(session, { 'note.md': text });
    return { session, run: await run(session) };
  };
  const works = async (query = '') => (await tenant.get(`/api/work?${query}`)).json['items'] as Work[];

  beforeAll(async () => {
    tenant = await (await sharedStack()).tenant();
    notes = await write('# Notes\n\nBoats lie at anchor.\n');
    nets = await write('# Mended nets\n\nNets are mended.\n');
  });

  it('are one item per session with its newest run, of the newest change first', async () => {
    expect((await works()).map(({ id }) => id)).toEqual([nets.session, notes.session]);
    const again = await run(notes.session);
    expect(await works()).toEqual([
      expect.objectContaining({
        id: notes.session,
        title: 'Notes',
        kind: 'document',
        project_id: null,
        latest_run: expect.objectContaining({ id: again, status: 'completed' }),
      }),
      expect.objectContaining({ id: nets.session, title: 'Mended nets' }),
    ]);
  });

  it('leave out changes of a text, and suggestions of plans', async () => {
    const before = await works();
    const empty = String((await tenant.post('/api/sessions', {})).json['id']);
    await tenant.post('/api/agents/runs', {
      session_id: empty,
      kind: 'plan',
      mode: 'suggest',
      inputs: { intent: 'Sort' },
    });
    expect(await works()).toEqual(before);
  });

  it('include books that no run has worked on, with their stage', async () => {
    const { json: book } = await tenant.post('/api/books/projects', { title: 'Tides 100% explained' });
    expect((await works())[0]).toMatchObject({
      title: 'Tides 100% explained',
      kind: 'book',
      project_id: book['id'],
      project_status: 'draft',
      latest_run: null,
    });
    expect((await works('kind=book')).map(({ project_id }) => project_id)).toEqual([book['id']]);
    expect((await works('kind=document')).map(({ kind }) => kind)).toEqual(['document', 'document']);
    const toc = await tenant.post('/api/agents/runs', { project_id: book['id'], mode: 'toc' });
    await tenant.completed(String(toc.json['id']));
    expect(await works('kind=book')).toEqual([
      expect.objectContaining({
        project_id: book['id'],
        latest_run: expect.objectContaining({ id: toc.json['id'] }),
      }),
    ]);
  });

  it('are found by a part of their title, and read page by page without gaps', async () => {
    expect((await works('title=MENDED')).map(({ id }) => id)).toEqual([nets.session]);
    expect((await works('title=100%25')).map(({ kind }) => kind)).toEqual(['book']);
    expect(await works('title=m_nded')).toEqual([]);
    const all = (await works()).map(({ id }) => id);
    const paged: string[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const { json } = await tenant.get(`/api/work?limit=1${cursor === '' ? '' : `&cursor=${cursor}`}`);
      paged.push(...(json['items'] as Work[]).map(({ id }) => id));
      cursor = json['next_cursor'] as string | null;
    }
    expect(paged).toEqual(all);
  });

  it('are those of their tenant only', async () => {
    const stranger = await (await sharedStack()).tenant('stranger');
    expect((await stranger.get('/api/work')).json['items']).toEqual([]);
  });
});
