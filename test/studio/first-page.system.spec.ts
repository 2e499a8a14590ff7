import { chromiumPath, launchBrowser } from '#testing/browser.js';
import { exampleFiles } from '#testing/examples.js';
import { pageWeight } from '#testing/page-weight.js';
import { sharedStack } from '#testing/shared-stack.js';
import { signIn } from '#testing/studio.js';
import type { Browser } from 'playwright-core';

/** kB with gzip. */
const LIMIT = 200;

(chromiumPath ? describe : describe.skip)('weight of the first page (chromium)', () => {
  let browser: Browser;

  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser.close());

  it.each(['en', 'de', 'pl'])('with open questions, is within its limit: %s', async (locale) => {
    const stack = await sharedStack();
    const tenant = await stack.tenant();
    const { id } = await tenant.startRun(await tenant.sessionWith(exampleFiles('incident')));
    await tenant.decision(id);
    // Each page has a context, and so a cache, of its own.
    const signedIn = await browser.newContext();
    await signIn(await signedIn.newPage(), stack.url, tenant);
    const context = await browser.newContext({ locale, storageState: await signedIn.storageState() });
    const page = await context.newPage();
    const weight = await pageWeight(page, stack.url, async () => {
      await page.locator('.drop-zone').waitFor();
      await page.getByRole('link', { name: '01-timeline.md' }).last().waitFor();
    });
    // Letters that the bundled face lacked would be in its second file, which is 60 kB.
    expect([...weight.keys()].filter((path) => path.includes('latin-ext'))).toEqual([]);
    expect([...weight.values()].reduce((sum, size) => sum + size)).toBeLessThan(LIMIT);
    await Promise.all([signedIn.close(), context.close()]);
  });
});
