import { chromiumPath } from '#testing/browser.js';
import { startPageServer, type PageServer } from '#testing/page-server.js';
import { sharedStack } from '#testing/shared-stack.js';
import { openStudio, type Studio } from '#testing/studio.js';
import type { Page } from 'playwright-core';

const PAGE = `<!doctype html><title>The lighthouse of Marrow Point</title><meta name="author" content="Ada Nowak">
  <meta name="date" content="2019-04-02"><h1>The lighthouse</h1><p>The lighthouse of Marrow Point was built in 1871.</p>`;
const LOG = '# Log\n\nThe lamp of the lighthouse burned colza oil until 1902.\n';

/** An author names a page and a file, and opens the stored copies at the cited passages. */
(chromiumPath ? describe : describe.skip)('named sources in the studio (chromium)', () => {
  let studio: Studio;
  let page: Page;
  let web: PageServer;

  beforeAll(async () => {
    const stack = await sharedStack('private');
    web = await startPageServer({ '/lighthouse': { body: PAGE } });
    studio = await openStudio({ url: stack.url, tenant: () => stack.tenant() });
    ({ page } = studio);
  });
  afterAll(async () => {
    await studio.close();
    await web.stop();
  });

  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const region = (name: string) => page.getByRole('region', { name });

  async function nameSources() {
    await page.getByRole('combobox', { name: 'Pages to use' }).fill(`${web.baseUrl}/lighthouse`);
    await page.keyboard.press('Enter');
    const buffer = Buffer.from(LOG);
    const input = page.locator('input[type=file]').first();
    await input.setInputFiles({ name: 'log.md', mimeType: 'text/markdown', buffer });
  }

  async function copyShows(words: string) {
    await page
      .getByText(/^Lines? /)
      .or(page.getByRole('status'))
      .first()
      .waitFor();
    await page.getByText(words).first().waitFor();
    expect(await studio.accessibility()).toEqual([]);
  }

  it('A6 an article is researched in a page and a file, and the copy of the page opens at the passage', async () => {
    await studio.open('/articles');
    await button('New article').first().click();
    await page.getByLabel('Topic').fill('The lighthouse of Marrow Point');
    await nameSources();
    await button('Start').click();
    const research = region('Research and structure');
    await research.waitFor();
    await research.getByText('Ada Nowak, 2019-04-02').waitFor();
    await research.getByText('log.md').first().waitFor();
    expect(await studio.accessibility()).toEqual([]);
    await research.getByRole('link', { name: 'The lighthouse of Marrow Point' }).first().click();
    await page.waitForURL(/\/knowledge\/.*from=/);
    await copyShows('built in 1871');
    await page.getByText('Ada Nowak, 2019-04-02').waitFor();
  });

  it('A6 an article rejects what is no address of a page', async () => {
    await studio.open('/articles');
    await button('New article').first().click();
    await page.getByRole('combobox', { name: 'Pages to use' }).fill('hello world');
    await page.keyboard.press('Enter');
    await page.getByText('hello world: not added, because an address begins with https://').waitFor();
  });

  it('A6 offers no pages, and says why, where the service reads none', async () => {
    const without = await openStudio(await sharedStack());
    try {
      await without.open('/articles');
      await without.page.getByRole('button', { name: 'New article' }).first().click();
      await without.page.getByText('This installation does not read web pages.').waitFor();
      await without.page.getByRole('button', { name: 'Files to use' }).waitFor();
      expect(await without.page.getByRole('combobox', { name: 'Pages to use' }).count()).toBe(0);
      expect(await without.accessibility()).toEqual([]);
    } finally {
      await without.close();
    }
  });

  it('B14 a chapter is written from a page and a file, and lists what it cites', async () => {
    const { tenant } = studio;
    const book = (await tenant.post('/api/books/projects', { title: 'Lighthouses' })).json as { id: string };
    await tenant.post(`/api/books/projects/${book.id}/chapters`, { title: 'Marrow Point' });
    await studio.open(`/books/${book.id}/drafting`);
    await page.getByRole('heading', { name: '1. Marrow Point' }).waitFor();
    await nameSources();
    await button('Write').click();
    await page.getByRole('tab', { name: '2 citations' }).click();
    await page.getByText('Ada Nowak, 2019-04-02').waitFor();
    expect(await studio.accessibility()).toEqual([]);
    await page.getByRole('link', { name: 'The lighthouse of Marrow Point' }).click();
    await page.waitForURL(/\/knowledge\/.*from=/);
    await copyShows('built in 1871');
  });
});
