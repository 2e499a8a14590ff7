import { ArticleDesk } from '#testing/article-desk.js';
import { ArticleModel } from '#testing/article-model.js';
import { BookModel, chapterOf, json } from '#testing/book-model.js';
import { chromiumPath } from '#testing/browser.js';
import { diligentAnswer } from '#testing/diligent-model.js';
import { startModelStub, type ModelStub, type StubReply, type StubRequest } from '#testing/model-stub.js';
import { fromWire, toWire } from '#testing/model-wire.js';
import { leasedStack, type LeasedStack } from '#testing/shared-stack.js';
import { openStudio, type Studio } from '#testing/studio.js';
import { until } from '#testing/until.js';
import { splitParagraphs } from '#writing/paragraphs.js';
import type { Page } from 'playwright-core';

const CHAPTER = '## The tower\n\nThe tower is high.\n\nIt is grey.\n';
const NOTES = '# Notes\n\nThe pump failed at noon.\n\nIt was cleaned.\n';

/** A part of a text is selected and rewritten by the model, as an author does it in a browser. */
(chromiumPath ? describe : describe.skip)('changing a selection in the studio (chromium)', () => {
  let stub: ModelStub;
  let stack: LeasedStack;
  let studio: Studio;
  let page: Page;
  let reply: StubReply | ((request: StubRequest) => StubReply);

  beforeAll(async () => {
    stub = await startModelStub({
      respond: (request) =>
        // Only document runs have tools.
        request.tools ? toWire(diligentAnswer(fromWire(request.messages))) : replyTo(request),
    });
    stack = await leasedStack('model', { model: stub.baseUrl });
    studio = await openStudio(stack);
    ({ page } = studio);
  });
  afterAll(async () => {
    await studio.close();
    await stack.release();
    await stub.stop();
  });

  const replyTo = (request: StubRequest) => (typeof reply === 'function' ? reply(request) : reply);
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const section = () => page.getByRole('region', { name: 'Change the selection' });

  /** Selects a line of the editor, like a triple click, and requests new words. */
  const ask = async (line: string, instruction: string, words: string) => {
    reply = { text: JSON.stringify({ replacement: words, note: null, cannot: null }) };
    await page.locator('.cm-line', { hasText: line }).click({ clickCount: 3 });
    await section().getByText(`Selected: ${line}`).waitFor();
    await page.getByLabel('What should change?').fill(instruction);
    await button('Propose new words').click();
    await page.getByRole('region', { name: 'Proposed change' }).locator('ins, del').first().waitFor();
  };

  it('B9 X8 a chapter: both versions are shown, a rejection changes nothing, an acceptance only the words', async () => {
    const { tenant } = studio;
    const project = String((await tenant.post('/api/books/projects', { title: 'Towers' })).json.id);
    const body = { title: 'One', content: CHAPTER };
    const { id } = (await tenant.post(`/api/books/projects/${project}/chapters`, body)).json;
    const content = async () => (await tenant.get(`/api/books/chapters/${String(id)}`)).json.content;
    await studio.open(`/books/${project}/drafting`);
    await page.getByRole('tab', { name: 'Edit' }).click();
    await section().getByText('Select words in the text').waitFor();
    await ask('The tower is high.', 'Make it concrete.', 'The tower looks down on the town.');
    expect(await studio.accessibility()).toEqual([]);
    await button('Keep the old words').click();
    await button('Propose new words').waitFor();
    expect(await content()).toBe(CHAPTER);
    await ask('The tower is high.', 'Make it concrete.', 'The tower looks down on the sea.');
    await button('Use the new words').click();
    await page.locator('.cm-line', { hasText: 'The tower looks down on the sea.' }).waitFor();
    expect(await content()).toBe(CHAPTER.replace('The tower is high.', 'The tower looks down on the sea.'));
    expect(studio.faults).toEqual([]);
  });

  it('B12 feedback to a chapter survives a failed run and an edit by hand, until a run has followed it', async () => {
    const { tenant } = studio;
    const model = new BookModel();
    reply = model.respond;
    const project = String((await tenant.post('/api/books/projects', { title: 'Storms' })).json.id);
    const body = { title: 'One', content: chapterOf('Tides', 950) };
    const { id } = (await tenant.post(`/api/books/projects/${project}/chapters`, body)).json;
    await studio.open(`/books/${project}/drafting`);
    const feedback = page.getByLabel('Feedback on the chapter');
    await feedback.fill('Add the storm.');
    model.will('revise_chapter', json({ edits: [], cannot: ['Which storm?'] }));
    await button('Revise').click();
    await page.getByText('Which storm?').first().waitFor();
    await page.getByRole('tab', { name: 'Edit' }).click();
    await page.locator('.cm-line').last().click();
    await page.keyboard.type('My own words.');
    await button('Save').click();
    await page.getByRole('tab', { name: '2 versions' }).waitFor();
    expect(await feedback.inputValue()).toBe('Add the storm.');
    expect((await tenant.get(`/api/books/chapters/${String(id)}`)).json.version).toBe(2);
    await button('Allow changes').click();
    await button('Allow changes').waitFor({ state: 'detached' });
    const { content } = (await tenant.get(`/api/books/chapters/${String(id)}`)).json;
    const { id: paragraph_id } = splitParagraphs(String(content)).at(-1)!;
    model.will('revise_chapter', json({ edits: [{ op: 'replace', paragraph_id, text: 'It storms.' }] }));
    await button('Revise').click();
    await until('the feedback was followed', async () => (await feedback.inputValue()) === '');
    expect(studio.faults).toEqual([]);
  });

  it('A4 an approved article: only the selected words change', async () => {
    const desk = new ArticleDesk(studio.tenant);
    await desk.collection('knowledge', { 'tower.md': '# Tower\n\nThe tower is 31 metres high.\n' });
    reply = new ArticleModel().respond;
    const run = await desk.start('author', { topic: 'The tower' });
    await desk.answerInTurn(run, { action: 'approve' }, { action: 'edit', text: '# Tower\n\nIt is grey.\n' });
    await desk.ended(run);
    await studio.open(`/articles/${run.id}`);
    await button('Edit the text').click();
    await ask('It is grey.', 'Say it is old.', 'It is grey and old.');
    await button('Use the new words').click();
    await page.locator('.cm-line', { hasText: 'It is grey and old.' }).waitFor();
    expect(await desk.result(run, 'article')).toBe('# Tower\n\nIt is grey and old.\n');
    expect(studio.faults).toEqual([]);
  });

  it('X1 a document is edited where it is read, and says which source lines it would no longer carry', async () => {
    const { tenant } = studio;
    const session = await tenant.sessionWith({ 'notes.md': NOTES });
    await tenant.completed((await tenant.startRun(session)).id);
    const before = (await tenant.get(`/api/sessions/${session}/manuscript`)).text;
    await studio.open(`/documents/${session}`);
    await button('Edit the text').click();
    await page.locator('.cm-line', { hasText: 'The pump failed at noon.' }).click();
    await page.keyboard.press('End');
    await page.keyboard.type(' Twice.');
    await button('Check my changes').click();
    await section().getByText('of the source lines would be accounted for').waitFor();
    await section().locator('ins', { hasText: 'Twice.' }).waitFor();
    await button('Use the new words').click();
    await button('Use the new words').waitFor({ state: 'detached' });
    await until(
      'the manuscript is changed',
      async () => (await tenant.get(`/api/sessions/${session}/manuscript`)).text,
      (text) => text === before.replace('at noon.', 'at noon. Twice.'),
    );
    expect(studio.faults).toEqual([]);
  });

  it('X1 what was typed stays while the text changes elsewhere and is read, and leaving the page asks first', async () => {
    const { tenant } = studio;
    const session = await tenant.sessionWith({ 'notes.md': NOTES });
    await tenant.completed((await tenant.startRun(session)).id);
    const manuscript = async () => (await tenant.get(`/api/sessions/${session}/manuscript`)).text;
    const before = await manuscript();
    await studio.open(`/documents/${session}`);
    await button('Edit the text').click();
    await page.locator('.cm-line', { hasText: 'The pump failed at noon.' }).click();
    await page.keyboard.press('End');
    await page.keyboard.type(' Twice.');
    const selection = { quote: 'It was cleaned.' };
    const asked = { session_id: session, selection, replacement: 'First.\n\nIt was cleaned.' };
    const { run_id: id } = (await tenant.post('/api/changes', asked)).json;
    await tenant.completed(String(id));
    await tenant.post(`/api/changes/${String(id)}/accept`, {});
    await button('Back to reading').click();
    const other = page.getByRole('region', { name: 'Manuscript' }).getByText('First.');
    await until('the page shows the change of the other window', async () => {
      await page.evaluate("window.dispatchEvent(new Event('visibilitychange'))");
      return other.isVisible();
    });
    await page.getByRole('tab', { name: 'Sources' }).click();
    await button('Stay here').click();
    await button('Edit the text').click();
    await page.locator('.cm-line', { hasText: 'at noon. Twice.' }).waitFor();
    await button('Check my changes').click();
    await button('Use the new words').click();
    await page.locator('.cm-line', { hasText: 'First.' }).waitFor();
    expect(await manuscript()).toBe(
      before.replace('at noon.', 'at noon. Twice.').replace('It was cleaned.', 'First.\n\nIt was cleaned.'),
    );
    expect(studio.faults).toEqual([]);
  });

  it('X1 a document: the source lines that the change would lose are shown before it is accepted', async () => {
    const { tenant } = studio;
    const session = await tenant.sessionWith({ 'notes.md': NOTES });
    const run = await tenant.startRun(session);
    await tenant.completed(run.id);
    const before = (await tenant.get(`/api/sessions/${session}/manuscript`)).text;
    await studio.open(`/documents/${session}`);
    await button('Edit the text').click();
    await ask('The pump failed at noon.', 'Shorter.', 'The pump failed.');
    await section().getByText('of the source lines would be accounted for').waitFor();
    await section().getByText('differs from notes.md line 3').waitFor();
    expect(await studio.accessibility()).toEqual([]);
    await button('Use the new words').click();
    await page.locator('.cm-line', { hasText: /^The pump failed\.$/ }).waitFor();
    expect((await tenant.get(`/api/sessions/${session}/manuscript`)).text).toBe(
      before.replace('The pump failed at noon.', 'The pump failed.'),
    );
    await button('Back to reading').click();
    await page.getByRole('region', { name: 'Manuscript' }).getByText('The pump failed.').waitFor();
    const outOfDate = page.getByText('Word file out of date');
    await outOfDate.waitFor();
    await page.getByText('80% of the source lines accounted for').waitFor();
    expect(await studio.accessibility()).toEqual([]);
    await button('Make it again').click();
    await outOfDate.waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Download DOCX' }).waitFor();
    await page.getByRole('tab', { name: 'Sources' }).click();
    await button('Write again from these files').click();
    await page.getByText('The text has changes that you accepted.').waitFor();
    await button('Write only what changed').click();
    await page.getByText('sources kept: 1, written: 0').waitFor();
    expect((await tenant.get(`/api/sessions/${session}/manuscript`)).text).toContain('The pump failed.\n');
    expect(studio.faults).toEqual([]);
  });

  it('X22 the run of a change opens at its address', async () => {
    const { tenant } = studio;
    reply = { text: JSON.stringify({ replacement: 'It is blue.', note: null, cannot: null }) };
    const project = String((await tenant.post('/api/books/projects', { title: 'Sky' })).json.id);
    const body = { title: 'One', content: CHAPTER };
    const { id: chapter_id } = (await tenant.post(`/api/books/projects/${project}/chapters`, body)).json;
    const selection = { quote: 'It is grey.' };
    const asked = { chapter_id, selection, instruction: 'Another colour.' };
    const { run_id: id } = (await tenant.post('/api/changes', asked)).json;
    await tenant.completed(String(id));
    await studio.open(`/runs/${String(id)}`);
    await page.getByRole('main').getByText('completed', { exact: true }).first().waitFor();
    await page.getByRole('tab', { name: 'Steps', selected: true }).waitFor();
    expect(studio.faults).toEqual([]);
  });
});
