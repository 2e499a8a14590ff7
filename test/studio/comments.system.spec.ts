import { chromiumPath } from '#testing/browser.js';
import { sharedStack } from '#testing/shared-stack.js';
import { openStudio, type Studio } from '#testing/studio.js';
import type { Page } from 'playwright-core';

const SOURCE = '# Incident\n\nThe **pool** was too small.\n\nNobody saw it.\n';

/** Comments at words of a text, in threads. */
(chromiumPath ? describe : describe.skip)('comments in the studio (chromium)', () => {
  let studio: Studio;
  let page: Page;
  let session: string;

  beforeAll(async () => {
    studio = await openStudio(await sharedStack());
    ({ page } = studio);
    session = await studio.tenant.sessionWith({ 'incident.md': SOURCE });
    await studio.tenant.completed((await studio.tenant.startRun(session)).id);
  });
  afterAll(() => studio.close());

  const threads = () => page.getByRole('complementary', { name: 'Comments' });
  const comments = async () =>
    (await studio.tenant.get(`/api/sessions/${session}/comments`)).json.items as Record<string, unknown>[];

  /** Selects what a block of the text shows, as a triple click does. */
  const select = (text: string) =>
    page.locator('.reading p', { hasText: text }).first().click({ clickCount: 3 });

  it('are made at selected words, answered, resolved and opened again', async () => {
    await studio.open(`/documents/${session}`);
    await select('Nobody saw it.');
    await page.getByRole('button', { name: 'Comment', exact: true }).click();
    await threads().getByText('Nobody saw it.').waitFor();
    await threads().getByLabel('Comment', { exact: true }).fill('Really nobody?');
    await threads().getByRole('button', { name: 'Send' }).click();
    const thread = threads().getByRole('article', { name: 'Really nobody?' });
    await thread.getByText('Reply').first().click();
    await page.keyboard.type('Not even Ada.');
    await thread.getByRole('button', { name: 'Send' }).click();
    await thread.getByText('Not even Ada.').waitFor();
    expect(await studio.accessibility()).toEqual([]);
    const made = await comments();
    expect(made).toMatchObject([
      { text: 'Not even Ada.', reply_to: made[1]!['id'] },
      { text: 'Really nobody?', quote: 'Nobody saw it.', reply_to: null },
    ]);
    await thread.getByRole('button', { name: 'Show in text' }).click();
    expect(await page.evaluate('getSelection().toString().trim()')).toBe('Nobody saw it.');
    await thread.getByRole('button', { name: 'Resolve' }).click();
    await page.getByRole('button', { name: 'Comments (0)' }).waitFor();
    await threads().getByText('Resolved (1)').click();
    await thread.getByRole('button', { name: 'Open again' }).click();
    await page.getByRole('button', { name: 'Comments (1)' }).waitFor();
    expect(studio.faults).toEqual([]);
  });

  it('quote the Markdown where it differs from what is read, and are shown to the next reader', async () => {
    await studio.open(`/documents/${session}`);
    await select('was too small');
    await page.getByRole('button', { name: 'Comment', exact: true }).click();
    await threads().getByLabel('Comment', { exact: true }).fill('Which pool?');
    await threads().getByRole('button', { name: 'Send' }).first().click();
    await threads().getByRole('article', { name: 'Which pool?' }).waitFor();
    expect((await comments())[0]).toMatchObject({ quote: 'The **pool** was too small.' });
    await page.reload();
    await threads().getByRole('article', { name: 'Which pool?' }).waitFor();
    expect(studio.faults).toEqual([]);
  });

  it('leave the text in view on a telephone, and appear below it on request', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await studio.open(`/documents/${session}`);
    const button = page.getByRole('button', { name: /^Comments \(\d\)/ });
    await button.waitFor();
    expect(await threads().count()).toBe(0);
    await button.click();
    const parts = [page.locator('.reading [data-line]').first(), threads()];
    const [text, shown] = await Promise.all(parts.map(async (part) => (await part.boundingBox())!.y));
    expect(text).toBeLessThan(shown!);
    expect(shown).toBeLessThan(844);
    expect(await studio.accessibility()).toEqual([]);
    expect(studio.faults).toEqual([]);
  });
});
