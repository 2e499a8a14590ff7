import { ArticleDesk } from '#testing/article-desk.js';
import { ArticleModel, promptOf } from '#testing/article-model.js';
import type { ApiClient } from '#testing/api-client.js';
import { startModelStub, type ModelStub } from '#testing/model-stub.js';
import { TestStack } from '#testing/test-stack.js';

describe('articles told again with a model over HTTP', () => {
  const model = new ArticleModel();
  let stack: TestStack;
  let stub: ModelStub;
  let client: ApiClient;
  let desk: ArticleDesk;

  beforeAll(async () => {
    stub = await startModelStub({ respond: model.respond });
    const env = { OPENAI_API_KEY: 'sk-of-the-test', OPENAI_BASE_URL: stub.baseUrl };
    stack = await TestStack.start({
      env: { ...env, OPENAI_MODEL: 'draft-model', OPENAI_FAST_MODEL: 'fast-model' },
    });
    client = await stack.tenant();
    desk = new ArticleDesk(client);
  });
  afterAll(async () => {
    await stack.stop();
    await stub.stop();
  });

  it('A14 tells an article again: by the model within limits and facts, by rules where its answers would not do', async () => {
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
