import type { ApiClient } from '#testing/api-client.js';
import { BookModel, chapterOf } from '#testing/book-model.js';
import type { StubReply } from '#testing/model-stub.js';
import { BookClient } from './book-client.js';
import { startBookStack } from './book-stack.js';

describe('a book whose model fails', () => {
  const model = new BookModel();
  let running: Awaited<ReturnType<typeof startBookStack>>;
  let client: ApiClient;
  let books: BookClient;

  beforeAll(async () => {
    running = await startBookStack(model);
    client = running.client;
    books = new BookClient(client);
  });
  afterAll(() => running.stop());
  beforeEach(() => model.reset());

  const DOWN: StubReply = { status: 503, retryAfter: '0' };
  const down = () => Array.from({ length: 6 }, () => DOWN);

  it.each<[string, StubReply[]]>([
    ['model_quota_exceeded', [{ status: 429, code: 'insufficient_quota' }]],
    ['model_rejected', [{ status: 400, message: 'no' }]],
    ['model_unavailable', down()],
  ])(
    'X13 a book ends with %s, and no rules write; it goes on once the model is back',
    async (code, replies) => {
      const project = await books.create({}, 'Tides', 'Winds');
      await books.addSource(project, chapterOf('Lighthouse', 300));
      model.will('draft_chapter', ...replies);
      const { id } = await books.start(project, 'book');
      await client.events(id);
      expect(await client.run(id)).toMatchObject({ status: 'failed', error: { code } });
      expect((await books.chapters(project)).map(({ version }) => version)).toEqual([0, 0]);
      const output = await books.run(project, 'chapter', { chapter_number: 1 });
      expect(output).toMatchObject({ used_fallback: false, fallback_stages: [] });
    },
  );

  it('X13 a chapter that the model cut is finished, without its thoughts and what it says around the text', async () => {
    const project = await books.create({}, 'Tides');
    const whole = chapterOf('Tides', 950);
    const [first, last] = [whole.slice(0, whole.lastIndexOf('\n\n')), whole.slice(whole.lastIndexOf('\n\n'))];
    model.will(
      'draft_chapter',
      {
        text: `<think>\nA chapter.\n</think>\n\nSure! Here is the chapter:\n\n${first}\n\nIt brea`,
        finish: 'length',
      },
      { text: `${last}\n\nLet me know if you would like changes!` },
    );
    await books.run(project, 'chapter', { chapter_number: 1 });
    expect((await books.written(project)).content).toBe(whole);
  });

  it('X13 a chapter that is cut again ends its run with model_answer_cut', async () => {
    const project = await books.create({}, 'Tides');
    const cut: StubReply = { text: chapterOf('Tides', 300), finish: 'length' };
    model.will('draft_chapter', cut, cut);
    const { id } = await books.start(project, 'chapter', { chapter_number: 1 });
    await client.events(id);
    expect(await client.run(id)).toMatchObject({ status: 'failed', error: { code: 'model_answer_cut' } });
    expect((await books.written(project)).version).toBe(0);
  });

  it('X13 what rules compile replaces no text of a model, and an event says where rules answered', async () => {
    const project = await books.create({}, 'Tides');
    await books.addSource(project, chapterOf('Lighthouse', 300));
    await books.run(project, 'chapter', { chapter_number: 1 });
    const before = await books.written(project);
    model.will('draft_chapter', { text: '' }, { text: '' });
    const { id } = await books.start(project, 'chapter', { chapter_number: 1 });
    const events = await client.events(id);
    expect(await client.run(id)).toMatchObject({ status: 'failed', error: { code: 'model_text_kept' } });
    expect(await books.written(project)).toEqual(before);
    const stages = events.filter(({ type }) => type === 'fallback_used').map(({ data }) => data['stage']);
    expect(stages).toEqual(['draft_chapter']);
  });
});
