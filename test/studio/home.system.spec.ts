import { chromiumPath } from '#testing/browser.js';
import { MISSING_IMAGE } from '#testing/examples.js';
import { sharedStack } from '#testing/shared-stack.js';
import { chooseFolder, openStudio, type Studio } from '#testing/studio.js';
import type { Page } from 'playwright-core';

const FILES: Record<string, string> = {
  'a/readme.md': '# One\n\nFirst.\n',
  'b/readme.md': '# Two\n\nSecond.\n',
  'b/empty.md': '',
  'b/tool.md': '\u0000\u0001\u0002\u0003binary',
};

/** The first page, with which a new user decides. */
(chromiumPath ? describe : describe.skip)('the first page of the studio (chromium)', () => {
  let studio: Studio;
  let page: Page;

  beforeAll(async () => {
    studio = await openStudio(await sharedStack());
    ({ page } = studio);
  });
  afterAll(() => studio.close());
  afterEach(() => expect(studio.faults).toEqual([]));

  it('keeps the folders of files, names those that it leaves out, and lets files be moved and removed', async () => {
    await studio.open('/');
    await page.locator('.drop-zone').waitFor();
    const faces =
      '[...document.fonts].filter(({ status }) => status === "loaded").map(({ family }) => family)';
    expect(await page.evaluate<string[]>(`document.fonts.ready.then(() => ${faces})`)).toContain(
      'Source Sans 3',
    );
    await chooseFolder(page, FILES);
    const chosen = page.getByRole('region', { name: '2 files' });
    await chosen.waitFor();
    const names = () => chosen.getByRole('listitem').locator('.chosen-name').allTextContents();
    expect(await names()).toEqual(['a/readme.md', 'b/readme.md']);
    await page.getByRole('alert').getByText('b/empty.md: it is empty').waitFor();
    await page.getByRole('alert').getByText('b/tool.md: it is not text, despite its name').waitFor();
    expect(await studio.accessibility()).toEqual([]);
    await chosen.getByRole('button', { name: 'Move down: a/readme.md' }).click();
    await chosen.getByRole('listitem').first().filter({ hasText: 'b/readme.md' }).waitFor();
    expect(await names()).toEqual(['b/readme.md', 'a/readme.md']);
    await chosen.getByRole('button', { name: 'Remove: a/readme.md' }).click();
    await page.getByRole('region', { name: '1 file' }).waitFor();
    await page.getByRole('button', { name: 'Remove all' }).click();
  });

  it('starts the example by one click, then shows it once, as work that needs an answer', async () => {
    await studio.open('/');
    await page.getByRole('button', { name: 'No files at hand? Write the example' }).click();
    await page.getByRole('region', { name: MISSING_IMAGE }).waitFor();
    await page.getByText('needs your answer').waitFor();
    await page.getByRole('link', { name: 'Scriptorium' }).click();
    const open = page.getByRole('region', { name: 'Waiting for you' });
    await open.getByText('Files are missing').waitFor();
    // What waits is listed once.
    expect(await page.getByRole('link', { name: '01-timeline.md' }).count()).toBe(1);
    expect(await studio.accessibility()).toEqual([]);
    await page
      .getByRole('navigation')
      .getByRole('link', { name: /^Inbox/ })
      .click();
    await page.getByRole('heading', { level: 1, name: 'Inbox' }).waitFor();
    // Before there is a heading, the document is named for its first file.
    await page.getByRole('link', { name: '01-timeline.md', exact: true }).waitFor();
    await page.getByRole('region', { name: MISSING_IMAGE }).waitFor();
    expect(await studio.accessibility()).toEqual([]);
  });

  it('offers to write a cancelled document again', async () => {
    const { items } = (await studio.tenant.get('/api/sessions?kind=document')).json as {
      items: { id: string }[];
    };
    await studio.open(`/documents/${items[0]!.id}`);
    await page.getByRole('button', { name: 'Cancel', exact: true }).click();
    await page.getByRole('button', { name: 'Cancel permanently' }).click();
    await page.getByRole('link', { name: 'Scriptorium' }).click();
    await page.getByRole('region', { name: 'Continue' }).getByRole('link').first().click();
    await page.getByRole('button', { name: 'Write again', exact: true }).click();
    await page.getByRole('region', { name: MISSING_IMAGE }).waitFor();
  });
});
