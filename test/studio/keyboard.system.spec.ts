import { chromiumPath } from '#testing/browser.js';
import { keyboardOf, type Keyboard } from '#testing/keyboard.js';
import { sharedStack } from '#testing/shared-stack.js';
import { openStudio, type Studio } from '#testing/studio.js';
import type { Page } from 'playwright-core';

/**
 * Main uses without a mouse: each control is reached by Tab from the focus. `keyboard.deep.spec.ts` has whole journeys.
 */
(chromiumPath ? describe : describe.skip)('a keyboard alone in the studio (chromium)', () => {
  let studio: Studio;
  let page: Page;
  let button: Keyboard['button'];
  let place: Keyboard['place'];
  let press: Keyboard['press'];
  let type: Keyboard['type'];

  beforeAll(async () => {
    studio = await openStudio(await sharedStack());
    ({ page } = studio);
    ({ button, place, press, type } = keyboardOf(page));
  });
  afterAll(() => studio.close());
  afterEach(() => expect(studio.faults).toEqual([]));

  it('creates a key and revokes it', async () => {
    await studio.open('/access');
    await press(button('New key'));
    await type(page.getByRole('dialog').getByLabel('Name'), 'by keyboard');
    await press(page.getByRole('dialog').getByRole('button', { name: 'Create the key' }));
    await page
      .getByRole('dialog')
      .getByText(/^scr_[0-9a-f]{12}_/)
      .waitFor();
    await page.keyboard.press('Escape');
    const row = page.getByRole('row', { name: /by keyboard/ });
    await press(row.getByRole('button', { name: /^Revoke/ }));
    await press(row.getByRole('button', { name: /^Revoke permanently/ }));
    await row.getByText('revoked', { exact: true }).waitFor();
  });

  it('keeps its place while a button loads, and sends once', async () => {
    let answer = (): void => undefined;
    const isAnswered = new Promise<void>((resolve) => (answer = resolve));
    let requests = 0;
    await page.route('**/api/keys', async (route) => {
      if (route.request().method() === 'POST') {
        requests++;
        await isAnswered;
      }
      await route.continue();
    });
    await studio.open('/access');
    await press(button('New key'));
    await type(page.getByRole('dialog').getByLabel('Name'), 'sent once');
    const make = page.getByRole('dialog').getByRole('button', { name: 'Create the key' });
    await press(make);
    await make.and(page.locator('[data-loading]')).waitFor();
    await page.keyboard.press('Enter');
    expect(await make.and(page.locator(':focus')).count()).toBe(1);
    answer();
    await page.getByRole('dialog').getByText(/^scr_/).waitFor();
    expect(requests).toBe(1);
    await page.unroute('**/api/keys');
  });

  it('selects a kind of work in the list and opens one', async () => {
    await studio.tenant.post('/api/books/projects', { title: 'Written without a mouse' });
    await studio.open('/');
    await press(place('Work'));
    const kind = page.getByRole('combobox', { name: 'Kind' });
    await press(kind, 'ArrowDown');
    await page.getByRole('heading', { level: 1, name: 'Documents' }).waitFor();
    await press(kind, 'ArrowDown');
    await page.getByRole('heading', { level: 1, name: 'Books' }).waitFor();
    await press(page.getByRole('link', { name: 'Written without a mouse' }));
    await page.getByRole('heading', { level: 1, name: 'Written without a mouse' }).waitFor();
  });

  it('finds the settings behind the account and one of their pages', async () => {
    await studio.open('/work');
    await press(button('tenant'));
    const settings = page.getByRole('menuitem', { name: 'Settings' });
    await settings.waitFor();
    for (let presses = 0; presses < 10; presses++) {
      if ((await settings.and(page.locator(':focus')).count()) > 0) break;
      await page.keyboard.press('ArrowDown');
    }
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Model' }).waitFor();
    await press(page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'Activity' }));
    await page.getByRole('heading', { level: 1, name: 'Runs' }).waitFor();
  });
});
