import { createDatabase, type Database } from '#db/client.js';
import { ArticleDesk } from '#testing/article-desk.js';
import { chromiumPath } from '#testing/browser.js';
import { RunLog } from '#testing/run-log.js';
import { sharedStack, type SharedStack } from '#testing/shared-stack.js';
import { openStudio, type Studio } from '#testing/studio.js';
import { until } from '#testing/until.js';
import type { Page } from 'playwright-core';

/** How often the studio tries to read something again before it says that it cannot. */
const TRIES = 7;
/** More of them, so often, than a page needs to take over what they tell. */
const BUSY_EVENTS = 150;
const PAUSE_MS = 100;

/** Pages that are open while their run is busy, or while a gateway is away. */
(chromiumPath ? describe : describe.skip)('pages of the studio that stay open (chromium)', () => {
  let stack: SharedStack;
  let studio: Studio;
  let page: Page;
  let db: Database;

  beforeAll(async () => {
    stack = await sharedStack();
    studio = await openStudio(stack);
    ({ page } = studio);
    db = createDatabase(stack.database.url, 1);
  });
  afterAll(async () => {
    await studio.close();
    await db.$disconnect();
  });

  it('show how far a run is while it tells something all the time', async () => {
    const { id } = (await studio.tenant.post('/api/sessions', { title: 'Busy' })).json;
    const { tenantId } = await db.session.findUniqueOrThrow({ where: { id: String(id) } });
    const log = await RunLog.create(db, tenantId);
    // Nobody takes up a run that a test writes.
    const lease = { leaseUntil: new Date(Date.now() + 3_600_000) };
    const { sessionId } = await db.run.update({ where: { id: log.runId }, data: lease });
    await log.append(1, {}, 'state_updated');
    await studio.open(`/documents/${sessionId}`);
    const label = 'Chapter 7 is being written';
    await db.run.update({ where: { id: log.runId }, data: { summary: { label } } });
    let isShown = false;
    const shown = page.getByText(label).waitFor();
    void shown.then(() => (isShown = true));
    for (let n = 0; n < BUSY_EVENTS && !isShown; n++) {
      await log.append(1, { n }, 'state_updated');
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
    expect(isShown).toBe(true);
    await log.end();
  });

  it('keep what somebody types while no gateway answers', async () => {
    const desk = new ArticleDesk(studio.tenant);
    await desk.collection('knowledge', { 'nets.md': '# Nets\n\nEach net has 400 knots.\n' });
    const run = await desk.start('author', { topic: 'How nets are mended', keywords: [] });
    await studio.open(`/articles/${run.id}`);
    const headings = page.getByRole('region', { name: 'Research and structure' }).getByLabel('Headings');
    await headings.fill('# Words of mine');
    let refused = 0;
    await page.route(`**/api/agents/runs/${run.id}`, (route) => {
      refused++;
      return route.fulfill({ status: 503, body: 'no gateway' });
    });
    // A page that comes to the front reads anew what is old.
    while (refused === 0) {
      await page.evaluate('window.dispatchEvent(new Event("visibilitychange"))');
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
    await until(() => Promise.resolve(refused >= TRIES));
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
    expect(await headings.inputValue()).toBe('# Words of mine');
    expect(await page.getByRole('alert').count()).toBe(0);
  });
});
