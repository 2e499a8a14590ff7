import { chromiumPath } from '#testing/browser.js';
import { openJourney, type StudioJourney } from '#testing/studio-journey.js';
import { exampleFiles, MISSING_IMAGE } from '#testing/examples.js';
import { download, killGateway, loseConnection, type Studio } from '#testing/studio.js';
import type { Page } from 'playwright-core';

const TITLE = 'Night of <b>the</b> labels';

/** The document pages as a person uses them, in a real browser against the real stack. */
(chromiumPath ? describe : describe.skip)('a document in the studio (chromium)', () => {
  let journey: StudioJourney;
  let studio: Studio;
  let page: Page;

  beforeAll(async () => {
    journey = await openJourney();
    ({ studio } = journey);
    ({ page } = studio);
  });
  afterAll(() => journey.close());

  const question = (of: Page) => of.getByRole('region', { name: MISSING_IMAGE });

  it('is made of files, and asks for missing ones, despite a reload, navigation, a lost stream and a stopped gateway', async () => {
    await studio.open('/documents');
    await page.getByRole('button', { name: 'New document' }).click();
    const files = Object.entries(exampleFiles('incident')).map(([name, bytes]) => ({
      name,
      mimeType: 'application/octet-stream',
      buffer: Buffer.from(bytes),
    }));
    await page.setInputFiles('input[type=file]', files);
    await page.getByRole('dialog').getByLabel('Title').fill(TITLE);
    await page.getByRole('button', { name: 'Write the document' }).click();

    await question(page).waitFor();
    await page.reload();
    await page.getByRole('heading', { level: 1, name: TITLE }).waitFor();
    await page.goBack();
    await page.goForward();
    await question(page).waitFor();
    expect(await studio.accessibility()).toEqual([]);
    await loseConnection(page, journey.relay);
    await killGateway(page, journey.gateway);
    await question(page).waitFor();
  });

  it('is answered once, by the first tab, and ends as a Word file', async () => {
    const other = await page.context().newPage();
    await other.goto(page.url());
    await question(other).waitFor();
    const answer = question(page).getByRole('button', { name: 'Answer' });
    expect(await answer.isDisabled()).toBe(true);
    await question(page).getByRole('radio', { name: 'leave it out' }).click();
    await answer.click();
    await question(other).waitFor({ state: 'detached' });
    await other.getByRole('status').getByText('Answered in another window').waitFor();
    expect(await page.getByText('Answered in another window').count()).toBe(0);
    await other.close();

    const link = page.getByRole('link', { name: 'Download DOCX' });
    const { name, bytes } = await download(page, link);
    expect(name).toMatch(/\.docx$/);
    expect(bytes.subarray(0, 2).toString()).toBe('PK');
    const text = page.getByRole('region', { name: 'Manuscript' });
    await text.getByRole('heading', { name: 'Incident INC-2291: label service answers 502' }).waitFor();
    await text.getByRole('table').first().waitFor();
    expect(await studio.accessibility()).toEqual([]);
  });

  it('X22 says its state in a line, lists its contents, and is printed as a whole without buttons', async () => {
    await page.getByRole('status').getByText('Word file current').waitFor();
    const text = page.getByRole('region', { name: 'Manuscript' });
    await text.getByText('b7d1c2f0a94e6d35').last().waitFor({ state: 'attached' });
    await page.getByRole('button', { name: 'Contents' }).click();
    await page.getByRole('menuitem', { name: 'What customers saw' }).click();
    await text.locator('[data-chosen]').getByText('What customers saw').waitFor();
    expect(await studio.accessibility()).toEqual([]);
    await page.emulateMedia({ media: 'print' });
    expect(await page.getByRole('navigation').count()).toBe(0);
    await page.emulateMedia({ media: 'screen' });
  });

  it('keeps its tab in the address, and lists its sources', async () => {
    await page.getByRole('tab', { name: 'Sources' }).click();
    expect(new URL(page.url()).searchParams.get('tab')).toBe('sources');
    await page.reload();
    await page.getByRole('cell', { name: '01-timeline.md', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Write again from these files' }).waitFor();
    expect(await studio.accessibility()).toEqual([]);
  });

  it('is read as the pages of its Word file', async () => {
    await page.getByRole('tab', { name: 'Manuscript' }).click();
    await page.getByRole('radiogroup', { name: 'Beside the manuscript' }).getByText('Word').click();
    await page.locator('.word-preview').getByText('What customers saw').first().waitFor();
    const line = await page.evaluate<number>(`(() => {
      const paragraphs = [...document.querySelector('.word-preview').shadowRoot.querySelectorAll('p')];
      const shown = paragraphs.find(({ textContent }) => textContent.includes('depots could not print'));
      return parseFloat(getComputedStyle(shown).lineHeight);
    })()`);
    expect(line).toBeCloseTo(14 * (96 / 72), 1);
    // Only Word counts pages.
    const footers = await page.locator('.word-preview footer').allTextContents();
    expect([...new Set(footers.map((text) => text.trim()))]).toEqual(['']);
    expect(await studio.accessibility()).toEqual([]);
  });

  it('X1 shows each line beside its counterpart, by mouse and by keyboard', async () => {
    await page.getByRole('radiogroup', { name: 'Beside the manuscript' }).getByText('Sources').click();
    const source = page.getByRole('listbox', { name: '01-timeline.md' });
    const line = source.getByRole('option').filter({ hasText: 'Severity: SEV-2' });
    await line.click();
    const text = page.getByRole('region', { name: 'Manuscript' });
    await text.locator('[data-chosen]').getByText('Severity: SEV-2').waitFor();
    await text.getByText('Date: 12 March').click();
    await source.getByRole('option', { selected: true }).filter({ hasText: 'Date: 12 March' }).waitFor();
    await line.click();
    await source.focus();
    await page.keyboard.press('ArrowDown');
    await source.getByRole('option', { selected: true }).filter({ hasText: 'Date: 12 March' }).waitFor();
    expect(await studio.accessibility()).toEqual([]);
    await page.getByRole('tab', { name: 'Ledger' }).click();
    await page.getByText('100% of the source lines are accounted for', { exact: true }).waitFor();
    await page.getByRole('cell', { name: '01-timeline.md' }).waitFor();
    expect(studio.faults).toEqual([]);
  });

  it('shows an API key once, and revokes it', async () => {
    await studio.open('/access');
    await page.getByRole('button', { name: 'New key' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('<img src=x onerror=alert(1)>');
    await dialog.getByRole('button', { name: 'Create the key' }).click();
    await dialog.getByText(/^scr_[0-9a-f]{12}_/).waitFor();
    await page.keyboard.press('Escape');
    const row = page.getByRole('row', { name: /onerror/ });
    await row.getByRole('button', { name: /^Revoke/ }).click();
    await row.getByRole('button', { name: /^Revoke permanently/ }).click();
    await row.getByText('revoked', { exact: true }).waitFor();
    expect(studio.faults).toEqual([]);
  });
});
