import { ArticleDesk } from '#testing/article-desk.js';
import { ArticleModel, promptOf } from '#testing/article-model.js';
import type { ApiClient } from '#testing/api-client.js';
import { startModelStub, type ModelStub } from '#testing/model-stub.js';
import { leasedStack, type LeasedStack } from '#testing/shared-stack.js';

describe('articles on an earlier topic, with a model over HTTP', () => {
  const model = new ArticleModel();
  let stack: LeasedStack;
  let stub: ModelStub;
  let client: ApiClient;
  let desk: ArticleDesk;

  beforeAll(async () => {
    stub = await startModelStub({ respond: model.respond });
    stack = await leasedStack('model', { model: stub.baseUrl });
    client = await stack.tenant();
    desk = new ArticleDesk(client);
  });
  afterAll(async () => {
    await stack.release();
    await stub.stop();
  });
  beforeEach(() => model.reset());

  it('A5 writes about an earlier topic after a person agrees, and does not call the model before', async () => {
    const topic = { topic: 'The bell of the tower' };
    await desk.collection('knowledge', {
      'tower.md': '# Tower\n\nThe bell of the tower was cast in 1880.\n',
    });
    const first = await desk.start('author', topic);
    await desk.answerInTurn(first, { action: 'approve' }, { action: 'accept' });
    await desk.ended(first);
    model.reset();
    const again = await desk.start('author', topic);
    const warning = await desk.asked(again);
    expect(warning).toMatchObject({ decision_type: 'article_duplicate', details: { article: topic } });
    expect(model.requests).toEqual([]);
    await desk.answer(warning, { action: 'continue' });
    await desk.answerInTurn(again, { action: 'approve' }, { action: 'accept' });
    expect(await desk.ended(again)).toMatchObject({
      status: 'completed',
      progress: { details: { duplicate_detected: true, used_fallback: false, approved: true } },
    });
    expect(model.requests.map(({ operation }) => operation)).toContain('author_draft');
  });

  it('A14 repurposes an article by the model within limits and facts, and by rules if its answers are unusable and a person chooses rules', async () => {
    const article = '# The tower\n\nThe tower of Marrow Point is 31 metres high. It was built in 1874.\n';
    const piece = (...parts: string[]) => ({ text: JSON.stringify({ parts, hashtags: ['tower'] }) });
    model.will(
      'repurpose',
      // LinkedIn: an invented figure, then corrected. X: too long twice.
      piece('Our tower is 35 metres high.'),
      piece('Our tower is 31 metres high, and 1874 is its year.'),
      piece('a'.repeat(300)),
      piece('b'.repeat(300)),
    );
    const inputs = { user_text: article, platforms: ['linkedin', 'x_thread'] };
    const run = await desk.start('repurpose', inputs);
    const [asked] = await desk.answerInTurn(run, { action: 'rules' });
    expect(asked!.details).toMatchObject({ operation: 'repurpose_x_thread', code: 'model_answer_unusable' });
    expect(await desk.ended(run)).toMatchObject({
      status: 'completed',
      progress: { details: { fallback_stages: ['repurpose_x_thread'] } },
    });
    const result = async (name: string) =>
      (await client.get(`/api/sessions/${run.session_id}/results/article/${name}`)).text;
    expect(await result('linkedin')).toBe('Our tower is 31 metres high, and 1874 is its year.\n\n#tower\n');
    expect(await result('x_thread')).toMatch(/^1\/2 The tower of Marrow Point is 31 metres high\./);
    const [, corrected] = model.requests;
    expect(promptOf(corrected!.request)).toContain('The article does not say "35"');
    expect(model.requests.map(({ request }) => request.model)).toEqual(Array(4).fill('fast-model'));
  });
});
