import { chromiumPath } from '#testing/browser.js';
import { sharedStack } from '#testing/shared-stack.js';
import { openStudio, type Studio } from '#testing/studio.js';
import type { Page } from 'playwright-core';

/** Lists of work: named for people, searchable, with actions on each item. */
(chromiumPath ? describe : describe.skip)('lists in the studio (chromium)', () => {
  let studio: Studio;
  let page: Page;

  const write = async (name: string, text: string) => {
    const { tenant } = studio;
    const session = String((await tenant.post('/api/sessions', {})).json['id']);
    await tenant.upload(session, { [name]: text });
    const run = String((await tenant.post('/api/agents/runs', { session_id: session })).json['id']);
    await tenant.completed(run);
    return { session, run };
  };

  beforeAll(async () => {
    studio = await openStudio(await sharedStack());
    ({ page } = studio);
    await write('nets.md', '# Mended **nets**\n\nNets are mended in winter.\n');
    await write('boats.md', '# Boats at anchor\n\nBoats lie at anchor.\n');
  });
  afterAll(() => studio.close());

  it('name documents by their first heading, and search keeps the text in the address', async () => {
    await studio.open('/documents');
    const row = page.getByRole('row', { name: /Mended nets/ });
    await row.getByText('completed').waitFor();
    await page.getByRole('searchbox').fill('BOATS');
    await row.waitFor({ state: 'detached' });
    expect(new URL(page.url()).search).toBe('?title=BOATS&kind=document');
    await page.reload();
    await page.getByRole('link', { name: 'Boats at anchor' }).waitFor();
    expect(await page.getByRole('link', { name: 'Mended nets' }).count()).toBe(0);
    await page.getByRole('searchbox').fill('no such title');
    await page.getByText('Nothing matches.').waitFor();
    expect(await studio.accessibility()).toEqual([]);
  });

  it('rename a document, and delete it after a time to undo', async () => {
    await studio.open('/documents');
    await page.getByRole('button', { name: 'Rename: Boats at anchor' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Title').fill('The harbour');
    expect(await studio.accessibility()).toEqual([]);
    await dialog.getByRole('button', { name: 'Rename' }).click();
    await page.getByRole('link', { name: 'The harbour' }).waitFor();
    await page.getByRole('button', { name: 'Delete: The harbour' }).click();
    await page.getByRole('link', { name: 'The harbour' }).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('link', { name: 'The harbour' }).waitFor();
  });

  it('name books with their stage and run, and rename, find and delete them', async () => {
    await studio.tenant.post('/api/books/projects', { title: 'Rope and canvas' });
    await studio.tenant.post('/api/books/projects', { title: 'Winter ice' });
    await studio.open('/books');
    await page.getByRole('row', { name: /Rope and canvas Book concept/ }).waitFor();
    await page.getByRole('button', { name: 'Rename: Rope and canvas' }).click();
    await page.getByRole('dialog').getByLabel('Title').fill('Ropes');
    await page.getByRole('dialog').getByRole('button', { name: 'Rename' }).click();
    await page.getByRole('link', { name: 'Ropes', exact: true }).waitFor();
    await page.getByRole('searchbox').fill('ice');
    await page.getByRole('link', { name: 'Ropes', exact: true }).waitFor({ state: 'detached' });
    expect(new URL(page.url()).search).toBe('?title=ice&kind=book');
    await page.getByRole('button', { name: 'Delete: Winter ice' }).click();
    await page.getByText('Nothing matches.').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('link', { name: 'Winter ice' }).waitFor();
    expect(await studio.accessibility()).toEqual([]);
  });

  it('rename and find collections of knowledge, except the collection of a book', async () => {
    const book = await studio.tenant.post('/api/books/projects', { title: 'Of one book' });
    await studio.tenant.get(`/api/books/projects/${String(book.json['id'])}/sources`);
    await studio.tenant.post('/api/knowledge/collections', { name: 'Letters' });
    await studio.open('/knowledge');
    const ofBook = page.getByRole('row', { name: /Of one book/ });
    await ofBook.waitFor();
    expect(await ofBook.getByRole('button').count()).toBe(0);
    await page.getByRole('button', { name: 'Rename: Letters' }).click();
    await page.getByRole('dialog').getByLabel('Title').fill('Old letters');
    await page.getByRole('dialog').getByRole('button', { name: 'Rename' }).click();
    await page.getByRole('link', { name: 'Old letters' }).waitFor();
    await page.getByRole('searchbox', { name: 'Search by name' }).fill('OLD');
    await ofBook.waitFor({ state: 'detached' });
    expect(await studio.accessibility()).toEqual([]);
  });

  it('lead from a run to its document and back, and filter runs by status', async () => {
    await studio.open('/runs');
    await page.getByRole('combobox', { name: 'Status' }).selectOption('failed');
    await page.getByText('Nothing matches.').waitFor();
    await page.getByRole('combobox', { name: 'Status' }).selectOption('completed');
    await page.getByRole('link', { name: 'Mended nets' }).click();
    await page.getByRole('heading', { level: 1, name: 'Mended nets' }).waitFor();
    await page.getByRole('link', { name: 'Open the document' }).click();
    await page.waitForURL(/\/documents\//);
    await page.getByRole('heading', { level: 1, name: 'Mended nets' }).waitFor();
    await page.getByRole('link', { name: 'Details' }).click();
    await page.waitForURL(/\/runs\//);
    await page.getByRole('heading', { level: 1, name: 'Mended nets' }).waitFor();
    expect(studio.faults).toEqual([]);
  });
});
