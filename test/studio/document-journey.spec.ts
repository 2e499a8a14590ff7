import { exampleFiles, MISSING_IMAGE } from '#testing/examples.js';
import { accessibilityFaults, chromiumPath, launchBrowser, watchPage } from '#testing/browser.js';
import { overflow } from '#testing/studio.js';
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
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.getByRole('tab', { name: 'Ledger' }).click();
    await page.getByText('100.0 % of the source lines are carried', { exact: true }).waitFor();
    const source = page.getByRole('listbox', { name: '01-timeline.md' });
    const line = source.getByRole('option').filter({ hasText: 'Severity: SEV-2' });
    await line.click();
    const counterpart = page
      .getByRole('listbox', { name: 'Manuscript' })
      .getByRole('option', { selected: true })
      .filter({ hasText: 'Severity: SEV-2' });
    await counterpart.waitFor();
    await page.keyboard.press('Tab');
    await source.focus();
    await page.keyboard.press('ArrowDown');
    await source.getByRole('option', { selected: true }).filter({ hasText: 'Date: 12 March' }).waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.getByText('Figures and differences').click();
    await page.getByRole('cell', { name: '01-timeline.md' }).waitFor();
    expect(faults).toEqual([]);
  });

  it('shows every page without a fault, in both colour schemes and on a narrow screen', async () => {
    for (const colorScheme of ['light', 'dark'] as const)
      for (const path of ['/documents', '/decisions', '/runs', '/access', '/nowhere']) {
        await page.emulateMedia({ colorScheme });
        await page.goto(stack.url + path);
        await page.getByRole('heading', { level: 1 }).waitFor();
        await page.getByRole('status', { name: 'Loading' }).waitFor({ state: 'detached' });
        expect([colorScheme, path, await accessibilityFaults(page)]).toEqual([colorScheme, path, []]);
      }
    await page.setViewportSize({ width: 390, height: 800 });
    await page.goto(`${stack.url}/documents`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(await overflow(page)).toBe(0);
    expect(faults).toEqual([]);
  });

  it('shows an API key once, and ends it', async () => {
    await page.setViewportSize({ width: 1200, height: 800 });
    await page.goto(`${stack.url}/access`);
    await page.getByRole('button', { name: 'New key' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('<img src=x onerror=alert(1)>');
    await dialog.getByRole('button', { name: 'Make the key' }).click();
    await dialog.getByText(/^scr_[0-9a-f]{12}_/).waitFor();
    await page.keyboard.press('Escape');
    const row = page.getByRole('row', { name: /onerror/ });
    await row.getByRole('button', { name: /^Revoke/ }).click();
    await row.getByRole('button', { name: /for good$/ }).click();
    await row.getByText('revoked', { exact: true }).waitFor();
    expect(faults).toEqual([]);
  });
});
