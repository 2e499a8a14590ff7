import { MAX_CHAPTERS } from '#book/contract/profile.js';
import { createDatabase } from '#db/client.js';
import type { ApiClient } from '#testing/api-client.js';
import { sharedStack, type SharedStack } from '#testing/shared-stack.js';
import { until } from '#testing/until.js';

type Json = Record<string, unknown>;

const CONCEPT = { profile: { title: 'Salt and Light', genre: 'History', subtitle: 'A coast' } };
const TEXT = '## One\n\nAda Finch lit the lamp in 1871.\n\nIt burned 12 litres.\n\nThe end.\n';

describe('books over the REST API', () => {
  let stack: SharedStack;
  let client: ApiClient;

  beforeAll(async () => {
    stack = await sharedStack();
    client = await stack.tenant();
  });

  const project = async (body: Json = { title: 'Salt and Light' }) => {
    const { status, json, text } = await client.post('/api/books/projects/', body);
    if (status !== 201) throw new Error(text);
    return json as Json & { id: string };
  };
  const chapter = async (projectId: string, body: Json) => {
    const { status, json, text } = await client.post(`/api/books/projects/${projectId}/chapters/`, body);
    if (status !== 201) throw new Error(text);
    return json as Json & { id: string; etag: string; version: number };
  };
  const edit = (id: string, content: string, etag?: string) =>
    client.request('PATCH', `/api/books/chapters/${id}`, { content }, etag ? { 'if-match': etag } : {});

  it('B2 stores the concept and the mirrors separately from the data of runs, and accepts the mirrors of older clients', async () => {
    const { id } = await project({
      metadata_json: { user_concept: CONCEPT, llm_runtime: { synopsis: 'mine' } },
    });
    const { json } = await client.get(`/api/books/projects/${id}/`);
    expect(json.metadata_json).toEqual({
      user_concept: CONCEPT,
      llm_runtime: {},
      profile: CONCEPT.profile,
      subtitle: 'A coast',
      instruction_brief: null,
    });
    const mirrors = { profile: { genre: 'Essay' }, instruction_brief: 'Keep it short.' };
    const changed = await client.request('PATCH', `/api/books/projects/${id}`, { metadata_json: mirrors });
    expect((changed.json.metadata_json as Json).user_concept).toEqual({
      profile: { ...CONCEPT.profile, genre: 'Essay', instruction_brief: 'Keep it short.' },
    });
    // The zone takes precedence over the mirrors.
    const both = { user_concept: CONCEPT, profile: { genre: 'Novel', tone: 'dry' } };
    const zone = await client.request('PATCH', `/api/books/projects/${id}`, { metadata_json: both });
    expect((zone.json.metadata_json as Json).user_concept).toEqual({
      profile: { ...CONCEPT.profile, tone: 'dry' },
    });
  });

  it('B21 rejects another chapter at the limit of chapters', async () => {
    const { id } = await project();
    await chapter(id, { title: 'First' });
    const db = createDatabase(stack.database.url, 1);
    await db.$executeRaw`
      INSERT INTO book_chapters (id, tenant_id, project_id, number, title, status, outline)
      SELECT 'cha_more' || n, tenant_id, project_id, n, 'More', 'planned', outline
      FROM book_chapters, generate_series(2, ${MAX_CHAPTERS}::int) AS n WHERE project_id = ${id}`;
    await db.$disconnect();
    for (const [path, body] of [
      [`/api/books/projects/${id}/chapters`, { title: 'Last' }],
      ['/api/books/chapters', { project_id: id, title: 'Last' }],
    ] as const) {
      const { status, json } = await client.post(path, body);
      expect([status, json.code]).toEqual([409, 'too_many_chapters']);
    }
  });

  it('X8 compares very different versions during other requests, or reports that they differ too much', async () => {
    const { id } = await project({});
    const lines = Array.from({ length: 4_000 }, (_, n) => `X${n.toString(36)}.`);
    const made = await chapter(id, { number: 1, title: 'One', content: lines.join('\n\n') });
    const edited = await edit(made.id, lines.reverse().join('\n\n'), made.etag);
    expect(edited.status).toBe(200);
    const compared = client.get(`/api/books/chapters/${made.id}/changes?from=1&to=2`);
    const first = await Promise.race([
      compared.then(() => 'compared'),
      client.get('/api/health/').then(() => 'health'),
    ]);
    expect(first).toBe('health');
    const { status, json } = await compared;
    expect([200, 422]).toContain(status);
    if (status === 422) expect(json.code).toBe('diff_too_large');
  });

  it('B17 the assistant applies the profile only if it is final and complete', async () => {
    const { id } = await project({});
    const send = (content: string, profile: Json) =>
      client.post(`/api/books/projects/${id}/profile-assistant/`, {
        messages: [{ role: 'user', content }],
        profile,
      });
    const profile = {
      title: 'Untitled',
      genre: 'History',
      target_audience: 'Students',
      tone: 'Plain',
      language: 'en',
      chapter_length: 'short',
      chapter_count: 5,
    };
    const { status: unread, json: problem } = await send('It is called Salt and Light.', {});
    expect([unread, problem.code]).toEqual([409, 'needs_model']);
    expect(problem.alternatives).toEqual(Object.keys(profile));
    expect((await send('finalize', profile)).json).toMatchObject({
      is_finalized: false,
      next_field: 'title',
    });
    expect((await client.get(`/api/books/projects/${id}`)).json.title).toBe('Untitled book');
    const named = { ...profile, title: 'Salt and Light' };
    expect((await send('finalize', named)).json).toMatchObject({ is_finalized: true, missing_required: [] });
    const { json } = await client.get(`/api/books/projects/${id}`);
    expect(json).toMatchObject({ title: 'Salt and Light', metadata_json: { profile: { chapter_count: 5 } } });
    const { status, json: refused } = await client.post('/api/books/projects', { title: 'untitled' });
    expect([status, refused.code]).toEqual([422, 'invalid_request']);
  });

  it('B20 chapters keep their IDs if the outline changes, and their numbers are positions', async () => {
    const { id } = await project();
    const outline = (...titles: string[]) => ({
      outline_json: { chapters: titles.map((title) => ({ title })) },
    });
    const change = async (...titles: string[]) => {
      const { json } = await client.request('PATCH', `/api/books/projects/${id}`, outline(...titles));
      return (json.outline_json as { chapters: { id: string; title: string; number: number }[] }).chapters;
    };
    const [one, two, three] = await change('One', 'Two', 'Three');
    await edit(two!.id, TEXT, (await client.get(`/api/books/chapters/${two!.id}`)).headers.get('etag')!);
    const after = await change('Three', 'New', 'One');
    expect(after.map(({ title, number }) => [number, title])).toEqual([
      [1, 'Three'],
      [2, 'New'],
      [3, 'One'],
      [4, 'Two'],
    ]);
    expect([after[0]!.id, after[2]!.id, after[3]!.id]).toEqual([three!.id, one!.id, two!.id]);
    await client.request('PATCH', `/api/books/chapters/${two!.id}`, { number: 1 });
    await client.request('DELETE', `/api/books/chapters/${one!.id}`);
    const { json } = await client.get(`/api/books/projects/${id}/chapters/?limit=2`);
    const next = await client.get(`/api/books/chapters/?project_id=${id}&cursor=${String(json.next_cursor)}`);
    const titles = [json, next.json].flatMap(({ items }) =>
      (items as Json[]).map(({ title, number }) => [number, title]),
    );
    expect(titles).toEqual([
      [1, 'Two'],
      [2, 'Three'],
      [3, 'New'],
    ]);
  });

  it('B21 two editors of a chapter never overwrite each other unnoticed', async () => {
    const { id: projectId } = await project();
    const { id, etag } = await chapter(projectId, { title: 'One', content: TEXT });
    expect((await edit(id, 'Mine.')).json.code).toBe('precondition_required');
    const [a, b] = await Promise.all([edit(id, 'Mine.\n', etag), edit(id, 'Yours.\n', etag)]);
    expect([a.status, b.status].sort()).toEqual([200, 412]);
    expect([a, b].find(({ status }) => status === 412)!.json.code).toBe('changed_meanwhile');
    const { json } = await client.get(`/api/books/chapters/${id}`);
    expect(json).toMatchObject({ version: 2, content: a.status === 200 ? 'Mine.\n' : 'Yours.\n' });
    const planned = await chapter(projectId, { title: 'Two' });
    const accept = await client.request('PATCH', `/api/books/chapters/${planned.id}`, { status: 'accepted' });
    expect([accept.status, accept.json.code]).toEqual([409, 'chapter_empty']);
  });

  it('B20 every version of a text is kept, and an older one can be restored', async () => {
    const { id: projectId } = await project();
    const { id, etag } = await chapter(projectId, { title: 'One', content: TEXT });
    await edit(id, 'Second.\n', etag);
    const { json } = await client.post(`/api/books/chapters/${id}/restore`, { version: 1 });
    expect(json).toMatchObject({ version: 3, content: TEXT, vector_indexed: false });
    const { json: list } = await client.get(`/api/books/chapters/${id}/versions`);
    expect((list.items as Json[]).map(({ number, origin }) => [number, origin])).toEqual([
      [3, 'restore'],
      [2, 'person'],
      [1, 'person'],
    ]);
    expect((await client.get(`/api/books/chapters/${id}/versions/2`)).json.content).toBe('Second.\n');
    expect((await client.get(`/api/books/chapters/${id}/versions/9`)).status).toBe(404);
  });

  it('B20 a chapter that a person writes, edits or restores has the summary of its text', async () => {
    const { id: projectId } = await project();
    const { id, etag, summary } = await chapter(projectId, { title: 'One', content: TEXT });
    expect(summary).toBe('Ada Finch lit the lamp in 1871.');
    const edited = await edit(id, TEXT.replace('Ada Finch', 'Berta Hall'), etag);
    expect(edited.json.summary).toBe('Berta Hall lit the lamp in 1871.');
    const { json: restored } = await client.post(`/api/books/chapters/${id}/restore`, { version: 1 });
    expect(restored.summary).toBe('Ada Finch lit the lamp in 1871.');
    const { json: compared } = await client.get(`/api/books/chapters/${id}/changes?from=2`);
    const decisions = (compared.changes as Json[]).map((change) => ({
      change_id: change.id,
      accepted: false,
    }));
    const decided = await client.post(`/api/books/chapters/${id}/decisions`, { from: 2, to: 3, decisions });
    expect(decided.json.summary).toBe('Berta Hall lit the lamp in 1871.');
    const own = { title: 'Two', content: TEXT, summary: 'My own words.' };
    expect((await chapter(projectId, own)).summary).toBe('My own words.');
  });

  it('X8 paragraphs of a revision are accepted one by one; the others stay byte-identical', async () => {
    const { id: projectId } = await project();
    const { id, etag } = await chapter(projectId, { title: 'One', content: TEXT });
    await edit(id, TEXT.replace('12', '14').replace('The end.', 'It ends.'), etag);
    const { json } = await client.get(`/api/books/chapters/${id}/changes?from=1`);
    const [litres, end] = json.changes as { id: string; after: string }[];
    const decisions = [
      { change_id: litres!.id, accepted: false, reason: 'It was twelve.' },
      { change_id: end!.id, accepted: true },
    ];
    const body = { from: 1, to: 2, decisions };
    const decided = await client.post(`/api/books/chapters/${id}/decisions`, body);
    expect(decided.json).toMatchObject({ version: 3, content: TEXT.replace('The end.', 'It ends.') });
    const again = await client.post(`/api/books/chapters/${id}/decisions`, body);
    expect([again.status, again.json.code]).toEqual([412, 'changed_meanwhile']);
    const unknown = { ...body, decisions: [{ change_id: 'none', accepted: true }] };
    expect((await client.post(`/api/books/chapters/${id}/decisions`, unknown)).status).toBe(422);
  });

  it('B16 shows which later chapters rely on statements that a rewritten chapter dropped', async () => {
    const { id: projectId } = await project();
    const { id, etag } = await chapter(projectId, { title: 'One', content: TEXT });
    const later = await chapter(projectId, {
      title: 'Two',
      content: '## Two\n\nThen Ada Finch left for Stornoway.\n',
    });
    await chapter(projectId, { title: 'Three', content: '## Three\n\nNothing of it.\n' });
    const changed = await edit(id, TEXT.replace('Ada Finch', 'Berta Hall'), etag);
    expect((changed.json.facts as { text: string }[]).map(({ text }) => text)).toContain('Berta Hall');
    const { json } = await client.get(`/api/books/chapters/${id}/impact?from=1`);
    expect(json.affected).toMatchObject([{ chapter_id: later.id, relies_on: [{ text: 'Ada Finch' }] }]);
    expect((await client.get(`/api/books/chapters/${later.id}`)).json).toMatchObject({ version: 1 });
  });

  it('B14 B21 accepts files and notes as sources, and changes and deletes each by its ID', async () => {
    const { id } = await project();
    const form = new FormData();
    form.append('file', new Blob([TEXT]), 'lamp.md');
    form.append('file', new Blob(['Ada,1871\n']), 'people.csv');
    const path = `/api/books/projects/${id}/knowledge-upload/?priority=primary`;
    const uploaded = await client.post(path, form);
    expect(uploaded.status).toBe(201);
    const [lamp] = uploaded.json.items as (Json & { id: string })[];
    expect(lamp).toMatchObject({ project_id: id, title: 'lamp.md', source_type: 'note' });
    expect(lamp!.metadata_json).toMatchObject({
      source_priority_label: 'primary',
      source_priority_weight: 5,
    });
    const note = { project_id: id, title: 'Winds', content: 'They blow from the west.' };
    const { json: added, status } = await client.post('/api/books/sources/', note);
    expect(status).toBe(201);
    const listed = (await client.get(`/api/books/sources/?project_id=${id}`)).json.items as Json[];
    expect(listed.map(({ title }) => title).sort()).toEqual(['Winds', 'lamp.md', 'people.csv']);
    const one = `/api/books/sources/${String(added.id)}/`;
    const change = { title: 'West winds', priority: 'tone-only', content: 'They blow from the east.' };
    const changed = await client.request('PATCH', one, change);
    expect(changed.json).toMatchObject({ id: added.id, title: 'West winds' });
    expect((changed.json.metadata_json as Json).source_priority_weight).toBe(1);
    await until(
      'the source is ready',
      async () => (await client.get(one)).json.metadata_json as Json,
      ({ state }) => state === 'ready',
    );
    const collection = (await client.get(`/api/knowledge/collections?project=${id}`)).json.items as Json[];
    const search = { collections: collection.map((known) => known.id), query: 'east' };
    const { hits } = (await client.post('/api/knowledge/search', search)).json as { hits: Json[] };
    expect(hits[0]).toMatchObject({ text: 'They blow from the east.' });
    expect((await client.request('DELETE', one)).status).toBe(204);
    expect((await client.get(one)).status).toBe(404);
    const doc = new FormData();
    doc.append('file', new Blob(['old']), 'old.zip');
    const refused = await client.post(`/api/books/projects/${id}/knowledge-upload`, doc);
    expect([refused.status, refused.json.code]).toEqual([422, 'source_unreadable']);
  });

  it('B19 deletes a book with all that belongs to it', async () => {
    const { id, session_id: sessionId } = await project();
    const made = await chapter(id, { title: 'One', content: TEXT });
    await client.post('/api/books/sources', { project_id: id, title: 'Winds', content: 'West.' });
    const own = () => client.get(`/api/knowledge/collections?project=${id}`);
    expect((await own()).json.items).toHaveLength(1);
    expect((await client.request('DELETE', `/api/books/projects/${id}`)).status).toBe(204);
    for (const path of [`books/projects/${id}`, `books/chapters/${made.id}`, `sessions/${String(sessionId)}`])
      expect((await client.get(`/api/${path}`)).status).toBe(404);
    expect((await own()).json.items).toEqual([]);
  });
});
