import { readMarkedText } from '#office/review/marked-text.js';
import { ArticleDesk } from '#testing/article-desk.js';
import type { ApiClient } from '#testing/api-client.js';
import { cliEnv, runCli } from '#testing/cli.js';
import { sharedStack, type SharedStack } from '#testing/shared-stack.js';
import { tmpdir } from 'node:os';

interface Comment {
  id: string;
  quote: string;
  reply_to: string | null;
  author: string;
  resolved_at: string | null;
  text: string;
}

const WORDS = 'The lamp was lit at dusk.';

/** Issue 66: comments about texts, in threads. */
describe('comments', () => {
  let stack: SharedStack;
  let tenant: ApiClient;
  let session: string;
  let comments: string;

  beforeAll(async () => {
    stack = await sharedStack();
    tenant = await stack.tenant();
    session = await tenant.sessionWith({ 'notes.md': `# Notes\n\nFirst words.\n\n${WORDS} It burned.\n` });
    await tenant.completed((await tenant.startRun(session)).id);
    comments = `/api/sessions/${session}/comments`;
  });

  const add = async (body: object, client = tenant) => client.post(comments, body);
  const made = async (body: object) => (await add(body)).json as unknown as Comment;
  const resolve = (id: string, is_resolved: boolean) =>
    tenant.request('PATCH', `${comments}/${id}`, JSON.stringify({ is_resolved }), {
      'content-type': 'application/json',
    });

  it('have replies about the same words, and are resolved as a thread', async () => {
    const first = await made({ text: 'When?', quote: WORDS, start: 23 });
    expect(first).toMatchObject({ quote: WORDS, reply_to: null, resolved_at: null });
    const reply = await made({ text: 'On Monday.', reply_to: first.id });
    const again = await made({ text: 'Thanks.', reply_to: reply.id });
    expect([reply, again]).toMatchObject([
      { reply_to: first.id, quote: WORDS },
      { reply_to: first.id, quote: WORDS },
    ]);
    expect((await resolve(first.id, true)).json['resolved_at']).toEqual(expect.any(String));
    expect((await resolve(first.id, false)).json['resolved_at']).toBeNull();
    // A reply is resolved with its thread.
    expect((await resolve(reply.id, true)).status).toBe(404);
    const page = (await tenant.get(`${comments}?limit=2`)).json;
    expect(page.items).toMatchObject([{ id: again.id }, { id: reply.id }]);
    const next = await tenant.get(`${comments}?limit=2&cursor=${String(page['next_cursor'])}`);
    expect(next.json).toMatchObject({ items: [{ id: first.id }], next_cursor: null });
    expect((await tenant.request('DELETE', `${comments}/${first.id}`)).status).toBe(204);
    expect((await tenant.get(comments)).json.items).toEqual([]);
  });

  it('belong to chapters of the session’s book only', async () => {
    const project = (await tenant.post('/api/books/projects', { title: 'Lamps' })).json;
    const chapter = (
      await tenant.post(`/api/books/projects/${String(project.id)}/chapters`, { title: 'One' })
    ).json;
    const of = { of: 'chapter', chapter_id: chapter.id, text: 'Shorter.' };
    expect((await add(of)).status).toBe(404);
    expect((await add({ of: 'chapter', text: 'Shorter.' })).status).toBe(404);
    const ofBook = `/api/sessions/${String(project['session_id'])}/comments`;
    expect((await tenant.post(ofBook, of)).status).toBe(201);
    const found = await tenant.get(`${ofBook}?of=chapter&chapter_id=${String(chapter.id)}`);
    expect(found.json.items).toMatchObject([{ text: 'Shorter.', chapter_id: chapter.id }]);
    expect((await tenant.get(`${ofBook}?of=document`)).json.items).toEqual([]);
  });

  it('are one comment if a request is repeated with its key', async () => {
    const send = () =>
      tenant.request('POST', comments, JSON.stringify({ text: 'Once.' }), {
        'content-type': 'application/json',
        'idempotency-key': 'once',
      });
    const [one, two] = [await send(), await send()];
    expect(two.json.id).toBe(one.json.id);
    expect((await tenant.get(comments)).json.items).toHaveLength(1);
    await tenant.request('DELETE', `${comments}/${String(one.json.id)}`);
  });

  it('go into the Word file while they are open, at their words and with their replies', async () => {
    const first = await made({ text: 'When?', quote: WORDS, start: 23 });
    await made({ text: 'On Monday.', reply_to: first.id });
    const done = await made({ text: 'Resolved.', quote: 'First words.' });
    await resolve(done.id, true);
    const sent = await tenant.post(`/api/sessions/${session}/exports`, { proposals: 'tracked' });
    await tenant.completed(String(sent.json.id));
    const { comments: written, stretches } = readMarkedText(new Uint8Array(await tenant.docx(session)));
    expect(written.map(({ text, parent }) => [text, parent])).toEqual([
      ['When?', null],
      ['On Monday.', 0],
    ]);
    const text = stretches.map((stretch) => stretch.text).join('');
    expect(text.slice(written[0]!.start, written[0]!.end)).toBe(WORDS);
  });

  /** Exports a book or an article with its comments; returns each text with the words that Word shows it at. */
  const exportedComments = async (start: object) => {
    const inputs = { formats: ['docx'], proposals: 'tracked' };
    const { json } = await tenant.post('/api/agents/runs', { ...start, mode: 'export', inputs });
    await tenant.completed(String(json.id));
    const file = await tenant.docx(String(json['session_id']));
    const { comments: written, stretches } = readMarkedText(new Uint8Array(file));
    const text = stretches.map((stretch) => stretch.text).join('');
    return written.map(({ text: said, parent, start: from, end }) => ({
      ...{
        said,
        parent,
        at: text.slice(from, end),
        before: text.slice(0, from).trimEnd().split('\n').at(-1),
      },
    }));
  };

  it('go into the Word file of a book, at the words of their chapters', async () => {
    const book = (await tenant.post('/api/books/projects', { title: 'Lamps', language: 'en' })).json;
    const chapters: string[] = [];
    for (const content of ['The lamp was old.\n', 'The lamp was old.\n\nIt was an old lamp.\n']) {
      const title = `Part ${chapters.length + 1}`;
      const made = await tenant.post(`/api/books/projects/${String(book.id)}/chapters`, { title, content });
      chapters.push(String(made.json.id));
    }
    const say = async (chapter: number, body: object) => {
      const of = { of: 'chapter', chapter_id: chapters[chapter] };
      const added = await tenant.post(`/api/sessions/${String(book['session_id'])}/comments`, {
        ...of,
        ...body,
      });
      expect(added.status).toBe(201);
      return String(added.json.id);
    };
    await say(0, { text: 'First.', quote: 'The lamp' });
    const second = await say(1, { text: 'Second.', quote: 'lamp', start: 33 });
    await say(1, { text: 'Reply.', reply_to: second });
    await say(1, { text: 'All of it.' });
    expect(await exportedComments({ project_id: book.id })).toEqual([
      { said: 'First.', parent: null, at: 'The lamp', before: 'Part 1' },
      { said: 'Second.', parent: null, at: 'lamp', before: 'It was an old' },
      { said: 'Reply.', parent: 1, at: 'lamp', before: 'It was an old' },
      { said: 'All of it.', parent: null, at: '', before: 'Part 2' },
    ]);
  });

  it('go into the Word file of an article, at their words', async () => {
    const desk = new ArticleDesk(tenant);
    const user_text = '# On nets\n\nWe mended the nets.\n';
    const run = await desk.start('shadow', { user_text, rules: 'general' });
    await desk.answer(await desk.asked(run), { action: 'approve' });
    const { session_id } = await desk.ended(run);
    const ofArticle = `/api/sessions/${session_id}/comments`;
    const body = { of: 'article', text: 'Which?', quote: 'the nets' };
    expect((await tenant.post(ofArticle, body)).status).toBe(201);
    expect(await exportedComments({ session_id, kind: 'article' })).toEqual([
      { said: 'Which?', parent: null, at: 'the nets', before: 'We mended' },
    ]);
  });

  it('are listed, added and resolved on the command line', async () => {
    const cli = (...args: string[]) => runCli(['comment', ...args], { cwd: tmpdir(), env: cliEnv(tenant) });
    const added = await cli('add', session, 'Who?', '--quote', WORDS);
    const id = added.stdout.split('  ')[0]!;
    expect(added.stdout).toContain(`"${WORDS}"  Who?`);
    await cli('add', session, 'Ada.', '--reply-to', id);
    expect((await cli('resolve', session, id)).stdout).toContain('(resolved)');
    expect((await cli('list', session)).stdout).toMatch(new RegExp(`${id}.*Who\\?.*\\n {2}cmt_.*Ada\\.\\n`));
    expect((await cli('remove', session, id)).code).toBe(0);
    expect((await cli('list', session)).stdout).not.toContain(id);
  });
});
