import { ArticleDesk } from '#testing/article-desk.js';
import { chromiumPath } from '#testing/browser.js';
import { sharedStack } from '#testing/shared-stack.js';
import { openStudio, type Studio } from '#testing/studio.js';
import { until } from '#testing/until.js';
import type { Page } from 'playwright-core';

/** Where something is removed from the page, and can be taken back. */
(chromiumPath ? describe : describe.skip)('what is removed in the studio (chromium)', () => {
  let studio: Studio;
  let page: Page;
  let desk: ArticleDesk;

  beforeAll(async () => {
    studio = await openStudio(await sharedStack());
    ({ page } = studio);
    desk = new ArticleDesk(studio.tenant);
  });
  afterAll(() => studio.close());

  const sourcesOf = async (collection: string) => {
    const { json } = await studio.tenant.get(`/api/knowledge/collections/${collection}/sources`);
    return (json.items as { name: string }[]).map(({ name }) => name).sort();
  };
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const row = (name: string) => page.getByRole('link', { name, exact: true });

  it('can be undone by a key from any page', async () => {
    const collection = await desk.collection('knowledge', { 'knots.md': 'Of knots.', 'nets.md': 'Of nets.' });
    const asked: string[] = [];
    page.on('request', (request) => request.method() === 'DELETE' && asked.push(request.url()));
    await studio.open(`/knowledge/${collection}`);
    await button('Remove: knots').click();
    await row('knots').waitFor({ state: 'detached' });
    await page.getByRole('navigation').getByRole('link', { name: 'Work' }).click();
    await page.getByRole('heading', { level: 1, name: 'Work' }).waitFor();
    await button('Undo: knots').press('Enter');
    await button('Undo: knots').waitFor({ state: 'detached' });
    await page.goBack();
    await row('knots').waitFor();
    expect(asked).toEqual([]);
    expect(await sourcesOf(collection)).toEqual(['knots.md', 'nets.md']);
  });

  it('X23 can be undone for a source of a document, and counts before the document is written again', async () => {
    const { tenant } = studio;
    const session = await tenant.sessionWith({ 'a.md': '# A\n', 'b.md': '# B\n' });
    const names = async () =>
      ((await tenant.get(`/api/sessions/${session}/inputs`)).json.items as { name: string }[]).map(
        ({ name }) => name,
      );
    await tenant.completed((await tenant.startRun(session)).id);
    await studio.open(`/documents/${session}?tab=sources`);
    await button('Remove: a.md').click();
    await button('Undo: a.md').click();
    await button('Remove: a.md').waitFor();
    expect(await names()).toEqual(['a.md', 'b.md']);
    await button('Remove: b.md').click();
    await button('Write again from these files').click();
    await until('the manuscript is written again', async () => {
      const { text } = await tenant.get(`/api/sessions/${session}/manuscript`);
      return text.includes('# A') && !text.includes('# B');
    });
    expect(await names()).toEqual(['a.md']);
  });

  it('removes the item if it is not undone, and keeps it with a message if the service refuses', async () => {
    const collection = await desk.collection('knowledge', {
      'sails.md': 'Of sails.',
      'masts.md': 'Of masts.',
    });
    await studio.open(`/knowledge/${collection}`);
    let letThrough = (): void => undefined;
    const held = new Promise<void>((resolve) => (letThrough = resolve));
    await page.route(/\/sources\/\w+$/, async (route) => {
      await held;
      await route.fulfill({ status: 503, body: 'no gateway' });
    });
    await button('Remove: sails').click();
    expect(await studio.accessibility()).toEqual([]);
    letThrough();
    await page.getByRole('alert').getByText('unavailable', { exact: true }).waitFor({ state: 'attached' });
    await row('sails').waitFor();
    await page.unroute(/\/sources\/\w+$/);
    const removed = page.waitForResponse((response) => response.request().method() === 'DELETE');
    await page.getByRole('alert').getByRole('button', { name: 'Try again' }).click();
    expect((await removed).status()).toBe(204);
    await button('Undo: sails').waitFor({ state: 'detached' });
    expect(await row('sails').count()).toBe(0);
    expect(await sourcesOf(collection)).toEqual(['masts.md']);
  });

  it('X5 a restore replaces the manuscript, and a run ends, only after a second click on a warning', async () => {
    const { tenant } = studio;
    const run = await tenant.startRun(await tenant.sessionWith({ 'a.md': '# A\n\nA line.\n' }));
    await tenant.completed(run.id);
    const asked: string[] = [];
    page.on('request', (request) => request.method() === 'POST' && asked.push(request.url()));
    await studio.open(`/runs/${run.id}`);
    await page.getByRole('option').last().click();
    await button('Restore to here').click();
    const warning = page.getByRole('alert').getByText('The document returns to the text at this checkpoint');
    await warning.waitFor();
    expect(await studio.accessibility()).toEqual([]);
    await page.keyboard.press('Tab');
    await warning.waitFor({ state: 'detached' });
    expect(asked).toEqual([]);
    await button('Restore to here').click();
    await button('Restore now').click();
    await page.waitForURL((url) => !url.pathname.endsWith(run.id));
    expect(asked).toEqual([expect.stringMatching(/\/restore$/)]);
  });

  it('takes effect immediately when the page is left', async () => {
    const collection = await desk.collection('knowledge', { 'ropes.md': 'Of ropes.' });
    await studio.open(`/knowledge/${collection}`);
    await button('Delete the collection').click();
    await page.getByRole('heading', { level: 1, name: 'Sources' }).waitFor();
    expect(await page.locator(`a[href$="${collection}"]`).count()).toBe(0);
    expect(studio.faults).toEqual([]);
    await page.goto('about:blank');
    await until(
      'the collection is not found',
      async () => (await studio.tenant.get(`/api/knowledge/collections/${collection}`)).status,
      (status) => status === 404,
    );
  });
});
