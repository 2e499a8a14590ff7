import { chromiumPath } from '#testing/browser.js';
import { startModelStub, type ModelStub } from '#testing/model-stub.js';
import { sharedStack } from '#testing/shared-stack.js';
import { openStudio, type Studio } from '#testing/studio.js';

const KEY = 'sk-typed-into-the-page';

(chromiumPath ? describe : describe.skip)('B23 the page of the model (chromium)', () => {
  let studio: Studio;
  let stub: ModelStub;

  beforeAll(async () => {
    stub = await startModelStub({
      models: [{ id: 'own-model', max_model_len: 8_192 }],
      respond: ({ tools, response_format: format }) => {
        if (tools) return { toolCalls: [{ name: 'read_file', arguments: { filename: 'a.md' } }] };
        return (format as { type?: string } | undefined)?.type === 'json_schema'
          ? { status: 400, message: 'response_format json_schema is not supported' }
          : { text: '{"colour":"green"}' };
      },
    });
    studio = await openStudio(await sharedStack('private'));
  });
  afterAll(async () => {
    await studio.close();
    await stub.stop();
  });

  it('sets an endpoint, checks it, shows what follows, and returns to the installation’s', async () => {
    const { page } = studio;
    await studio.open('/model');
    await page.getByText('No model').waitFor();
    await page.getByLabel('Base URL').fill(stub.baseUrl);
    await page.getByLabel('API key', { exact: true }).fill(KEY);
    await page.getByLabel('Model that writes').fill('own-model');
    await page.getByRole('button', { name: 'Use this endpoint' }).click();
    await page.getByRole('heading', { name: 'own-model' }).waitFor();
    await page.getByRole('button', { name: 'Check the model' }).click();
    await page.getByText('8,192').waitFor();
    const consequences = page.getByRole('list', { name: 'Consequences' });
    expect(await consequences.getByRole('listitem').allTextContents()).toEqual([
      expect.stringContaining('window is small'),
      expect.stringContaining('One tool at a time'),
      expect.stringContaining('No json_schema'),
    ]);
    expect(await studio.accessibility()).toEqual([]);
    expect(await page.content()).not.toContain(KEY);
    await page.getByRole('button', { name: "Use the installation's endpoint" }).click();
    await page.getByRole('button', { name: 'Delete your endpoint now' }).click();
    await page.getByText('No model').waitFor();
    expect(studio.faults).toEqual([]);
  });
});
