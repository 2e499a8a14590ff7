import { chromiumPath } from '#testing/browser.js';
import { startModelStub, type ModelStub } from '#testing/model-stub.js';
import { leasedStack, type LeasedStack } from '#testing/shared-stack.js';
import { openStudio, type Studio } from '#testing/studio.js';

(chromiumPath ? describe : describe.skip)('a plan whose model fails, in the studio (chromium)', () => {
  let stub: ModelStub;
  let stack: LeasedStack;
  let studio: Studio;

  beforeAll(async () => {
    stub = await startModelStub({ respond: () => ({ status: 429, code: 'insufficient_quota' }) });
    stack = await leasedStack('model', { model: stub.baseUrl });
    studio = await openStudio(stack);
  });
  afterAll(async () => {
    await studio.close();
    await stack.release();
    await stub.stop();
  });

  it('X13 X21 asks on the page of the plan, without offering rules', async () => {
    const { page, tenant } = studio;
    const session_id = await tenant.sessionWith({ 'notes.txt': 'The lamp was lit.\n' });
    const { json } = await tenant.post('/api/plans', { session_id, intent: 'list the input files' });
    await studio.open(`/plans/${String(json.id)}`);
    const question = page.getByRole('region', { name: /The model "draft-model" failed/ });
    await question.waitFor();
    await question.getByText('Failed step: plan', { exact: true }).waitFor();
    expect(await studio.accessibility()).toEqual([]);
    expect(await question.getByRole('radio', { name: /rules/i }).count()).toBe(0);
    await question.getByRole('radio').last().check();
    await question.getByRole('button', { name: 'Answer' }).click();
    await question.waitFor({ state: 'detached' });
  });
});
