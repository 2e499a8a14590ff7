import { ArticleDesk } from '#testing/article-desk.js';
import { chromiumPath } from '#testing/browser.js';
import { sharedStack } from '#testing/shared-stack.js';
import { openStudio, type Studio } from '#testing/studio.js';
import type { Page } from 'playwright-core';

const NETS =
  '# Nets\n\nNets are mended in winter. Each net has 400 knots.\n\n# Rope\n\nRope is dear in spring.\n';
const STYLE = '# On work\n\nWe write short sentences. We say what we did. The work is done by hand.\n';

/**
 * An author's work on an article in a browser: written, rejected once, edited, repurposed; and the review of a text.
 */
(chromiumPath ? describe : describe.skip)('an article in the studio (chromium)', () => {
  let studio: Studio;
  let page: Page;

  beforeAll(async () => {
    studio = await openStudio(await sharedStack());
    ({ page } = studio);
    const desk = new ArticleDesk(studio.tenant);
    await desk.collection('knowledge', { 'nets.md': NETS });
    await desk.collection('style', { 'work.md': STYLE });
  });
  afterAll(() => studio.close());

  const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true });

  it('A13 A8 is researched, rejected, edited and repurposed, despite a reload', async () => {
    await studio.open('/articles');
    expect(await studio.accessibility()).toEqual([]);
    await button('New article').click();
    await page.getByLabel('Topic').fill('How nets are mended');
    await button('Start').click();

    const research = page.getByRole('region', { name: 'Research and structure' });
    await research.waitFor();
    await page.reload();
    await research.getByLabel('Headings').fill('# Nets\n## Knots of a net');
    await button('Approve and continue').click();

    const draft = page.getByRole('region', { name: 'Draft' });
    await draft.getByText('Revising needs a model.').waitFor();
    expect(await studio.accessibility()).toEqual([]);
    expect(await button('Reject').count()).toBe(0);
    await draft.getByRole('heading', { name: 'Knots of a net' }).waitFor();
    await draft.getByRole('tab', { name: 'Paragraph by paragraph' }).click();
    await draft.getByRole('heading', { name: 'Knots of a net' }).waitFor();
    expect(await studio.accessibility()).toEqual([]);
    await draft.getByRole('tab', { name: 'Edit' }).click();
    const editor = draft.getByRole('textbox', { name: 'Draft' });
    await editor.click();
    await page.keyboard.press('Control+End');
    await page.keyboard.type('Words of a person.');
    await button('Submit my version').click();

    await button('Repurpose').click();
    await page.getByRole('tab', { name: 'LinkedIn' }).waitFor();
    await page.getByRole('tab', { name: 'Newsletter' }).click();
    await page.getByRole('link', { name: /Download.*Newsletter/ }).waitFor();
    expect(await studio.accessibility()).toEqual([]);
    expect(studio.faults).toEqual([]);
  });

  it('A13 a text is shown next to its proposed version', async () => {
    await studio.open('/articles');
    await button('New article').click();
    await page.getByText('Review my text').click();
    await page
      .getByLabel('Your text')
      .fill('# On nets\n\nWe mended the the nets by hand. We wrote it down.\n');
    await button('Start').click();
    const review = page.getByRole('region', { name: 'Your text compared with your style' });
    await review.getByRole('group', { name: 'Your text' }).locator('del', { hasText: 'the' }).waitFor();
    await review.getByText('Repeated words').first().waitFor();
    expect(await studio.accessibility()).toEqual([]);
    await page.getByRole('button', { name: /^Apply \d+ changes?$/ }).click();
    await page.getByRole('tab', { name: 'Corrected text' }).waitFor();
    expect(studio.faults).toEqual([]);
  });
});
