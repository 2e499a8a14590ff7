import { projectRoot } from '#embedded/project-root.js';
import type { ApiClient } from '#testing/api-client.js';
import { chromiumPath } from '#testing/browser.js';
import { copyCheckout, type CopiedCheckout } from '#testing/copied-checkout.js';
import { itWhere } from '#testing/it-where.js';
import { startModelStub, type ModelStub } from '#testing/model-stub.js';
import { openStudio } from '#testing/studio.js';
import { TestStack } from '#testing/test-stack.js';
import { until } from '#testing/until.js';
import { RECIPES } from './recipes.js';

/** Follows recipes of docs/ADDING.md in a copy of the sources, builds the copy, and uses what was added. */
describe('a copy of the product with the additions of docs/ADDING.md', () => {
  let copy: CopiedCheckout;
  let model: ModelStub;
  let stack: TestStack;
  let tenant: ApiClient;
  beforeAll(async () => {
    copy = await copyCheckout(projectRoot());
    for (const changes of Object.values(RECIPES)) await copy.change(changes);
    await copy.build();
    const call = { name: 'count_words', arguments: { text: 'one two three' } };
    model = await startModelStub({ respond: () => ({ toolCalls: [call] }) });
    stack = await TestStack.start({
      appsDir: copy.appsDir,
      fewProcesses: true,
      env: { OPENAI_API_KEY: 'test', OPENAI_BASE_URL: model.baseUrl, OPENAI_MODEL: 'stub' },
    });
    tenant = await stack.tenant();
  }, 900_000);
  afterAll(async () => {
    await stack?.stop();
    await model?.stop();
    await copy?.remove();
  });

  it('serves and documents an added endpoint, with separate data per tenant', async () => {
    const other = await stack.tenant('other');
    await other.post('/api/sessions', {});
    expect((await other.get('/api/session-count')).json).toEqual({ count: 1 });
    expect((await tenant.get('/api/session-count')).json).toEqual({ count: 0 });
    const { paths } = (await tenant.get('/api/openapi.json')).json as { paths: object };
    expect(Object.keys(paths)).toContain('/api/session-count');
  });

  it('asks an added question at an added node, and offers its model an added tool', async () => {
    const run = await tenant.startRun(await tenant.sessionWith({ 'a.md': '# A\n' }));
    const decision = await tenant.decision(run.id);
    expect([decision.decision_type, decision.default_answer]).toEqual(['tone', { tone: 'plain' }]);
    const answer = (tone: string) => tenant.post(`/api/decisions/${decision.id}/answer`, { tone });
    expect((await answer('shrill')).json.code).toBe('invalid_answer');
    expect((await answer('formal')).status).toBe(200);
    const requests = await until(
      'the model has the result of the tool',
      () => model.requests,
      (all) => JSON.stringify(all.at(-1)?.messages ?? []).includes('3 words'),
    );
    expect(requests[0]!.tools?.map((tool) => tool.function.name)).toContain('count_words');
  });

  it('runs a plan with an added tool', async () => {
    const session_id = await tenant.sessionWith({ 'a.md': '# A\n' });
    const tasks = [{ id: 'count', tool: 'count_vowels', arguments: { text: 'green tea' }, depends_on: [] }];
    const config = { hil: { approval_required: 'never' } };
    const plan = await tenant.post('/api/plans', { session_id, dag: { tasks }, config });
    expect([plan.status, plan.json.code]).toEqual([202, undefined]);
    const id = String(plan.json.id);
    await tenant.events(id);
    expect((await tenant.get(`/api/plans/${id}/tasks/count/result`)).json).toEqual({ vowels: 4 });
  });

  itWhere(chromiumPath !== undefined)('shows an added page', async () => {
    const studio = await openStudio(stack, tenant);
    try {
      await studio.open('/');
      await studio.page.getByRole('link', { name: 'Counts' }).click();
      await studio.page.getByText(/^Sessions: \d+$/).waitFor();
      expect(studio.faults).toEqual([]);
    } finally {
      await studio.close();
    }
  });
});
