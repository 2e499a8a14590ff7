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
    expect(new URL(page.url()).search).toBe('?kind=document&title=BOATS');
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
    expect(new URL(page.url()).search).toBe('?kind=book&title=ice');
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

  it('X22 open the run of a review, which leads to its document', async () => {
    const { tenant } = studio;
    const { session } = await write('ropes.md', '# Old ropes\n\nRopes are tarred.\n');
    const form = new FormData();
    form.append('file', new Blob([Buffer.from(await tenant.docx(session))]), 'back.docx');
    const review = String((await tenant.post(`/api/sessions/${session}/reviews`, form)).json['id']);
    await tenant.completed(review);
    await studio.open(`/runs/${review}`);
    await page.getByRole('link', { name: 'Open the document' }).click();
    await page.waitForURL(`${studio.url}/documents/${session}`);
    await page.getByRole('heading', { level: 1, name: 'Old ropes' }).waitFor();
    expect(studio.faults).toEqual([]);
  });

  it('X22 open a child run, which leads to the run that started it and back', async () => {
    const { tenant } = studio;
    const session_id = await tenant.sessionWith({ 'tar.md': '# Tar\n\nTar is sticky.\n' });
    const tasks = [{ id: 'write', tool: 'run_document', arguments: { title: 'Sticky tar' } }];
    const config = { hil: { approval_required: 'never' } };
    const plan = String((await tenant.post('/api/plans', { session_id, dag: { tasks }, config })).json['id']);
    await tenant.completed(plan);
    const runs = await tenant.get(`/api/agents/runs?session_id=${session_id}&kind=document`);
    const [child] = runs.json['items'] as { id: string }[];
    await studio.open(`/runs/${child!.id}`);
    const origin = page.getByRole('alert').filter({ hasText: 'Started by' });
    await origin.getByRole('link').click();
    await page.waitForURL(`${studio.url}/runs/${plan}`);
    await page.getByRole('region', { name: 'Child runs' }).getByRole('link').click();
    await page.waitForURL(`${studio.url}/runs/${child!.id}`);
    await origin.waitFor();
    expect(studio.faults).toEqual([]);
  });
});
