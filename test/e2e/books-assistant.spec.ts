import type { ApiClient } from '#testing/api-client.js';
import { BookModel, json } from '#testing/book-model.js';
import type { StubReply } from '#testing/model-stub.js';
import { until } from '#testing/until.js';
import { startBookStack } from './book-stack.js';

type Json = Record<string, unknown>;

const ANSWERS = {
  genre: 'Handbook',
  target_audience: 'Beginners',
  tone: 'Friendly',
  language: 'en',
  chapter_length: 'short',
  chapter_count: 3,
};

describe('the profile assistant with a model over HTTP', () => {
  const model = new BookModel();
  let running: Awaited<ReturnType<typeof startBookStack>>;
  let client: ApiClient;

  beforeAll(async () => {
    running = await startBookStack(model);
    client = running.client;
  });
  afterAll(() => running.stop());
  beforeEach(() => model.reset());

  const project = async () => String((await client.post('/api/books/projects', {})).json.id);
  const concept = async (id: string) => {
    const { json: book } = await client.get(`/api/books/projects/${id}`);
    return [book.title, (book.metadata_json as Json)['user_concept'], book.etag];
  };
  const send = (id: string, content: string, more: Json = {}) => {
    const body = { messages: [{ role: 'user', content }], profile: {}, ...more };
    return client.post(`/api/books/projects/${id}/profile-assistant`, body);
  };
  const sendMessage = async (id: string, content: string, profile: Json = {}) => {
    const { status, json: reply } = await send(id, content, { profile });
    expect(status).toBe(200);
    return reply;
  };
  const propose = (field_updates: Json): StubReply => json({ assistant_reply: 'I see.', field_updates });

  it('B2 B13 B17 a proposal of the model is applied only after the author has seen and finalised it', async () => {
    const id = await project();
    const before = await concept(id);
    model.will('assist_profile', propose({ title: 'Bees at Home', ...ANSWERS }));
    const told = 'A friendly handbook called Bees at Home for beginners, in English, three short chapters.';
    const reply = await sendMessage(id, told);
    expect(reply).toMatchObject({
      assistant_reply: 'I see.',
      field_updates: { title: 'Bees at Home', ...ANSWERS },
      next_field: null,
      choices: ['finalize'],
      is_finalized: false,
      missing_required: [],
      used_fallback: false,
      fallback_stage: null,
    });
    expect(await concept(id)).toEqual(before);
    // Proposals that the author did not accept never become part of the profile.
    expect(await sendMessage(id, 'finalize')).toMatchObject({ is_finalized: false });
    expect(await concept(id)).toEqual(before);
    const kept = { ...(reply.field_updates as Json), tone: 'Plain' };
    expect(await sendMessage(id, 'Finalize!', kept)).toMatchObject({
      is_finalized: true,
      missing_required: [],
    });
    expect((await concept(id)).slice(0, 2)).toEqual(['Bees at Home', { profile: kept }]);
    expect(model.requests.map(({ operation, request }) => [operation, request.model])).toEqual([
      ['assist_profile', 'draft-model'],
    ]);
  });

  it('B13 X7 each reply of the model is a run, whose tokens are counted', async () => {
    const id = await project();
    await sendMessage(id, 'Something about bees.');
    const { json: book } = await client.get(`/api/books/projects/${id}`);
    const { items } = (await client.get(`/api/agents/runs?session_id=${String(book.session_id)}`)).json;
    const [run] = items as {
      mode: string;
      status: string;
      usage: { model_calls: number; input_tokens: number };
    }[];
    expect(run).toMatchObject({ mode: 'assist_profile', status: 'completed', usage: { model_calls: 1 } });
    expect(run!.usage.input_tokens).toBeGreaterThan(0);
  });

  const useless: [string, StubReply][] = [
    ['is malformed', { text: '{"assistant_reply": 1, "field_updates": [' }],
    ['is empty', { text: '' }],
    ['refuses', { text: 'I’m sorry, but I cannot help with that.' }],
    ['repeats itself for ever', json({ assistant_reply: 'And so on. '.repeat(600), field_updates: {} })],
    ['has a title of its own', propose({ title: 'The Bitcoin Standard' })],
    ['finalises by itself', json({ assistant_reply: 'Done.', field_updates: {}, is_finalized: true })],
    ['is an error of the server', { status: 400, message: 'no' }],
  ];
  it.each(useless)('B13 X13 the author is told if the answer %s, and may ask again', async (_, answer) => {
    const id = await project();
    model.will('assist_profile', answer, answer);
    const refused = await send(id, 'Bees at Home');
    expect([refused.status, refused.json.code]).toEqual([502, 'model_failed']);
    expect(refused.json.detail).toMatch(/model.* Send the message again, or fill in the form\.$/);
    model.will('assist_profile', propose({ title: 'Bees at Home' }));
    expect(await sendMessage(id, 'Bees at Home')).toMatchObject({ field_updates: { title: 'Bees at Home' } });
  });

  it('X21 by_rules of an older client is answered with the fields to fill in', async () => {
    const { status, json: problem } = await send(await project(), 'Bees at Home', { by_rules: true });
    expect([status, problem.code]).toEqual([409, 'needs_model']);
    expect(problem.alternatives).toEqual(expect.arrayContaining(['title', 'genre', 'chapter_count']));
    expect(model.requests).toEqual([]);
  });

  it('B17 a message is refused while another run works on the book, which continues', async () => {
    const id = await project();
    model.will('generate_outline', { hold: true });
    const { json: run } = await client.post('/api/agents/runs', { project_id: id, mode: 'toc' });
    await until(
      'one request to the model',
      () => model.requests,
      ({ length }) => length === 1,
    );
    const refused = await send(id, 'Bees at Home');
    expect([refused.status, refused.json.code]).toEqual([409, 'run_active']);
    expect(await sendMessage(id, 'finalize')).toMatchObject({ is_finalized: false });
    running.stub.release();
    await client.completed(String(run.id));
  });
});
