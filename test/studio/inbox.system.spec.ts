import { createDatabase, type Database } from '#db/client.js';
import { chromiumPath } from '#testing/browser.js';
import { askingFiles, MISSING_IMAGE } from '#testing/examples.js';
import { sharedStack } from '#testing/shared-stack.js';
import { openStudio, settled, type Studio } from '#testing/studio.js';
import { until } from '#testing/until.js';
import type { Page } from 'playwright-core';
import { from, task } from '../e2e/plan-bodies.js';

/** Notifications of a browser that allows them and shows another window; headless browsers show none. */
const NOTIFIED = `
  window.notified = [];
  window.Notification = class {
    static permission = 'granted';
    constructor(title, { body }) { this.body = body; window.notified.push(this); }
  };
  Object.defineProperty(document, 'hidden', { get: () => true });`;

/** What leads to the questions of the inbox from elsewhere. */
(chromiumPath ? describe : describe.skip)('the inbox of the studio (chromium)', () => {
  let studio: Studio;
  let page: Page;
  let db: Database;

  beforeAll(async () => {
    const stack = await sharedStack();
    db = createDatabase(stack.database.url, 2);
    studio = await openStudio(stack);
    ({ page } = studio);
  });
  afterAll(async () => {
    await studio.close();
    await db.$disconnect();
  });

  let asked = 0;
  /** Asks about a missing file; each source differs, because answers about a source are remembered. */
  const ask = async () => {
    const files = askingFiles();
    const note = `${Buffer.from(files['01-timeline.md']!).toString()}\nNote ${++asked}.\n`;
    const session = await studio.tenant.sessionWith({ ...files, '01-timeline.md': note });
    const run = await studio.tenant.startRun(session);
    return studio.tenant.decision(run.id);
  };
  const answer = (id: string) =>
    studio.tenant.post(`/api/decisions/${id}/answer`, { user_decisions: { [MISSING_IMAGE]: 'skip' } });
  const review = () => page.locator('.inbox-review');

  it('X3 opens the question of an address, also after its answer, next to newer ones', async () => {
    const [first, second] = [await ask(), await ask()];
    await answer(first.id);
    await studio.open(`/inbox?question=${first.id}`);
    await review().getByText('skip').first().waitFor();
    expect(await page.locator('[aria-current=true].inbox-entry').count()).toBe(0);
    expect(await studio.accessibility()).toEqual([]);
    await page.getByRole('tab', { name: 'Answered' }).click();
    await page.locator('[aria-current=true].inbox-entry').waitFor();
    expect(new URL(page.url()).search).toBe('?show=answered');
    await review().getByText(`${MISSING_IMAGE}: leave it out`).waitFor();
    expect(await review().getByText('Answer due').count()).toBe(0);
    await studio.open('/inbox?question=tsk_unknown');
    await review().getByRole('button', { name: 'Answer', exact: true }).waitFor();
    await answer(second.id);
    await page.getByText('No open questions').waitFor();
    expect(studio.faults).toEqual([]);
  });

  it('shows only the work of the chosen question, and the graph of a plan with its approval', async () => {
    const dag = { tasks: [task('list', 'list_inputs')] };
    const askFor = async (intent: string) => {
      const config = { hil: { approval_required: 'always' } };
      const session_id = await studio.tenant.sessionWith({ 'notes.md': '# Notes\n' });
      const { json } = await studio.tenant.post('/api/plans', { session_id, intent, config, dag });
      return { intent, question: await studio.tenant.decision(String(json.id)) };
    };
    const asked = [await askFor('First list'), await askFor('Second list')];
    await studio.open('/inbox');
    for (const { intent } of asked) {
      await page.getByRole('button', { name: intent }).click();
      await review().getByRole('link', { name: intent }).waitFor();
      expect(
        await review()
          .getByRole('link', { name: / list$/ })
          .count(),
      ).toBe(1);
      await review().getByRole('group', { name: 'Graph of the plan' }).getByText('List the files').waitFor();
    }
    expect(await studio.accessibility()).toEqual([]);
    for (const { question } of asked)
      await studio.tenant.post(`/api/decisions/${question.id}/answer`, { approved: true });
    await page.getByRole('tab', { name: 'Answered' }).click();
    await page.getByRole('button', { name: 'First list' }).click();
    await review().getByText('approved: yes').waitFor();
    // Its first line; the rest is Markdown.
    await review()
      .getByRole('heading', { name: /^Approval required[^#]*$/ })
      .waitFor();
    const goal = review().getByText('Goal: First list');
    expect(await goal.isVisible()).toBe(false);
    await review().getByText('Details').click();
    await goal.waitFor();
    expect(studio.faults).toEqual([]);
  });

  it('P5 names the values of a plan in its graph, and has the approval in view on a telephone', async () => {
    const read = task('read', 'read_input', { name: from('list', '/files/0/name') });
    const session_id = await studio.tenant.sessionWith({ 'notes.md': '# Notes\n' });
    const config = { hil: { approval_required: 'always' } };
    const dag = { tasks: [task('list', 'list_inputs'), read] };
    const { json } = await studio.tenant.post('/api/plans', { session_id, intent: 'Read', config, dag });
    const { id: first } = await studio.tenant.decision(String(json.id));
    await studio.tenant.post(`/api/decisions/${first}/answer`, { approved: true });
    await page.setViewportSize({ width: 390, height: 844 });
    await studio.open(`/plans/${String(json.id)}`);
    await page.getByRole('group', { name: 'Graph of the plan' }).getByText('Read notes.md').waitFor();
    const approve = page.getByRole('button', { name: 'Approve', exact: true });
    const { y, height } = (await approve.boundingBox())!;
    expect(y + height).toBeLessThanOrEqual(844);
    expect(await studio.accessibility()).toEqual([]);
    // An approval of an earlier release has no phrase; its text explains to programs how to answer.
    const { id } = await studio.tenant.decision(String(json.id));
    const { input } = await db.task.findUniqueOrThrow({ where: { id } });
    await db.task.update({ where: { id }, data: { input: { ...(input as object), phrase: null } } });
    const summary = page.getByText('What was done and what comes next, as text');
    expect(await summary.count()).toBe(1);
    await page.reload();
    await page.getByText('What runs next').waitFor();
    expect(await summary.count()).toBe(0);
    await approve.click();
    await page.getByText('completed', { exact: true }).waitFor();
    await page.setViewportSize({ width: 1280, height: 900 });
    expect(studio.faults).toEqual([]);
  });

  it('shows the list or a question on a telephone', async () => {
    const { id } = await ask();
    await page.setViewportSize({ width: 390, height: 844 });
    await studio.open('/inbox');
    const entry = page.locator('.inbox-entry').first();
    await entry.waitFor();
    expect(await review().isVisible()).toBe(false);
    await entry.click();
    await review().getByRole('button', { name: 'Answer', exact: true }).waitFor();
    expect(await entry.isVisible()).toBe(false);
    expect(await studio.accessibility()).toEqual([]);
    await page.getByRole('button', { name: /Inbox$/ }).click();
    await entry.waitFor();
    expect(await review().isVisible()).toBe(false);
    await page.setViewportSize({ width: 1280, height: 900 });
    await answer(id);
    expect(studio.faults).toEqual([]);
  });

  it('X3 notifies of a question and of its deadline, and the notification opens it', async () => {
    const other = await ask();
    await page.addInitScript(NOTIFIED);
    await studio.open('/work');
    await page.getByLabel('1 open question').waitFor();
    const due = await ask();
    const bodies = () => page.evaluate<string[]>('notified.map(({ body }) => body)');
    await until('the question is notified', async () => (await bodies()).length === 1);
    // Stays the last one of the list.
    await db.task.update({ where: { id: other.id }, data: { createdAt: new Date(0) } });
    const soon = { deadline: new Date(Date.now() + 3_600_000), createdAt: new Date(1) };
    await db.task.update({ where: { id: due.id }, data: soon });
    await until('the deadline is notified', async () => (await bodies()).length === 2);
    expect(await bodies()).toEqual(['2 open questions', 'A question must be answered soon.']);
    await page.evaluate('notified[1].onclick()');
    await page.waitForURL(`**/inbox?question=${due.id}`);
    await settled(page);
    await page.locator('li + li > [aria-current=true].inbox-entry').waitFor();
    for (const { id } of [other, due]) await answer(id);
    expect(studio.faults).toEqual([]);
  });
});
