import { createDatabase, type Database } from '#db/client.js';
import { ArticleDesk } from '#testing/article-desk.js';
import { chromiumPath } from '#testing/browser.js';
import { RunLog } from '#testing/run-log.js';
import { sharedStack, type SharedStack } from '#testing/shared-stack.js';
import { openStudio, type Studio } from '#testing/studio.js';
import { until } from '#testing/until.js';
import type { Page } from 'playwright-core';

/** Number of attempts of the studio to read something before it shows an error. */
const TRIES = 7;
/** Style sheets of a page that failed to load. */
const UNSTYLED = `[...document.querySelectorAll('link[rel=stylesheet]')].filter(({ sheet }) => !sheet).map(({ href }) => href)`;

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

  /** A run of the tenant that no runner claims; the tests write its events. */
  async function ownRun(): Promise<{ log: RunLog; sessionId: string }> {
    const { id } = (await studio.tenant.post('/api/sessions', { title: 'Busy' })).json;
    const { tenantId } = await db.session.findUniqueOrThrow({ where: { id: String(id) } });
    const log = await RunLog.create(db, tenantId);
    const lease = { leaseUntil: new Date(Date.now() + 3_600_000) };
    const { sessionId } = await db.run.update({ where: { id: log.runId }, data: lease });
    await log.append(1, {}, 'state_updated');
    return { log, sessionId };
  }

  it('show the progress of a run during constant events', async () => {
    const { log, sessionId } = await ownRun();
    await studio.open(`/documents/${sessionId}`);
    const label = 'Chapter 7 is being written';
    await db.run.update({ where: { id: log.runId }, data: { summary: { label } } });
    // The next event arrives before the page has processed the previous one, so the run is never silent.
    let isShown = false;
    const shown = page
      .getByText(label)
      .waitFor()
      .finally(() => (isShown = true));
    for (let n = 0; !isShown; n++) await log.append(1, { n }, 'state_updated');
    await shown;
    await log.end();
  });

  it('X5 compare a fork while it is written and again after its end, and promote it after a second click', async () => {
    const { log, sessionId } = await ownRun();
    const { id: origin } = (await studio.tenant.post('/api/sessions', { title: 'Original' })).json;
    await db.session.update({ where: { id: sessionId }, data: { forkedFrom: String(origin) } });
    let added = 0;
    const side = { session_id: sessionId, version: 'v', lines: 1 };
    const hunk = { old_start: 1, old_lines: 0, new_start: 1, new_lines: 1, lines: ['+A line.'] };
    await page.route('**/diff?*', (route) =>
      route.fulfill({ json: { from: side, to: side, added, removed: 1555, hunks: [hunk] } }),
    );
    await studio.open(`/runs/${log.runId}`);
    const fork = page.getByRole('region', { name: 'Fork' });
    await fork.getByText('The fork is still running').waitFor();
    await fork.getByText('Lines added: 0, removed: 1555').waitFor();
    added = 800;
    await log.append(1, {}, 'checkpoint_saved');
    await fork.getByText('Lines added: 800, removed: 1555').waitFor();
    added = 1_600;
    await db.run.update({ where: { id: log.runId }, data: { status: 'completed', finishedAt: new Date() } });
    await log.end();
    await fork.getByText('Lines added: 1600, removed: 1555').waitFor();
    await fork.getByText('The fork is still running').waitFor({ state: 'detached' });

    let promoted = 0;
    await page.route('**/promote', (route) => {
      promoted++;
      return route.fulfill({
        status: 409,
        json: { status: 409, code: 'run_active', title: 'A run', detail: '' },
      });
    });
    await fork.getByRole('button', { name: 'Promote', exact: true }).click();
    await fork.getByText('The text of this fork replaces the text of the original').waitFor();
    expect(promoted).toBe(0);
    expect(await studio.accessibility()).toEqual([]);
    await fork.getByRole('button', { name: 'Promote now' }).click();
    await until('the fork is promoted', () => promoted === 1);
    await page.unrouteAll();
  });

  it('show the end of a run whose events do not arrive', async () => {
    const { log } = await ownRun();
    await page.route('**/events?after=*', () => undefined);
    await studio.open(`/runs/${log.runId}`);
    await page.getByText('working', { exact: true }).first().waitFor();
    await db.run.update({ where: { id: log.runId }, data: { status: 'completed', finishedAt: new Date() } });
    await page.getByText('completed', { exact: true }).first().waitFor();
    await page.unroute('**/events?after=*');
    await log.end();
  });

  it('reopen a silent stream and repeat a request without response, as after an unnoticed loss of the connection', async () => {
    const { log } = await ownRun();
    await page.clock.install();
    const dead = new Set<string>();
    const once = (path: string) =>
      page.route(path, (route) => {
        if (dead.has(path)) return route.continue();
        dead.add(path);
      });
    const [run, stream] = [
      `**/api/agents/runs/${log.runId}`,
      `**/api/agents/runs/${log.runId}/events?after=*`,
    ];
    await once(run);
    await once(stream);
    await page.goto(`${studio.url}/runs/${log.runId}`);
    await until('run and stream are asked for', () => dead.has(run) && dead.has(stream));
    await page.clock.fastForward('00:46');
    await page.getByText('working', { exact: true }).first().waitFor();
    await page.getByRole('tab', { name: 'Events' }).click();
    await page.getByRole('option', { name: /The state changed/ }).waitFor();
    await page.unrouteAll();
    await log.end();
  });

  it('keep typed text while no gateway responds', async () => {
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
    // A page that becomes visible reloads outdated data.
    await until('the page asks for the run', async () => {
      await page.evaluate('window.dispatchEvent(new Event("visibilitychange"))');
      return refused > 0;
    });
    await until(
      'the page has tried as often as it does',
      () => refused,
      (count) => count >= TRIES,
    );
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
    expect(await headings.inputValue()).toBe('# Words of mine');
    expect(await page.getByRole('alert').count()).toBe(0);
  });

  it('are shown completely although a part was requested while no gateway was available', async () => {
    await studio.open('/documents');
    let isAway = true;
    await page.route('**/*', (route) => (isAway ? route.abort('connectionrefused') : route.continue()));
    const failed = (path: string) =>
      page.waitForEvent('requestfailed', (request) => request.url().includes(path));
    const lost = Promise.all([failed('/assets/'), failed('/api/studio/session')]);
    await page.getByRole('button', { name: 'New document' }).first().click();
    await lost;
    isAway = false;
    await page.getByRole('dialog').locator('.drop-zone').waitFor();
    expect(await page.evaluate(UNSTYLED)).toEqual([]);

    await page.keyboard.press('Escape');
    isAway = true;
    const lostPage = Promise.all([failed('/assets/'), failed('/api/studio/session')]);
    await page.getByRole('link', { name: 'Sources', exact: true }).click();
    await lostPage;
    isAway = false;
    await page.getByRole('heading', { level: 1, name: 'Sources' }).waitFor();
    expect(await page.evaluate(UNSTYLED)).toEqual([]);
    await page.unrouteAll();
  });

  it('are reloaded by a button if a part no longer exists, as after an update', async () => {
    await studio.open('/knowledge');
    await page.route('**/assets/**', (route) => route.fulfill({ status: 404, body: 'gone' }));
    await page.getByRole('button', { name: 'New collection' }).first().click();
    await page.getByRole('alert').waitFor();
    await page.unrouteAll();
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('button', { name: 'New collection' }).first().click();
    await page.getByRole('dialog').getByLabel('Name').waitFor();
  });
});
