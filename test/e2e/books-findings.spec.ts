import type { ApiClient } from '#testing/api-client.js';
import { BookModel, chapterOf, json } from '#testing/book-model.js';
import { splitParagraphs } from '#writing/paragraphs.js';
import { BookClient } from './book-client.js';
import { startBookStack } from './book-stack.js';

const revise = (id: string, text: string) => json({ edits: [{ op: 'replace', paragraph_id: id, text }] });

describe('the findings of a chapter over HTTP', () => {
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

  it('B26 a finding that the author calls wrong counts for nothing, in later runs too, until its sentence changes', async () => {
    const project = await books.create({}, 'Tanks');
    await books.addSource(project, 'The plant has three rows of tanks, built in 1888.');
    const wrong = 'The tanks were built in 1886.[^s1]';
    model.will('draft_chapter', { text: chapterOf('Tanks', 950).replace('\n\n', `\n\n${wrong}\n\n`) });
    await books.run(project, 'chapter', { chapter_number: 1 });
    const shown = async () => {
      const { review, ...chapter } = await books.written(project);
      const found = review.findings.find(({ rule }) => rule.startsWith('citation-unsupported-'))!;
      return { ...chapter, review, found: found as (typeof review.findings)[0] & { id: string } };
    };
    const { id, review, found, content } = await shown();
    expect(review).toMatchObject({ score: 90, effective_should_revise: true });
    const path = `/api/books/chapters/${id}/findings/${found.id}`;
    const overruled = { reason: 'The plaque says so.' };

    const refused = async (by: ApiClient, at: string, headers = {}) => {
      const { status, json: problem } = await by.request('PATCH', at, { overruled }, headers);
      return [status, problem.code];
    };
    expect(await refused(client, `/api/books/chapters/${id}/findings/none`)).toEqual([404, 'not_found']);
    expect(await refused(client, path, { 'if-match': '"old"' })).toEqual([412, 'changed_meanwhile']);
    expect(await refused(await running.stack.tenant(), path)).toEqual([404, 'not_found']);
    expect((await shown()).found).toEqual(found);

    const { json: ruled } = await client.request('PATCH', path, { overruled });
    expect(ruled.review).toMatchObject({ effective_should_revise: false });
    const mark = { by: expect.stringMatching(/^key_/), at: expect.any(String), ...overruled };
    expect((await shown()).found).toEqual({ ...found, overruled: mark });

    // A later run asks nobody about it, and revises nothing for it.
    model.reset();
    const last = splitParagraphs(content).at(-1)!.id;
    model.will('revise_chapter', revise(last, 'Other last words.'));
    await books.run(project, 'chapter', { chapter_number: 1, feedback: 'End otherwise.' });
    const later = await shown();
    expect(later.content).toContain('Other last words.');
    expect(later.review.findings.filter(({ rule }) => rule.startsWith('citation-'))).toMatchObject([
      { overruled: mark },
    ]);
    const revisions = model.requests.filter(({ operation }) => operation === 'revise_chapter');
    expect(revisions).toHaveLength(1);

    const again = splitParagraphs(later.content)[1]!.id;
    model.will('revise_chapter', revise(again, 'The tanks were all built in 1886.[^s1]'));
    await books.run(project, 'chapter', { chapter_number: 1, feedback: 'Say "all".' });
    const changed = await shown();
    expect(changed.content).toContain('all built in 1886');
    expect(changed.found).not.toHaveProperty('overruled');

    // Restored, the sentence is overruled again, until the author takes that back.
    await client.post(`/api/books/chapters/${id}/restore`, { version: 1 });
    expect((await shown()).found).toEqual({ ...found, overruled: mark });
    const undone = await client.request('PATCH', path, { overruled: null });
    expect([undone.status, (await shown()).review.score]).toEqual([200, 90]);
    expect((await shown()).found).toEqual(found);
  });
});
