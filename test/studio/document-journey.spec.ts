import { exampleFiles, MISSING_IMAGE } from '#testing/examples.js';
import { chromiumPath, launchBrowser, watchPage } from '#testing/browser.js';
import { TestStack } from '#testing/test-stack.js';
import type { Browser, Page } from 'playwright-core';

/** The document pages as a person uses them, in a real browser against the real stack. */
(chromiumPath ? describe : describe.skip)('a document in the studio (chromium)', () => {
  let stack: TestStack;
  let browser: Browser;
  let page: Page;
  let faults: string[];

  beforeAll(async () => {
    stack = await TestStack.start();
    browser = await launchBrowser();
    page = await browser.newPage();
    // Whole runs are waited for, on whatever machine; a test that hangs ends by jest's own patience.
    page.setDefaultTimeout(150_000);
    faults = watchPage(page, stack.url);
    const tenant = await stack.tenant();
    const { path } = (await tenant.post('/api/studio/sign-in-links')).json;
    await page.goto(stack.url + String(path));
  });
  afterAll(async () => {
    await browser.close();
    await stack.stop();
  });

  it('leads from nothing to the downloaded Word file, over a question and a reload', async () => {
    await page.getByRole('button', { name: 'New document' }).click();
    const files = Object.entries(exampleFiles('incident')).map(([name, bytes]) => ({
      name,
      mimeType: 'application/octet-stream',
      buffer: Buffer.from(bytes),
    }));
    await page.setInputFiles('input[type=file]', files);
    const title = 'Night of <b>the</b> labels';
    await page.getByLabel('Title').fill(title);
    await page.getByRole('button', { name: 'Write the document' }).click();

    const question = page.getByRole('region', { name: MISSING_IMAGE });
    await question.waitFor();
    await page.reload();
    await page.getByRole('heading', { level: 1, name: title }).waitFor();
    await question.getByRole('button', { name: 'Answer' }).click();

    const download = page.getByRole('link', { name: 'Download DOCX' });
    await download.waitFor();
    const [file] = await Promise.all([page.waitForEvent('download'), download.click()]);
    expect(file.suggestedFilename()).toMatch(/\.docx$/);
    await page.getByText('# Incident INC-2291').first().waitFor();
    expect(faults).toEqual([]);
  });
});
