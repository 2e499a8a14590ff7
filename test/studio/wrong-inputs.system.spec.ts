import { chromiumPath } from '#testing/browser.js';
import { sharedStack } from '#testing/shared-stack.js';
import { openStudio, type Studio } from '#testing/studio.js';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';

const text = (name: string, content: string) => ({
  name,
  mimeType: 'text/plain',
  buffer: Buffer.from(content),
});
const BEES = text('bees.md', '# Bees\n\nA colony has one queen and 50,000 workers in summer.\n');
const EMPTY = text('empty.txt', '');
const BINARY = text('data.bin', '\0\0\0');

/** Inputs that cannot work are explained where they are entered, and the rest is used. */
(chromiumPath ? describe : describe.skip)('wrong inputs in the studio (chromium)', () => {
  let studio: Studio;
  let page: Page;

  beforeEach(async () => {
    const stack = await sharedStack();
    studio = await openStudio({ url: stack.url, tenant: () => stack.tenant() });
    ({ page } = studio);
  });
  afterEach(async () => {
    await studio.close();
  });

  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const start = () =>
    page.getByRole('main').or(page.getByRole('dialog')).getByRole('button', { name: 'Start', exact: true });

  async function bookWithChapters(...titles: string[]) {
    const book = (await studio.tenant.post('/api/books/projects', { title: 'Bees' })).json as { id: string };
    for (const title of titles)
      await studio.tenant.post(`/api/books/projects/${book.id}/chapters`, { title });
    return book.id;
  }

  it('A6 an article skips chosen files that have no text', async () => {
    await studio.open('/articles');
    await button('New article').first().click();
    await page.getByLabel('Topic').fill('Bees');
    await page.getByText('No sources yet').waitFor();
    await page.locator('input[type=file]').first().setInputFiles([BEES, EMPTY, BINARY]);
    await page.getByText('empty.txt: it is empty').waitFor();
    await page.getByText('data.bin: no text can be read from files of this type').waitFor();
    expect(await studio.accessibility()).toEqual([]);
    await start().click();
    await page.getByRole('region', { name: 'Research and structure' }).getByText('bees.md').first().waitFor();
  });

  it('A6 an article does not count the sources of books, because it cannot use them', async () => {
    const id = await bookWithChapters('Queens');
    await studio.open(`/books/${id}/concept`);
    await page.setInputFiles('input[type=file]', [BEES, EMPTY, BINARY]);
    await page.getByRole('link', { name: 'bees.md' }).waitFor();
    await page.getByText('empty.txt: it is empty').waitFor();
    await page.getByText('data.bin: no text can be read from files of this type').waitFor();
    await page.getByRole('row').getByText('ready', { exact: true }).waitFor();
    await studio.open('/articles');
    await button('New article').first().click();
    await page.getByLabel('Topic').fill('Bees');
    await page.getByText('No sources yet').waitFor();
    expect(await start().isDisabled()).toBe(true);
  });

  it('B22 a chapter is accepted only without unsaved changes, and the export names missing chapters', async () => {
    const id = await bookWithChapters('Queens', 'Drones');
    await studio.open(`/books/${id}/concept`);
    await page.setInputFiles('input[type=file]', [BEES]);
    await page.getByRole('row').getByText('ready', { exact: true }).waitFor();
    await studio.open(`/books/${id}/drafting`);
    await button('Write').click();
    await page.getByRole('tab', { name: 'Edit' }).click();
    await page.locator('.cm-content').click();
    await page.keyboard.press('ControlOrMeta+End');
    await page.keyboard.type('\n\nMy own sentence.\n');
    await page.getByText('Save or discard your changes to the text first.').waitFor();
    expect(await button('Accept').isDisabled()).toBe(true);
    await page.getByRole('tab', { name: 'Text' }).click();
    expect(await button('Accept').isDisabled()).toBe(true);
    await page.getByRole('tab', { name: 'Edit' }).click();
    await button('Save').click();
    await button('Accept').click();
    await button('Reopen').waitFor();
    await page.getByRole('tab', { name: 'Export' }).click();
    await page.getByText('The files will lack 1 chapter that has not been written: 2. Drones').waitFor();
    expect(await studio.accessibility()).toEqual([]);
  });

  it('B22 a failure is shown on the step of the book that it concerns', async () => {
    const id = await bookWithChapters('Queens');
    const operations = [{ op: 'remove', chapter: 1 }];
    const asked = { project_id: id, mode: 'refine_toc', inputs: { operations } };
    const { json } = await studio.tenant.post('/api/agents/runs', asked);
    await studio.tenant.events(String(json.id));
    await studio.open(`/books/${id}/outline`);
    const failure = page.getByText('The only chapter cannot be removed.', { exact: false });
    await failure.first().waitFor();
    expect(await failure.count()).toBe(1);
    await page.reload();
    await failure.first().waitFor();
    await page.getByRole('tab', { name: 'Drafting' }).click();
    await button('Write').waitFor();
    expect(await failure.count()).toBe(0);
  });

  it('P4 a rejected plan did not fail, and continues with the question', async () => {
    await studio.open('/plans');
    await button('New plan').first().click();
    await page.locator('input[type=file]').first().setInputFiles([BEES]);
    await page.getByRole('combobox', { name: 'Template' }).click();
    await page.getByRole('option', { name: 'List the input files' }).click();
    await page.getByRole('combobox', { name: 'Ask for approval' }).click();
    await page.getByRole('option', { name: 'before every step' }).click();
    await start().click();
    await button('Reject').click();
    await button('Continue from the last saved step').waitFor();
    await page
      .getByText(/ · not run$/)
      .first()
      .waitFor();
    expect(await page.getByText('The run failed').count()).toBe(0);
    await button('Continue from the last saved step').click();
    await button('Approve').waitFor();
  });

  it('A1 an article that failed early starts again with its topic', async () => {
    await studio.tenant.post('/api/knowledge/collections', { name: 'Notes' });
    await studio.open('/articles');
    await button('New article').first().click();
    await page.getByLabel('Topic').fill('Bees in winter');
    await page.getByLabel('Search the web only').or(page.getByRole('checkbox')).first().check();
    await start().click();
    await button('Edit and start again').click();
    expect(await page.getByRole('dialog').getByLabel('Topic').inputValue()).toBe('Bees in winter');
  });

  it('A1 an article that a person stopped starts again with its keywords and files', async () => {
    await studio.open('/articles');
    await button('New article').first().click();
    await page.getByLabel('Topic').fill('Bees in summer');
    await page.getByRole('combobox', { name: 'Keywords' }).fill('honey');
    await page.keyboard.press('Enter');
    await page.locator('input[type=file]').first().setInputFiles([BEES]);
    await start().click();
    await button('Stop here').click();
    await button('Stop permanently').click();
    await button('Edit and start again').click();
    const form = page.getByRole('dialog');
    expect(await form.getByLabel('Topic').inputValue()).toBe('Bees in summer');
    await form.getByText('honey', { exact: true }).waitFor();
    await form.getByText('bees.md', { exact: true }).first().waitFor();
    expect(await studio.accessibility()).toEqual([]);
    await form.getByLabel('Topic').fill('Bees in autumn');
    await form.getByRole('button', { name: 'Start', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Bees in autumn' }).waitFor();
    await page.getByRole('region', { name: 'Research and structure' }).getByText('bees').first().waitFor();
  });

  it('D7 a folder can be chosen without dropping it', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'studio-folder-'));
    await mkdir(join(folder, 'a'));
    await mkdir(join(folder, 'b'));
    await writeFile(join(folder, 'a', 'readme.md'), '# A\n');
    await writeFile(join(folder, 'b', 'readme.md'), '# B\n');
    const chooser = page.waitForEvent('filechooser');
    await button('Choose a folder').click();
    await (await chooser).setFiles(folder);
    await page.getByText('a/readme.md').waitFor();
    await page.getByText('b/readme.md').waitFor();
    expect(await studio.accessibility()).toEqual([]);
    await rm(folder, { recursive: true });
  });

  it('A3 a draft is edited or decided by paragraph, not both, and rules say that they only remove', async () => {
    await studio.open('/articles');
    await button('New article').first().click();
    await page.getByLabel('Topic').fill('Bees');
    await page.locator('input[type=file]').first().setInputFiles([BEES]);
    await start().click();
    await button('Approve and continue').click();
    await page.getByRole('tab', { name: 'Paragraph by paragraph' }).click();
    await page.getByText('Revising needs a model.').waitFor();
    await page.getByText('Reject', { exact: true }).first().click();
    await page.getByRole('tab', { name: 'Edit' }).click();
    await page.getByText('To edit the text instead, accept them first.').waitFor();
    await page.locator('.cm-content').click();
    await page.keyboard.type('Zebra');
    expect(await page.getByText('Zebra').count()).toBe(0);
  });

  it('X21 without a model, a plan starts from a template whose parameters are all given', async () => {
    await studio.open('/plans');
    await button('New plan').first().click();
    await page.getByText('Planning for a goal needs a model.').waitFor();
    expect(await page.getByLabel('Goal').count()).toBe(0);
    await page.locator('input[type=file]').first().setInputFiles([BEES]);
    await page.getByRole('combobox', { name: 'Template' }).click();
    await page.getByRole('option', { name: 'Extract text to Markdown' }).click();
    expect(await start().isDisabled()).toBe(true);
    await page.getByRole('combobox', { name: 'File' }).click();
    await page.getByRole('option', { name: 'bees.md' }).click();
    expect(await studio.accessibility()).toEqual([]);
    await start().click();
    await page.getByRole('link', { name: 'text.md' }).waitFor();
  });

  it('X2 a document names the file that an answer left out, also when an earlier answer is reused', async () => {
    const roof = text('roof.md', '# Roof\n\n![the roof](roof.png)\n\nThe roof leaks.\n');
    const note = page.getByText('Left out, as answered for these sources: roof.png.');
    await page.locator('input[type=file]').first().setInputFiles([roof]);
    await button('Write the document').click();
    await page.getByText('leave it out').first().click();
    await button('Answer').click();
    await note.waitFor();
    await studio.open('/');
    await page.locator('input[type=file]').first().setInputFiles([roof]);
    await button('Write the document').click();
    await page.getByRole('link', { name: 'Download DOCX' }).waitFor();
    await note.waitFor();
    expect(await studio.accessibility()).toEqual([]);
  });

  it('a page of a deleted document explains itself without advice for programs', async () => {
    await page.goto(`${studio.url}/documents/ses_00000000000000000000000000`);
    await page.getByText('It does not exist, or it has been deleted.').waitFor();
    expect(await page.getByText('GET /api').count()).toBe(0);
  });
});
