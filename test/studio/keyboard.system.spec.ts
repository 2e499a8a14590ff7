import { chromiumPath } from '#testing/browser.js';
import { sharedStack } from '#testing/shared-stack.js';
import { openStudio, tabTo, type Studio } from '#testing/studio.js';
import type { Locator, Page } from 'playwright-core';

/**
 * What people come for, done without a mouse: each thing is reached by Tab from where the focus is. `keyboard.deep.spec.ts` has whole
 * journeys.
 */
(chromiumPath ? describe : describe.skip)('a keyboard alone in the studio (chromium)', () => {
  let studio: Studio;
  let page: Page;

  beforeAll(async () => {
    studio = await openStudio(await sharedStack());
    ({ page } = studio);
  });
  afterAll(() => studio.close());
  afterEach(() => expect(studio.faults).toEqual([]));

  const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true });
  const press = async (target: Locator, key = 'Enter') => {
    await tabTo(page, target);
    await page.keyboard.press(key);
  };
  const type = async (target: Locator, text: string) => {
    await tabTo(page, target);
    await page.keyboard.press('Control+a');
    await page.keyboard.type(text);
  };
  const place = (name: string) => page.getByRole('navigation').getByRole('link', { name });

  it('makes a key and ends it', async () => {
    await studio.open('/documents');
    await press(place('Access'));
    await press(button('New key'));
    await type(page.getByRole('dialog').getByLabel('Name'), 'by keyboard');
    await press(page.getByRole('dialog').getByRole('button', { name: 'Make the key' }));
    await page
      .getByRole('dialog')
      .getByText(/^scr_[0-9a-f]{12}_/)
      .waitFor();
    await page.keyboard.press('Escape');
    const row = page.getByRole('row', { name: /by keyboard/ });
    await press(row.getByRole('button', { name: /^Revoke/ }));
    await press(row.getByRole('button', { name: /for good$/ }));
    await row.getByText('revoked', { exact: true }).waitFor();
  });
});
