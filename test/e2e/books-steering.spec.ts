import type { ApiClient } from '#testing/api-client.js';
import { BookModel, chapterOf, json } from '#testing/book-model.js';
import { splitParagraphs } from '#writing/paragraphs.js';
import { BookClient } from './book-client.js';
import { startBookStack } from './book-stack.js';

describe('steering a chapter over HTTP', () => {
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

  const paragraphs = (text: string) => splitParagraphs(text);
  const replace = (paragraph_id: string, text: string) => ({ op: 'replace', paragraph_id, text });
  const promptOf = (operation: string) =>
    model.requests
      .filter((request) => request.operation === operation)
      .map(({ request }) => JSON.stringify(request.messages))
      .at(-1)!;

  async function editedByHand(): Promise<{ project: string; text: string; mine: string; theirs: string }> {
    const project = await books.create({}, 'Tides');
    await books.run(project, 'chapter', { chapter_number: 1 });
    const { id, content } = await books.written(project);
    const text = content.replace('\n\nTides tells', '\n\nI wrote this myself.\n\nTides tells');
    const { headers } = await client.get(`/api/books/chapters/${id}`);
    const answer = await client.request(
      'PATCH',
      `/api/books/chapters/${id}`,
      { content: text },
      {
        'if-match': headers.get('etag')!,
      },
    );
    expect(answer.status).toBe(200);
    const of = (begins: string) => paragraphs(text).find((one) => one.text.startsWith(begins))!.id;
    return { project, text, mine: of('I wrote'), theirs: of('Tides tells') };
  }

  it('B12 feedback and a hand-edited text reach the prompt, and a paragraph written by hand stays byte-identical', async () => {
    const { project, text, mine, theirs } = await editedByHand();
    model.will(
      'revise_chapter',
      json({
        edits: [replace(mine, 'Mine is gone.'), replace(theirs, `${chapterOf('Winds', 950).slice(12)}`)],
      }),
    );
    await books.run(project, 'chapter', { chapter_number: 1, feedback: 'Tell of winds.' });
    const prompt = promptOf('revise_chapter');
    for (const shown of ['I wrote this myself.', 'Tell of winds.', `<<${mine}>>`])
      expect(prompt).toContain(shown);
    const operations = model.requests.map(({ operation }) => operation);
    expect(operations.filter((operation) => /^(?:plan|draft)_chapter$/.test(operation))).toHaveLength(2);
    expect(promptOf('review_chapter')).toContain('Tell of winds.');
    const { content } = await books.written(project);
    expect(content).toContain('\n\nI wrote this myself.\n\n');
    expect(content).toContain('Winds tells');
    const others = paragraphs(text).filter(({ id }) => id !== theirs);
    for (const { text: words } of others) expect(content).toContain(words);
  });

  it('B12 a paragraph written by hand stays in every later run, until its author releases it', async () => {
    const { project, mine } = await editedByHand();
    const takeAway = json({ edits: [replace(mine, 'Mine is gone.')] });
    for (let run = 0; run < 2; run++) {
      model.will('revise_chapter', takeAway);
      await books.run(project, 'chapter', { chapter_number: 1 });
      const { content, kept_paragraphs } = await books.written(project);
      expect(content).toContain('I wrote this myself.');
      expect(kept_paragraphs).toEqual([mine]);
    }
    const { id } = await books.written(project);
    const released = await client.request('PATCH', `/api/books/chapters/${id}`, {
      released_paragraphs: [mine],
    });
    expect(released.json.kept_paragraphs).toEqual([]);
    model.will('revise_chapter', takeAway);
    await books.run(project, 'chapter', { chapter_number: 1, feedback: 'Shorten it.' });
    expect((await books.written(project)).content).not.toContain('I wrote this myself.');
  });

  it('B12 feedback that changes nothing ends the run with an explanation, and the text stays', async () => {
    const { project, text, mine } = await editedByHand();
    model.will('revise_chapter', json({ edits: [replace(mine, 'Mine is gone.')], cannot: ['Which storm?'] }));
    const { id } = await books.start(project, 'chapter', { chapter_number: 1, feedback: 'Add the storm.' });
    await client.events(id);
    expect(await client.run(id)).toMatchObject({
      status: 'failed',
      error: { code: 'feedback_not_applied', message: expect.stringContaining('Which storm?') },
    });
    expect((await books.written(project)).content).toBe(text);
  });

  it('B9 B12 the minimum length of a chapter does not make a revision pad a text that its author shortens', async () => {
    const project = await books.create({}, 'Tides');
    await books.run(project, 'chapter', { chapter_number: 1 });
    const [heading, first, ...others] = paragraphs((await books.written(project)).content);
    model.will('revise_chapter', json({ edits: others.map(({ id }) => replace(id, '')) }));
    await books.run(project, 'chapter', { chapter_number: 1, feedback: 'Keep the first paragraph only.' });
    expect(model.requests.filter(({ operation }) => operation === 'revise_chapter')).toHaveLength(1);
    const { content, review } = await books.written(project);
    expect(content.trim()).toBe(`${heading!.text}\n\n${first!.text}`);
    expect(review.guardrails).toEqual([]);
  });

  it('X8 the reason of a rejected paragraph reaches the next draft', async () => {
    const { project, theirs } = await editedByHand();
    model.will('revise_chapter', json({ edits: [replace(theirs, 'Shorter than it was.')] }));
    await books.run(project, 'chapter', { chapter_number: 1, feedback: 'Shorten it.' });
    const { id } = await books.written(project);
    const { json: compared } = await client.get(`/api/books/chapters/${id}/changes`);
    const { from, to, changes } = compared as { from: number; to: number; changes: { id: string }[] };
    const decisions = changes.map((change) => ({
      change_id: change.id,
      accepted: false,
      reason: 'Too bare.',
    }));
    const decided = await client.post(`/api/books/chapters/${id}/decisions`, { from, to, decisions });
    expect(decided.status).toBe(201);
    model.will('revise_chapter', json({ edits: [] }));
    await books.run(project, 'chapter', { chapter_number: 1 });
    const prompt = promptOf('revise_chapter');
    for (const shown of ['Too bare.', 'Shorter than it was.']) expect(prompt).toContain(shown);
  });

  it('X8 a text of decisions has the review of the version that it equals, and none if it mixes two', async () => {
    const { project, theirs } = await editedByHand();
    const { content: written } = await books.written(project);
    const last = paragraphs(written).at(-1)!.id;
    const edits = [replace(theirs, 'Winds tell of it.'), replace(last, 'Then it ended.')];
    model.will('revise_chapter', json({ edits }));
    await books.run(project, 'chapter', { chapter_number: 1, feedback: 'Shorten it.' });
    const { id, version, review } = await books.written(project);
    expect(review.score).toEqual(expect.any(Number));
    const path = `/api/books/chapters/${id}/changes?from=${version - 1}&to=${version}`;
    const changes = (await client.get(path)).json.changes as { id: string }[];
    expect(changes.length).toBeGreaterThan(1);
    const decide = async (from: number, to: number, accepted: (at: number) => boolean) => {
      const decisions = changes.map((change, at) => ({ change_id: change.id, accepted: accepted(at) }));
      return (await client.post(`/api/books/chapters/${id}/decisions`, { from, to, decisions })).json;
    };
    const mixed = await decide(version - 1, version, (at) => at === 0);
    expect(mixed).toMatchObject({ version: version + 1, review: null, score: null });
    await client.post(`/api/books/chapters/${id}/restore`, { version });
    const whole = await decide(version - 1, version + 2, () => true);
    expect(whole).toMatchObject({ version: version + 3, review, score: review.score });
  });
});
