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
import type { Page } from 'playwright-core';

const NOTES = '# Notes\n\nThe pump failed at noon.\n\nIt was cleaned.\n';
const QUOTE = 'The pump failed at noon.';

/** What a model does with comments: it changes the words of a thread, and revises a text by what they ask for. */
(chromiumPath ? describe : describe.skip)('comments that a model follows in the studio (chromium)', () => {
  let stub: ModelStub;
  let stack: LeasedStack;
  let studio: Studio;
  let page: Page;
  let reply: StubReply | ((request: StubRequest) => StubReply);

  beforeAll(async () => {
    stub = await startModelStub({
      respond: (request) => {
        // Only document runs have tools.
        if (request.tools) return toWire(diligentAnswer(fromWire(request.messages)));
        return typeof reply === 'function' ? reply(request) : reply;
      },
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

  const thread = (name: string) => page.getByRole('article', { name });
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const add = async (session: string, comment: object) => {
    const {
      status,
      json: added,
      text,
    } = await studio.tenant.post(`/api/sessions/${session}/comments`, comment);
    if (status !== 201) throw new Error(text);
    return String(added.id);
  };
  const isResolved = async (session: string, id: string) => {
    const { items } = (await studio.tenant.get(`/api/sessions/${session}/comments`)).json as {
      items: { id: string; resolved_at: string | null }[];
    };
    return items.find((comment) => comment.id === id)!.resolved_at !== null;
  };
  const manuscript = async (session: string) =>
    (await studio.tenant.get(`/api/sessions/${session}/manuscript`)).text;

  /** Writes a document, and asks in a comment for a change of its first sentence. */
  const commented = async () => {
    const session = await studio.tenant.sessionWith({ 'notes.md': NOTES });
    await studio.tenant.completed((await studio.tenant.startRun(session)).id);
    const start = (await manuscript(session)).indexOf(QUOTE);
    const id = await add(session, { of: 'document', quote: QUOTE, start, text: 'Shorter?' });
    await add(session, { of: 'document', reply_to: id, text: 'Leave out the time.' });
    reply = { text: JSON.stringify({ replacement: 'The pump failed.', note: null, cannot: null }) };
    await studio.open(`/documents/${session}`);
    await thread('Shorter?').getByRole('button', { name: 'Have it changed' }).click();
    await page.getByRole('region', { name: 'Proposed change' }).locator('del').first().waitFor();
    return { session, id };
  };

  it('have their words changed: a rejection leaves the thread open, an acceptance resolves it', async () => {
    const { session, id } = await commented();
    expect(JSON.stringify(stub.requests.at(-1)!.messages)).toContain('Shorter?\\nLeave out the time.');
    await button('Keep the old words').click();
    await thread('Shorter?').getByRole('button', { name: 'Have it changed' }).click();
    expect(await isResolved(session, id)).toBe(false);
    await button('Use the new words').click();
    await page.getByText('Resolved (1)').click();
    expect(await isResolved(session, id)).toBe(true);
    expect(await manuscript(session)).toContain('The pump failed.\n');
    await thread('Shorter?').getByText('The text no longer has these words.').waitFor();
    await thread('Shorter?').getByRole('button', { name: 'Open again' }).click();
    await page.getByRole('button', { name: 'Comments (1)' }).waitFor();
    expect(await isResolved(session, id)).toBe(false);
    expect(studio.faults).toEqual([]);
  });

  it('stay open if they cannot be resolved after their change, which says why and can be tried again', async () => {
    const { session, id } = await commented();
    const path = `**/comments/${id}`;
    await page.route(path, (route) => route.abort());
    await button('Use the new words').click();
    await thread('Shorter?').getByText('The service could not be reached.').waitFor();
    expect(await manuscript(session)).toContain('The pump failed.\n');
    expect(await isResolved(session, id)).toBe(false);
    expect(await button('Use the new words').count()).toBe(0);
    expect(await studio.accessibility()).toEqual([]);
    await page.unroute(path);
    await thread('Shorter?').getByRole('button', { name: 'Resolve' }).click();
    await page.getByText('Resolved (1)').click();
    expect(await isResolved(session, id)).toBe(true);
    expect(await thread('Shorter?').getByRole('alert').count()).toBe(0);
    expect(studio.faults).toEqual([]);
  });

  it('B12 become feedback on a chapter while they are open, once', async () => {
    const { tenant } = studio;
    const model = new BookModel();
    reply = model.respond;
    const { id: project, session_id: session } = (
      await tenant.post('/api/books/projects', { title: 'Storms' })
    ).json as Record<'id' | 'session_id', string>;
    const content = chapterOf('Tides', 950);
    const chapter = (await tenant.post(`/api/books/projects/${project}/chapters`, { title: 'One', content }))
      .json;
    const of = { of: 'chapter', chapter_id: chapter.id };
    const first = await add(session, { ...of, text: 'Add the storm.' });
    await add(session, { ...of, reply_to: first, text: 'The one of May.' });
    const done = await add(session, { ...of, text: 'Which tide?' });
    await tenant.request('PATCH', `/api/sessions/${session}/comments/${done}`, { is_resolved: true });
    await studio.open(`/books/${project}/drafting`);
    const feedback = page.getByLabel('Feedback on the chapter');
    await feedback.fill('Be brief.');
    await button('Add open comments').click();
    const asked = 'Be brief.\n\nAdd the storm.\nThe one of May.';
    expect(await feedback.inputValue()).toBe(asked);
    expect(await button('Add open comments').count()).toBe(0);
    model.will('revise_chapter', json({ edits: [], cannot: ['Which storm?'] }));
    await button('Revise').click();
    await page.getByText('Which storm?').first().waitFor();
    expect(stub.requests.some(({ messages }) => JSON.stringify(messages).includes('The one of May.'))).toBe(
      true,
    );
    expect(studio.faults).toEqual([]);
  });

  it('A8 become the reason for which a draft is rejected, which keeps their lines', async () => {
    const desk = new ArticleDesk(studio.tenant);
    await desk.collection('knowledge', { 'tower.md': '# Tower\n\nThe tower is 31 metres high.\n' });
    reply = new ArticleModel().respond;
    const run = await desk.start('author', { topic: 'The tower' });
    await desk.answerInTurn(run, { action: 'approve' });
    await desk.asked(run);
    const { session_id: session } = run;
    await add(session, { of: 'article', text: 'Who built it?' });
    await add(session, { of: 'article', text: 'And when?' });
    await studio.open(`/articles/${run.id}`);
    const reason = page.getByRole('textbox', { name: 'What should change?' });
    await button('Add open comments').click();
    const inserted = await reason.inputValue();
    expect(inserted.split('\n\n').sort()).toEqual(['And when?', 'Who built it?']);
    await reason.press('End');
    await page.keyboard.type(' Please.');
    expect(await button('Add open comments').count()).toBe(0);
    await button('Reject').click();
    await until('the model was asked to revise the draft', () =>
      Promise.resolve(
        stub.requests.some(({ messages }) => JSON.stringify(messages).includes('Who built it?')),
      ),
    );
    expect(studio.faults).toEqual([]);
  });
});
