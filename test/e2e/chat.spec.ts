import type { ApiClient } from '#testing/api-client.js';
import { ArticleDesk } from '#testing/article-desk.js';
import { chat, type ChatAnswer } from '#testing/chat-client.js';
import { sharedStack, type SharedStack } from '#testing/shared-stack.js';

const SOURCE =
  '# Nets\n\nNets are mended in winter. Each net has 400 knots.\n\n# Rope\n\nThe price of rope rises in spring.\n';
const eventsOf = ({ frames }: ChatAnswer) => frames.map(({ event }) => event);
const last = ({ frames }: ChatAnswer) => frames.at(-1)!;
const number = (id: string) => Number(id.split('.')[1]);

describe('conversations about articles', () => {
  let stack: SharedStack;
  let client: ApiClient;

  beforeAll(async () => {
    stack = await sharedStack();
    client = await stack.tenant();
    await new ArticleDesk(client).collection('knowledge', { 'nets.md': SOURCE });
  });

  const begin = (topic: string) => chat(client, 'stream', { mode: 'author', inputs: { topic } });
  const resume = (thread: ChatAnswer, answer: object, to = last(thread)) =>
    chat(client, 'resume', { thread_id: thread.threadId, decision_id: to.data['decision_id'], answer });

  it('A8 A10 A11 streams up to a question, continues with the answer by thread ID, and ends with the article', async () => {
    const opened = await begin('How nets are mended');
    expect(opened.threadId).toMatch(/^ses_/);
    expect(eventsOf(opened).slice(-2)).toEqual(['node_complete', 'hitl_pause']);
    expect(last(opened).data).toMatchObject({
      thread_id: opened.threadId,
      decision_type: 'article_research',
      answer_schema: { type: 'object' },
      details: { sources: [{ title: 'nets' }] },
    });
    const drafted = await resume(opened, { action: 'approve' });
    expect(
      drafted.frames.filter(({ event }) => event === 'node_complete').map(({ data }) => data['node']),
    ).toEqual(['approve_research', 'author_structure', 'author_draft', 'rag_retriever', 'author_style']);
    expect(last(drafted).data).toMatchObject({ decision_type: 'article_draft' });
    const ended = await resume(drafted, { action: 'accept' });
    expect(last(ended)).toMatchObject({ event: 'done', data: { status: 'completed' } });
    const entries = (await client.get('/api/audit?limit=100')).json.items as Record<string, unknown>[];
    const noted = entries.filter(({ resource }) => resource === last(ended).data['run_id']);
    expect(noted.map(({ action }) => action).sort()).toEqual(['chatResume', 'chatResume', 'chatStream']);
    const ids = [opened, drafted, ended].flatMap(({ frames }) => frames.map(({ id }) => number(id)));
    expect(ids).toEqual([...ids].sort((a, b) => a - b));
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('A8 shows a reloaded page the open question, and sends a cut stream the missed events', async () => {
    const opened = await begin('Knots of a net');
    const again = await chat(client, 'stream', { thread_id: opened.threadId });
    expect(again.frames).toEqual(opened.frames);
    const cut = opened.frames[1]!.id;
    const rest = await chat(client, 'stream', { thread_id: opened.threadId }, { lastEventId: cut });
    expect(rest.frames).toEqual(opened.frames.slice(2));
    const after = await chat(client, 'stream', { thread_id: opened.threadId, after: cut });
    expect(after.frames).toEqual(rest.frames);
    const busy = await chat(client, 'stream', { thread_id: opened.threadId, inputs: { topic: 'Another' } });
    expect([busy.status, busy.code]).toEqual([409, 'run_active']);
    const ended = await resume(opened, { action: 'stop' });
    expect(last(ended)).toMatchObject({ event: 'done', data: { status: 'rejected' } });
    const whole = await chat(client, 'stream', { thread_id: opened.threadId });
    expect(eventsOf(whole).filter((event) => event === 'hitl_pause')).toHaveLength(1);
    expect(last(whole).event).toBe('done');
    const next = await chat(client, 'stream', {
      thread_id: opened.threadId,
      inputs: { topic: 'Winter at sea' },
    });
    expect(next.threadId).toBe(opened.threadId);
    await resume(next, { action: 'stop' });
  });

  it('A8 X3 accepts the first of two concurrent answers and rejects the second with the reason', async () => {
    const opened = await begin('Winter work');
    const answers = await Promise.all(
      ['approve', 'stop', 'approve', 'stop'].map((action) => resume(opened, { action })),
    );
    const won = answers.filter(({ status }) => status === 200);
    const told = answers.filter(({ status }) => status !== 200);
    expect(told.map(({ status, code }) => [status, code])).toEqual([
      [409, 'decision_answered'],
      [409, 'decision_answered'],
    ]);
    // A client that sent the same answer as the first follows the same run.
    expect(won[0]!.frames.map(({ id }) => id)).toEqual(won[1]!.frames.map(({ id }) => id));
  });

  it('A11 B19 rejects threads and questions that do not exist or belong to another', async () => {
    const [one, other] = [await begin('Knots in winter'), await begin('Spring prices')];
    const crossed = await resume({ ...one, frames: other.frames }, { action: 'stop' });
    expect([crossed.status, crossed.code]).toEqual([404, 'not_found']);
    const unfit = await resume(one, { action: 'maybe' });
    expect([unfit.status, unfit.code]).toEqual([422, 'invalid_answer']);
    const nothing = await chat(client, 'stream', { thread_id: 'ses_none' });
    expect([nothing.status, nothing.code]).toEqual([404, 'not_found']);
    const neither = await chat(client, 'stream', {});
    expect([neither.status, neither.code]).toEqual([422, 'invalid_request']);
    const stranger = await stack.tenant();
    const stolen = await chat(stranger, 'stream', { thread_id: one.threadId });
    expect([stolen.status, stolen.code]).toEqual([404, 'not_found']);
    for (const thread of [one, other]) await resume(thread, { action: 'stop' });
  });

  it('A5 A12 reports an earlier article on the topic before it begins one', async () => {
    const opened = await begin('The price of rope');
    const drafted = await resume(opened, { action: 'approve' });
    await resume(drafted, { action: 'edit', text: '# Rope\n\nFive words stand here now.\n' });
    const check = async (topic: string) => (await client.post('/api/metadata/check', { topic })).json;
    expect(await check('Prices of rope')).toMatchObject({
      duplicate: true,
      article: { topic: 'The price of rope', mode: 'author', word_count: 6 },
    });
    expect(await check('How bread is baked')).toEqual({ duplicate: false, article: null });
    const { items } = (await client.get('/api/knowledge/collections?purpose=memory')).json as {
      items: { id: string }[];
    };
    const topics = async () =>
      (await client.get(`/api/knowledge/collections/${items[0]!.id}/sources`)).json.items as {
        title: string;
      }[];
    expect((await topics()).map(({ title }) => title)).toContain('The price of rope');
    expect((await client.request('DELETE', `/api/sessions/${opened.threadId}`)).status).toBe(204);
    expect(await check('Prices of rope')).toEqual({ duplicate: false, article: null });
    expect((await topics()).map(({ title }) => title)).not.toContain('The price of rope');
  });

  it('B19 A5 reports no topics of other tenants', async () => {
    const stranger = await stack.tenant();
    expect((await stranger.post('/api/metadata/check', { topic: 'How nets are mended' })).json).toEqual({
      duplicate: false,
      article: null,
    });
  });
});
