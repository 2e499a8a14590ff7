import type { ApiClient } from '#testing/api-client.js';
import { sharedStack } from '#testing/shared-stack.js';
import { until } from '#testing/until.js';
import { readdirSync, readFileSync } from 'node:fs';

type Json = Record<string, unknown>;
interface Text extends Json {
  title: string | null;
  name: string;
  state: string;
  source_type: string;
  author_id: string | null;
}

const EXAMPLES = 'examples/article';
const textsOf = (folder: string) =>
  readdirSync(`${EXAMPLES}/${folder}`).map((name) => ({
    title: name,
    text: readFileSync(`${EXAMPLES}/${folder}/${name}`, 'utf8'),
  }));

describe('A9 A11 the style corpus over HTTP', () => {
  let client: ApiClient;
  let stranger: ApiClient;

  beforeAll(async () => {
    const stack = await sharedStack();
    [client, stranger] = [await stack.tenant(), await stack.tenant()];
  });

  const list = async (query = '') =>
    (await client.get(`/api/corpus/texts?limit=100${query}`)).json.items as Text[];
  const indexed = () =>
    until(
      'every text is ready',
      () => list(),
      (texts) => texts.every(({ state }) => state === 'ready'),
    );

  it('has no fingerprint while it is empty', async () => {
    for (const { status, json } of [
      await client.get('/api/corpus/fingerprint'),
      await client.post('/api/corpus/compare', { text: 'Words.' }),
    ])
      expect([status, json.code]).toEqual([404, 'corpus_empty']);
  });

  it('accepts texts in two languages, by the tenant and by others, as JSON and as files, in one collection', async () => {
    const own = await client.post('/api/corpus/ingest', { author_id: 'anna', texts: textsOf('corpus') });
    expect(own.status).toBe(202);
    const added = own.json.items as Text[];
    expect(added).toHaveLength(4);
    expect(added[0]).toMatchObject({ source_type: 'own', author_id: 'anna', outcome: 'created' });
    const again = await client.post('/api/corpus/ingest', { author_id: 'anna', texts: textsOf('corpus') });
    expect((again.json.items as Text[]).map(({ outcome }) => outcome)).toEqual(Array(4).fill('unchanged'));

    const form = new FormData();
    for (const { title, text } of textsOf('corpus-pl')) form.append('file', new Blob([text]), title);
    const files = await client.request('POST', '/api/corpus/ingest?source_type=external&author_id=jan', form);
    expect(files.status).toBe(202);
    expect((files.json.items as Text[])[0]).toMatchObject({ source_type: 'external', author_id: 'jan' });

    const collections = (await client.get('/api/knowledge/collections?purpose=style')).json.items as Json[];
    expect(collections.map(({ sources }) => sources)).toEqual([8]);
    expect((await list('&source_type=external')).map(({ author_id }) => author_id)).toEqual(
      Array(4).fill('jan'),
    );
    expect(await list('&author_id=anna&source_type=own')).toHaveLength(4);
    await indexed();
  });

  it('shows its style by language, author and origin of the texts', async () => {
    const fingerprint = async (query: string) => (await client.get(`/api/corpus/fingerprint${query}`)).json;
    expect(await fingerprint('?language=en')).toMatchObject({ language: 'en', texts: 4, left_out: 4 });
    const polish = await fingerprint('?source_type=external');
    expect(polish).toMatchObject({ language: 'pl', texts: 4, left_out: 0 });
    const habits = polish.habits as Record<string, { form: string }[]>;
    expect(habits.date_format![0]!.form).toBe('14 marca 2026');
    expect(habits.quotation_marks![0]!.form).toBe('„…”');
    expect(await fingerprint('?author_id=anna')).toMatchObject({ language: 'en', texts: 4, left_out: 0 });
    expect((await client.get('/api/corpus/fingerprint?author_id=nobody')).json.code).toBe('corpus_empty');
    expect((await client.get('/api/corpus/fingerprint?author_id=anna&language=pl')).json.code).toBe(
      'corpus_empty',
    );
  });

  it('compares a text with the texts of its language: deviations with place and size, and safe corrections', async () => {
    const text = readFileSync(`${EXAMPLES}/draft.md`, 'utf8');
    const { status, json } = await client.post('/api/corpus/compare', { text });
    expect(status).toBe(200);
    expect(json.corpus).toMatchObject({ language: 'en', texts: 4, left_out: 4 });
    const annotations = json.annotations as {
      rule: string;
      span: { start: number; end: number };
      suggestion: string;
    }[];
    const term = annotations.find(({ rule }) => rule === 'term_spelling')!;
    expect([text.slice(term.span.start, term.span.end), term.suggestion]).toEqual(['Larkfeld', 'Larkfield']);
    expect(json.corrected).toContain('read from the same queue');
    expect(json.corrected).toContain('`scanner.queue = "labels"`');
    expect((json.deviations as Json[])[0]).toMatchObject({
      measure: expect.any(String),
      distance: expect.any(Number),
    });
    const polish = await client.post('/api/corpus/compare', {
      text: 'To jest jest zdanie o magazynie, które nie ma sensu.',
    });
    expect(polish.json.corpus).toMatchObject({ language: 'pl', texts: 4 });
    expect((polish.json.annotations as { rule: string }[]).map(({ rule }) => rule)).toContain(
      'repeated_word',
    );
  });

  it('a long text delays no other request: it is read in a thread', async () => {
    const text = readFileSync(`${EXAMPLES}/draft.md`, 'utf8').repeat(350).slice(0, 480_000);
    const comparing = client.post('/api/corpus/compare', { text });
    let answered = 0;
    let isDone = false;
    void comparing.then(() => (isDone = true));
    while (!isDone) if ((await client.get('/api/sessions')).status === 200 && !isDone) answered++;
    expect((await comparing).status).toBe(200);
    expect(answered).toBeGreaterThan(2);
  });

  it('is accessible only to its tenant', async () => {
    expect((await stranger.get('/api/corpus/texts')).json.items).toEqual([]);
    expect((await stranger.get('/api/corpus/fingerprint?author_id=anna')).json.code).toBe('corpus_empty');
  });

  it.each([
    ['no texts', { texts: [] }],
    ['an unknown source type', { source_type: 'mine', texts: [{ title: 'a', text: 'b' }] }],
    ['a title of two lines', { texts: [{ title: 'a\nb', text: 'b' }] }],
    ['an empty text', { texts: [{ title: 'a', text: '' }] }],
  ])('refuses %s', async (_what, body) => {
    const { status, json } = await client.post('/api/corpus/ingest', body);
    expect([status, json.code]).toEqual([422, 'invalid_request']);
  });
});
