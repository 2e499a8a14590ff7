import { ArticleDesk } from '#testing/article-desk.js';
import { chromiumPath } from '#testing/browser.js';
import { WordEditor } from '#testing/docx/word-editor.js';
import { sharedStack } from '#testing/shared-stack.js';
import { openStudio, tabTo, type Studio } from '#testing/studio.js';
import { until } from '#testing/until.js';
import type { Page } from 'playwright-core';

const SOURCE = '# Incident\n\nThe **pool** was too small for us.\n\nNobody saw it.\n\nThe end.\n';

/** Proposals that are read in their text and decided by keys alone. */
(chromiumPath ? describe : describe.skip)('proposals in a text in the studio (chromium)', () => {
  let studio: Studio;
  let page: Page;

  beforeAll(async () => {
    studio = await openStudio(await sharedStack());
    ({ page } = studio);
  });
  afterAll(() => studio.close());

  /** Writes a document, and sends its Word file back as two reviewers changed it. */
  const returned = async () => {
    const { tenant } = studio;
    const session = await tenant.sessionWith({ 'incident.md': SOURCE });
    await tenant.completed((await tenant.startRun(session)).id);
    const { items } = (await tenant.get(`/api/sessions/${session}/exports`)).json as {
      items: { id: string }[];
    };
    const url = `${tenant.baseUrl}/api/sessions/${session}/exports/${items[0]!.id}`;
    const response = await fetch(url, { headers: { authorization: `Bearer ${tenant.key}` } });
    const editor = new WordEditor(new Uint8Array(await response.arrayBuffer()));
    const pool = editor.find('was too small');
    editor.insert(pool, 22, ' today', 'Ann');
    editor.delete(pool, 4, 8, 'Ann');
    editor.insert(pool, 4, 'tank', 'Ann');
    editor.insert(editor.find('Nobody'), 14, ' Really.', 'Bob');
    const form = new FormData();
    form.append('file', new Blob([Buffer.from(editor.save())]), 'back.docx');
    const review = await tenant.post(`/api/sessions/${session}/reviews`, form);
    await tenant.completed(String(review.json.id));
    return session;
  };

  it('X9 are accepted, rejected and taken back by keys, and the accepted ones make a new manuscript', async () => {
    const session = await returned();
    await studio.open(`/documents/${session}`);
    await page.getByRole('tab', { name: 'Word file that came back' }).click();
    const list = page.getByRole('group', { name: 'Word file that came back' });
    const status = list.getByRole('status');
    await list.locator('del', { hasText: 'pool' }).waitFor();
    await list.locator('ins', { hasText: 'tank' }).waitFor();
    await list.locator('ins', { hasText: 'Really.' }).waitFor();
    expect(await studio.accessibility()).toEqual([]);
    const [first, , last] = await list.getByRole('article').all();
    await tabTo(page, first!);
    await page.keyboard.press('a');
    await status.getByText('2 open · 1 accepted · 0 rejected').waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('r');
    await status.getByText('1 open · 1 accepted · 1 rejected').waitFor();
    await page.keyboard.press('u');
    await status.getByText('2 open · 1 accepted · 0 rejected').waitFor();
    await last!.and(page.locator(':focus')).waitFor();
    await page.keyboard.press('r');
    await list.locator('ins', { hasText: 'Really.' }).waitFor();
    await page.keyboard.press('k');
    await list.locator('ins', { hasText: 'Really.' }).waitFor({ state: 'hidden' });
    await page.keyboard.press('Tab');
    await tabTo(page, list.getByLabel('Whose proposals'));
    await page.keyboard.type('Ann');
    await tabTo(page, list.getByRole('button', { name: 'Accept all open' }));
    await page.keyboard.press('Enter');
    await status.getByText('0 open · 2 accepted · 1 rejected').waitFor();
    await page.keyboard.press('u');
    await status.getByText('1 open · 1 accepted · 1 rejected').waitFor();
    await page.keyboard.press('a');
    await status.getByText('0 open · 2 accepted · 1 rejected').waitFor();
    expect(await studio.accessibility()).toEqual([]);
    await tabTo(page, list.getByRole('button', { name: 'Make a new Word file' }));
    await page.keyboard.press('Enter');
    const changed = SOURCE.replace('**pool**', '**tank**')
      .replace('too small', 'too small today')
      .split('\n')[2];
    const text = async () => (await studio.tenant.get(`/api/sessions/${session}/manuscript`)).text;
    await until('there is a new manuscript', async () => (await text()).includes('today'));
    expect(await text()).toContain(changed);
    expect(await text()).toContain('Nobody saw it.\n');
    expect(studio.faults).toEqual([]);
  });

  it('A7 of the style rules stand in the text with their reasons, and only the accepted ones are applied', async () => {
    const desk = new ArticleDesk(studio.tenant);
    const text =
      '# On nets\n\nWe mended the the nets by hand.\n\nNothing is wrong here.\n\nWe wrote  it down.\n';
    const run = await desk.start('shadow', { user_text: text, rules: 'general' });
    await desk.asked(run);
    await studio.open(`/articles/${run.id}`);
    const list = page.getByRole('group', { name: 'Your text' });
    await list.getByText('Nothing is wrong here.').waitFor();
    await list.locator('del', { hasText: 'the' }).waitFor();
    expect(await studio.accessibility()).toEqual([]);
    await tabTo(page, list.getByRole('article', { name: 'Change 1' }));
    await page.keyboard.press('r');
    await page.keyboard.press('a');
    await list.getByText('0 open · 1 accepted · 1 rejected').waitFor();
    await page.reload();
    await list.getByText('0 open · 1 accepted · 1 rejected').waitFor();
    // What another client decides counts and is shown.
    const path = `/api/sessions/${run.session_id}/proposals`;
    const { items } = (await studio.tenant.get(path)).json as { items: { number: number }[] };
    const decision = { state: 'rejected', numbers: [items[1]!.number] };
    await studio.tenant.post(`${path}/${run.id}/decisions`, decision);
    await page.reload();
    await list.getByText('0 open · 0 accepted · 2 rejected').waitFor();
    await studio.tenant.post(`${path}/${run.id}/decisions`, { ...decision, state: 'accepted' });
    await page.reload();
    await tabTo(page, page.getByRole('button', { name: 'Apply 1 change', exact: true }));
    await page.keyboard.press('Enter');
    await desk.ended(run);
    expect(await desk.result(run, 'corrected')).toBe(text.replace('wrote  it', 'wrote it'));
    expect(studio.faults).toEqual([]);
  });
});
