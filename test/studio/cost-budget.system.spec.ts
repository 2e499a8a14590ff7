import { chromiumPath } from '#testing/browser.js';
import { startModelStub, type ModelStub } from '#testing/model-stub.js';
import { sharedStack } from '#testing/shared-stack.js';
import { openStudio, type Studio } from '#testing/studio.js';

(chromiumPath ? describe : describe.skip)('a used-up cost budget, in the studio (chromium)', () => {
  let stub: ModelStub;
  let studio: Studio;

  beforeAll(async () => {
    stub = await startModelStub();
    studio = await openStudio(await sharedStack('private'));
  });
  afterAll(async () => {
    await studio.close();
    await stub.stop();
  });

  it('X7 shows and accepts amounts in the currency', async () => {
    const { page, tenant } = studio;
    const prices = { 'own-model': { input: 1_000_000_000, output: 1_000_000_000 } };
    await tenant.post('/api/model/endpoint', {
      base_url: stub.baseUrl,
      api_key: 'sk-test',
      model: 'own-model',
      prices,
    });
    const session_id = await tenant.sessionWith({ 'notes.txt': 'The lamp was lit.\n' });
    const budget = { max_cost: 250_000 };
    const { json } = await tenant.post('/api/agents/runs', {
      kind: 'document',
      session_id,
      inputs: {},
      budget,
    });
    const run = String(json['id']);
    await tenant.decision(run);
    await studio.open(`/runs/${run}`);
    const question = page.getByRole('region', { name: /cost budget of this run .* of 0\.25 is used/ });
    await question.getByRole('radio', { name: 'add to the budget' }).check();
    await question.getByLabel('Cost to add').fill('500.5');
    await question.getByRole('button', { name: 'Answer' }).click();
    expect((await tenant.completed(run)).usage.budget).toEqual({ max_cost: 500_750_000 });
  });
});
