import type { ApiClient } from '#testing/api-client.js';
import { ArticleDesk } from '#testing/article-desk.js';
import { ArticleModel } from '#testing/article-model.js';
import { chat, type ChatAnswer } from '#testing/chat-client.js';
import { startModelStub, type ModelStub } from '#testing/model-stub.js';
import { TestStack } from '#testing/test-stack.js';
import { until } from '#testing/until.js';

const SOURCE =
  '# Tower\n\nThe tower of Marrow Point is 31 metres high. It was built in 1874 of grey stone.\n';

describe('articles whose gateway is killed', () => {
  const model = new ArticleModel();
  let stack: TestStack;
  let stub: ModelStub;
  let client: ApiClient;

  beforeAll(async () => {
    stub = await startModelStub({ respond: model.respond });
    stack = await TestStack.start({
      fewProcesses: true,
      env: {
        OPENAI_API_KEY: 'sk-of-the-test',
        OPENAI_BASE_URL: stub.baseUrl,
        OPENAI_MODEL: 'draft-model',
        OPENAI_FAST_MODEL: 'fast-model',
      },
    });
    client = await stack.tenant();
    await new ArticleDesk(client).collection('knowledge', { 'tower.md': SOURCE });
  });
  afterAll(async () => {
    await stack.stop();
    await stub.stop();
  });

  it('A8 A10 streams tokens; nothing is lost or repeated after a cut stream or the end of a gateway', async () => {
    const body = { mode: 'author', inputs: { topic: 'Grey stone of 1874', allow_duplicate: true } };
    const cut = await chat(client, 'stream', body, { enough: ({ event }) => event === 'token' });
    const thread_id = cut.threadId!;
    stack.kill('gateway');
    const lastEventId = cut.frames.at(-1)!.id;
    /** Repeats a request until a gateway answers it. */
    const answered = (what: string, send: () => Promise<ChatAnswer>) =>
      until(
        what,
        () => send().catch((error: unknown) => ({ status: 0, threadId: null, frames: [], code: error })),
        ({ status }) => status === 200,
      );
    const rest = await answered('the rest of the stream', () =>
      chat(client, 'stream', { thread_id }, { lastEventId }),
    );
    const all = [...cut.frames, ...rest.frames];
    expect((await chat(client, 'stream', { thread_id })).frames).toEqual(all);
    const told = all.flatMap(({ event, data }) => (event === 'token' ? [String(data['text'])] : [])).join('');
    expect(told).toContain('The passage speaks of it.[^s1]');
    const question = all.at(-1)!;
    expect(question).toMatchObject({ event: 'hitl_pause', data: { decision_type: 'article_research' } });
    stack.kill('gateway');
    const answer = { thread_id, decision_id: question.data['decision_id'], answer: { action: 'stop' } };
    const end = await answered('the answer to "resume"', () => chat(client, 'resume', answer));
    expect(end.frames.at(-1)).toMatchObject({ event: 'done', data: { status: 'rejected' } });
  });
});
