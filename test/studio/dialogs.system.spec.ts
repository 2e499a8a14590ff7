import { chromiumPath } from '#testing/browser.js';
import { ArticleDesk } from '#testing/article-desk.js';
import { exampleFiles } from '#testing/examples.js';
import { sharedStack } from '#testing/shared-stack.js';
import { openStudio, type Studio } from '#testing/studio.js';
import { TEST_ADMIN_PASSWORD } from '#testing/test-stack.js';
import type { Page } from 'playwright-core';

const NETS = '# Nets\n\nNets are mended in winter. Each net has 400 knots.\n';
const LISTING = { tasks: [{ id: 'list', tool: 'list_inputs', arguments: {}, depends_on: [] }] };
const ALWAYS = { hil: { approval_required: 'always' } };

/** Dialogs, menus and tooltips that no journey opens; `pages.system.spec.ts` opens those of new items. */
(chromiumPath ? describe : describe.skip)('dialogs of the studio (chromium)', () => {
  let studio: Studio;
  let page: Page;

  beforeAll(async () => {
    studio = await openStudio(await sharedStack());
    ({ page } = studio);
  });
  afterAll(() => studio.close());
  afterEach(() => expect(studio.faults).toEqual([]));

  it('account', async () => {
    await studio.open('/');
    const account = page.getByRole('banner').getByRole('button', { name: 'tenant' });
    await account.click();
    await page.getByRole('menuitem', { name: 'Sign out' }).waitFor();
    expect(await studio.accessibility()).toEqual([]);
    await page.keyboard.press('Escape');
    await page.getByRole('menuitem', { name: 'Sign out' }).waitFor({ state: 'hidden' });
    await account.and(page.locator(':focus')).waitFor();
  });

  it('new name of a book', async () => {
    const { id } = (await studio.tenant.post('/api/books/projects', { title: 'Ropes' })).json;
    await studio.open(`/books/${String(id)}/concept`);
    await page.getByRole('button', { name: 'Rename: Ropes' }).click();
    await page.getByRole('dialog', { name: 'Rename' }).getByRole('button').last().waitFor();
    expect(await studio.accessibility()).toEqual([]);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'Rename: Ropes' }).and(page.locator(':focus')).waitFor();
  });

  it('begin in their first field, not on the ×', async () => {
    await studio.open('/articles');
    await page.getByRole('button', { name: 'New article' }).first().click();
    await page.getByRole('dialog').getByLabel('Topic').and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Escape');
  });

  it('a second press confirms, Escape takes the first back, and a press elsewhere counts', async () => {
    const session = await studio.tenant.sessionWith({ 'nets.md': NETS });
    await studio.tenant.post('/api/agents/runs', {
      session_id: session,
      kind: 'plan',
      inputs: { dag: LISTING, config: ALWAYS },
    });
    const [run] = (await studio.tenant.get('/api/agents/runs')).json.items as { id: string }[];
    await studio.tenant.decision(run!.id);
    await studio.open(`/runs/${run!.id}`);
    const cancel = page.getByRole('button', { name: 'Cancel', exact: true });
    const confirm = page.getByRole('button', { name: 'Cancel permanently' });
    await cancel.click();
    await confirm.waitFor();
    await page.keyboard.press('Escape');
    await cancel.click();
    await confirm.waitFor();
    await page.getByRole('link', { name: 'Work' }).click();
    await page.waitForURL(/\/work$/);
    expect((await studio.tenant.run(run!.id)).status).toBe('needs_answer');
  });

  it('the service page accepts the right password after a wrong one', async () => {
    await studio.open('/service');
    const password = page.getByLabel('Password', { exact: true });
    await password.fill('wrong');
    await page.getByRole('button', { name: 'Show' }).click();
    await page.getByText('Wrong user name or password.').waitFor();
    await password.fill(TEST_ADMIN_PASSWORD);
    await page.getByRole('button', { name: 'Show' }).click();
    await page.getByText('Wrong user name or password.').waitFor({ state: 'detached' });
    await page.getByRole('table').first().waitFor();
    studio.faults.length = 0;
  });

  it('a list says that the service does not respond', async () => {
    await studio.open('/webhooks');
    await page.context().setOffline(true);
    await page.getByRole('link', { name: 'Work' }).click();
    await page.getByText('The service does not respond. Trying again …').first().waitFor();
    await page.context().setOffline(false);
    await page.getByRole('button', { name: 'New', exact: true }).waitFor();
    studio.faults.length = 0;
  });

  /** Opens a run of a kind that was cancelled while it waited for an answer. */
  const openCancelled = async (kind: string, inputs: object) => {
    const { tenant } = studio;
    await new ArticleDesk(tenant).collection('knowledge', { 'nets.md': NETS });
    const session = await tenant.sessionWith({ 'nets.md': NETS });
    const started = await tenant.post('/api/agents/runs', { session_id: session, kind, inputs });
    const id = String(started.json['id']);
    await tenant.decision(id);
    await tenant.post(`/api/agents/runs/${id}/cancel`);
    await studio.open(`/${kind}s/${id}`);
  };

  it('another start of a cancelled plan begins with its steps', async () => {
    await openCancelled('plan', { dag: LISTING, config: ALWAYS });
    await page.getByRole('link', { name: 'Edit and start again' }).click();
    await page.getByRole('heading', { name: 'New plan' }).waitFor();
    await page.getByRole('group', { name: 'Graph of the plan' }).getByText('List the files').waitFor();
    expect(await studio.accessibility()).toEqual([]);
  });

  it('another start of a cancelled article', async () => {
    const [label, words] = ['Topic', 'How nets are mended'];
    await openCancelled('article', { topic: words });
    const opener = page.getByRole('button', { name: 'Edit and start again' });
    await opener.click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel(label).waitFor();
    expect(await dialog.getByLabel(label).inputValue()).toBe(words);
    expect(await studio.accessibility()).toEqual([]);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    await opener.and(page.locator(':focus')).waitFor();
  });

  it('a button that cannot delete running work says why', async () => {
    const { tenant } = studio;
    const session = await tenant.sessionWith(exampleFiles('incident'));
    await tenant.decision((await tenant.startRun(session)).id);
    await studio.open(`/documents/${session}`);
    await page.getByRole('button', { name: /^Delete: / }).focus();
    await page.getByRole('tooltip').getByText('Cancel the running work before you delete it.').waitFor();
    expect(await studio.accessibility()).toEqual([]);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: '01-timeline.md' }).waitFor();
    expect(await page.getByRole('button', { name: 'Undo' }).count()).toBe(0);
  });
});
