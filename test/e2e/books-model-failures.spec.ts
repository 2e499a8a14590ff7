import type { ApiClient, DecisionView } from '#testing/api-client.js';
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

  /** The first questions of a run and its child runs. */
  const questionsOf = async (id: string, count: number): Promise<DecisionView[]> => {
    const told = new Set<string>();
    await client.events(id, ({ data }) => {
      const { decision_id: own, decision_ids: ofChild } = data as {
        decision_id?: string;
        decision_ids?: string[];
      };
      for (const each of own ? [own] : (ofChild ?? [])) told.add(each);
      return told.size >= count;
    });
    const questions = [...told].map(async (each) => (await client.get(`/api/decisions/${each}`)).json);
    return (await Promise.all(questions)) as DecisionView[];
  };
  const answer = ({ id }: DecisionView, action: string) =>
    client.post(`/api/decisions/${id}/answer`, { action });

  const DOWN: StubReply = { status: 503, retryAfter: '0' };
  const down = () => Array.from({ length: 6 }, () => DOWN);

  it.each<[string, StubReply[]]>([
    ['model_quota_exceeded', [{ status: 429, code: 'insufficient_quota' }]],
    ['model_rejected', [{ status: 400, message: 'no' }]],
    ['model_unavailable', down()],
  ])(
    'X13 a book asks what to do about %s, and no rules write unasked; it continues once the model is available again',
    async (code, replies) => {
      const project = await books.create({}, 'Tides', 'Winds');
      await books.addSource(project, chapterOf('Lighthouse', 300));
      model.will('draft_chapter', ...replies);
      const { id } = await books.start(project, 'book');
      const [asked] = await questionsOf(id, 1);
      expect(asked).toMatchObject({
        decision_type: 'model_failed',
        details: {
          code,
          operation: 'draft_chapter',
          model: 'draft-model',
          other_model: 'fast-model',
          choices: ['retry', 'other_model', 'rules', 'stop'],
        },
        default_answer: { action: 'stop' },
      });
      expect((await books.chapters(project)).map(({ version }) => version)).toEqual([0, 0]);
      await answer(asked!, 'retry');
      const { progress } = await client.completed(id);
      expect(progress.details['output_payload']).toMatchObject({ used_fallback: false, fallback_stages: [] });
      expect((await books.chapters(project)).map(({ version }) => version)).toEqual([1, 1]);
    },
  );

  it('X13 a book whose model fails ends as failed if a person stops it, and keeps the written text', async () => {
    const project = await books.create({}, 'Tides', 'Winds');
    await books.run(project, 'chapter', { chapter_number: 1 });
    const before = await books.written(project);
    model.will('plan_chapter', { status: 402 });
    const { id } = await books.start(project, 'book');
    const [asked] = await questionsOf(id, 1);
    await answer(asked!, 'stop');
    await client.events(id);
    const code = 'model_quota_exceeded';
    expect(await client.run(id)).toMatchObject({ status: 'failed', error: { code } });
    expect(await books.written(project)).toEqual(before);
    expect((await books.chapters(project)).map(({ version }) => version)).toEqual([1, 0]);
  });

  it('X13 the other model writes from then on if a person chooses it', async () => {
    const project = await books.create({}, 'Tides');
    model.will('draft_chapter', { status: 403 });
    const inputs = { chapter_number: 1 };
    const { run, output } = await books.runAnswering(project, 'chapter', inputs, 'other_model');
    expect(run.status).toBe('completed');
    expect(output.used_fallback).toBe(false);
    const drafts = model.requests.filter(({ operation }) => operation === 'draft_chapter');
    expect(drafts.map(({ request }) => request.model)).toEqual(['draft-model', 'fast-model']);
  });

  it('X13 if no model answers, rules write the whole chapter after one question, and each stage is marked', async () => {
    const project = await books.create({}, 'Lighthouse');
    await books.addSource(project, chapterOf('Lighthouse', 300));
    model.will('plan_chapter', { status: 401 });
    model.will('draft_chapter', { status: 401 });
    const { output, questions } = await books.runAnswering(
      project,
      'chapter',
      { chapter_number: 1 },
      'rules',
    );
    expect(questions).toHaveLength(1);
    expect(output.fallback_stages).toEqual(
      expect.arrayContaining(['plan_chapter', 'draft_chapter', 'review_chapter']),
    );
    expect((await books.written(project)).content).toContain('Lighthouse');
  });

  it('X13 rules do not make an outline unasked if the model fails', async () => {
    const project = await books.create({ chapter_count: 2 });
    model.will('generate_outline', { status: 401 });
    const { run } = await books.runAnswering(project, 'toc', {}, 'stop');
    expect(run).toMatchObject({ status: 'failed', error: { code: 'model_unauthorized' } });
    expect(await books.chapters(project)).toEqual([]);
  });

  it('X13 finishes a chapter that the model cut, without its reasoning and its remarks around the text', async () => {
    const project = await books.create({}, 'Tides');
    const whole = chapterOf('Tides', 950);
    const [first, last] = [whole.slice(0, whole.lastIndexOf('\n\n')), whole.slice(whole.lastIndexOf('\n\n'))];
    model.will(
      'draft_chapter',
      {
        text: `<think>\nA chapter.\n</think>\n\nSure! Here is the chapter:\n\n${first}\n\nIt brea`,
        finish: 'length',
      },
      { text: `${last}\n\n<gaps>\n</gaps>\n\nLet me know if you would like changes!` },
    );
    await books.run(project, 'chapter', { chapter_number: 1 });
    expect((await books.written(project)).content).toBe(whole);
  });

  it('X13 a chapter that is cut again asks a person, and ends with model_answer_cut if nobody helps', async () => {
    const project = await books.create({}, 'Tides');
    const cut: StubReply = { text: chapterOf('Tides', 300), finish: 'length' };
    model.will('draft_chapter', cut, cut);
    const { run } = await books.runAnswering(project, 'chapter', { chapter_number: 1 }, 'stop');
    expect(run).toMatchObject({ status: 'failed', error: { code: 'model_answer_cut' } });
    expect((await books.written(project)).version).toBe(0);
  });

  it('X13 rules replace no text of a model, and an event reports where rules answered', async () => {
    const project = await books.create({}, 'Tides');
    await books.addSource(project, chapterOf('Lighthouse', 300));
    await books.run(project, 'chapter', { chapter_number: 1 });
    const before = await books.written(project);
    model.will('draft_chapter', { text: '' }, { text: '' });
    const { run } = await books.runAnswering(project, 'chapter', { chapter_number: 1 }, 'rules');
    expect(run).toMatchObject({ status: 'failed', error: { code: 'model_text_kept' } });
    expect(await books.written(project)).toEqual(before);
    const events = await client.events(run.id);
    const stages = events.filter(({ type }) => type === 'fallback_used').map(({ data }) => data['stage']);
    expect(stages).toEqual(['draft_chapter']);
  });
});
