import { chromiumPath } from '#testing/browser.js';
import { sharedStack } from '#testing/shared-stack.js';
import { openStudio, type Studio } from '#testing/studio.js';
import { until } from '#testing/until.js';

const VALUE = 'crm-value-typed-into-the-page';

(chromiumPath ? describe : describe.skip)('P12 the page of secrets (chromium)', () => {
  let studio: Studio;

  beforeAll(async () => {
    studio = await openStudio(await sharedStack('gateway'));
  });
  afterAll(() => studio.close());

  it('stores a secret, replaces its value, and removes it, without showing the value', async () => {
    const { page } = studio;
    await studio.open('/secrets');
    await page.getByText('No secrets yet').waitFor();
    await page.getByLabel('Name').fill('crm');
    await page.getByLabel('Hosts').fill('API.example.com, api2.example.com');
    const value = page.getByLabel('Value', { exact: true });
    expect(await value.getAttribute('type')).toBe('password');
    await value.fill(VALUE);
    await page.getByRole('button', { name: 'Store the secret' }).click();
    const card = page.getByRole('article', { name: 'crm' });
    await card.getByText('sent only to api.example.com, api2.example.com').waitFor();
    expect(await value.inputValue()).toBe('');
    const replacement = card.getByLabel('New value of crm');
    await replacement.fill(`${VALUE}-2`);
    await card.getByRole('button', { name: 'Replace the value' }).click();
    await until(
      'the value is sent',
      () => replacement.inputValue(),
      (typed) => typed === '',
    );
    expect(await page.content()).not.toContain(VALUE);
    expect(await studio.accessibility()).toEqual([]);
    await card.getByRole('button', { name: /^Remove/ }).click();
    await card.getByRole('button', { name: /^Remove permanently/ }).click();
    await page.getByText('No secrets yet').waitFor();
    expect(studio.faults).toEqual([]);
  });
});
