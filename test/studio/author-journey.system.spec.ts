import { ArticleDesk } from '#testing/article-desk.js';
import { ArticleModel } from '#testing/article-model.js';
import { BookModel, json } from '#testing/book-model.js';
import { chromiumPath } from '#testing/browser.js';
import { startModelStub, type ModelStub, type StubRequest } from '#testing/model-stub.js';
import { leasedStack, type LeasedStack } from '#testing/shared-stack.js';
import { download, openStudio, type Studio } from '#testing/studio.js';
import { splitParagraphs } from '#writing/paragraphs.js';
import type { Page } from 'playwright-core';

const TOWER = '# Tower\n\nThe tower is 31 metres high.\n\n# Cost\n\nThe pier cost 40 pounds.\n';
const MINE = 'A sentence by its author.';

/** A chapter and an article that an author steers, rejects, edits by hand, changes by selection and exports in a browser. */
(chromiumPath ? describe : describe.skip)('an author who works with a model in the studio (chromium)', () => {
  const articles = new ArticleModel();
  const books = new BookModel();
  let stub: ModelStub;
  let stack: LeasedStack;
  let studio: Studio;
  let page: Page;
  /** The model's answer to a change of a selection. */
  let replacement = '';

  beforeAll(async () => {
    stub = await startModelStub({ respond: (request) => respond(request) });
    stack = await leasedStack('model', { model: stub.baseUrl });
    studio = await openStudio(stack);
    ({ page } = studio);
  });
  afterAll(async () => {
    await studio.close();
    await stack.release();
    await stub.stop();
  });

  function respond(request: StubRequest) {
    const text = request.messages.map(({ content }) => String(content)).join('\n');
    if (text.includes('You are an editor. An author has selected')) return json({ replacement, note: null });
    return text.includes('You work on a book') ? books.respond(request) : articles.respond(request);
  }

  const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true });
  const saved = (version: number) => page.getByText(`Version ${version}`, { exact: true }).waitFor();

  /** Selects a line of the editor and accepts the words that the model proposes for it. */
  async function changeSelection(line: string, words: string): Promise<void> {
    replacement = words;
    await page.locator('.cm-line', { hasText: line }).click({ clickCount: 3 });
    await page.getByRole('region', { name: 'Change the selection' }).getByText(`Selected: ${line}`).waitFor();
    const section = page.getByRole('region', { name: 'Change the selection' });
    await section.getByLabel('What should change?').fill('Say it in other words.');
    await button('Propose new words').click();
    await page.getByRole('region', { name: 'Proposed change' }).locator('ins').first().waitFor();
    await button('Use the new words').click();
    await page.locator('.cm-line', { hasText: words }).waitFor();
  }

  it('B12 X8 a chapter is steered, rejected with a reason, edited by hand, changed by selection and exported', async () => {
    const { tenant } = studio;
    const { json: book } = await tenant.post('/api/books/projects', { title: 'Towers', language: 'en' });
    const project = String(book.id);
    const body = { title: 'Tower', content: '## The tower\n\nThe tower is high.\n\nIt is grey.\n' };
    const { id } = (await tenant.post(`/api/books/projects/${project}/chapters`, body)).json;
    const chapter = async () => (await tenant.get(`/api/books/chapters/${String(id)}`)).json;
    const [, , grey] = splitParagraphs(String((await chapter()).content));
    await studio.open(`/books/${project}/drafting`);
    books.will(
      'revise_chapter',
      json({ edits: [{ op: 'replace', paragraph_id: grey!.id, text: 'It is grey and old.' }] }),
    );
    await page.getByLabel('Feedback on the chapter').fill('"It is grey." Say that it is old.');
    await button('Revise').click();
    await page.getByRole('tab', { name: '2 versions' }).waitFor();
    const { request } = books.requests.find(({ operation }) => operation === 'revise_chapter')!;
    expect(JSON.stringify(request.messages)).toContain('Say that it is old.');

    await page.getByRole('tab', { name: '2 versions' }).click();
    await page.getByRole('article', { name: 'Change 1' }).getByText('Reject').click();
    await page.getByLabel('Reason to reject change 1').fill('It is new.');
    expect(await studio.accessibility()).toEqual([]);
    await button('Reject all changes').click();
    await page.getByRole('tab', { name: '3 versions' }).waitFor();
    expect((await chapter()).content).toBe(body.content);

    await page.getByRole('tab', { name: 'Edit' }).click();
    await page.getByRole('textbox', { name: 'Text of Tower' }).click();
    await page.keyboard.press('Control+End');
    await page.keyboard.type(MINE);
    await button('Save').click();
    await saved(4);
    await changeSelection('The tower is high.', 'The tower looks down on the sea.');
    await saved(5);
    const text = body.content.replace('The tower is high.', 'The tower looks down on the sea.');
    expect((await chapter()).content).toBe(`${text}${MINE}`);

    books.will('revise_chapter', json({ edits: [] }));
    await studio.open(`/books/${project}/export`);
    await button('Create the files').click();
    const { bytes } = await download(page, page.getByRole('link', { name: /Download .*\.docx$/ }));
    expect(bytes.subarray(0, 2).toString()).toBe('PK');
    expect(studio.faults).toEqual([]);
  });

  it('A3 A6 A4 an article is researched again, rejected, edited by hand, changed by selection and exported', async () => {
    const desk = new ArticleDesk(studio.tenant);
    await desk.collection('knowledge', { 'tower.md': TOWER });
    const question = { perspective: 'sceptic', question: 'Who measured it?', queries: ['measured tower'] };
    articles.will('research_questions', json({ questions: [question] }));
    articles.will('assess_research', json({}), json({ answered: [{ id: 'q2', passages: ['s1'] }] }));
    const run = await desk.start('author', { topic: 'The tower' });
    await studio.open(`/articles/${run.id}`);
    const asked = page.getByRole('list', { name: 'Research questions' });
    await asked.getByText('Who measured it?').waitFor();
    expect(await studio.accessibility()).toEqual([]);
    await page.getByLabel('A further question').fill('What did the pier cost?');
    await button('Search again').click();
    await asked.getByText('What did the pier cost?').waitFor();
    await page.getByText('2 questions, 1 open').waitFor();
    const searches = articles.requests.filter(({ operation }) => operation === 'assess_research');
    expect(JSON.stringify(searches.at(-1)!.request.messages)).toContain('Searched: What did the pier cost?');
    await button('Approve and continue').click();

    const draft = page.getByRole('region', { name: 'Draft' });
    await draft.getByLabel('What should change').fill('Shorter, please.');
    await button('Reject').click();
    await draft.getByText('rejected 1 time', { exact: true }).waitFor();
    const revision = articles.requests.find(({ operation }) => operation === 'revise_article')!;
    expect(JSON.stringify(revision.request.messages)).toContain('Shorter, please.');
    await draft.getByRole('tab', { name: 'Edit' }).click();
    await draft.getByRole('textbox', { name: 'Draft' }).click();
    await page.keyboard.press('Control+End');
    await page.keyboard.type(`\n\n${MINE}`);
    await button('Submit my version').click();

    await button('Edit the text').click();
    await changeSelection(MINE, 'A sentence by its author and a model.');
    const { bytes } = await download(page, page.getByRole('link', { name: 'Download Article' }));
    expect(bytes.toString()).toContain('A sentence by its author and a model.');
    expect(bytes.toString()).not.toContain(MINE);
    expect(studio.faults).toEqual([]);
  });
});
