import { ArticleDesk } from '#testing/article-desk.js';
import type { ApiClient, DecisionView, RunView } from '#testing/api-client.js';
import { sharedStack } from '#testing/shared-stack.js';
import { strFromU8, unzipSync } from 'fflate';
import { readdirSync, readFileSync } from 'node:fs';
import { forkRun, readHistory } from './history-client.js';

type Json = Record<string, unknown>;

const SOURCES = 'examples/book';
const TOPIC = 'The lamp of the lighthouse at Marrow Point';

function texts(): Record<string, string> {
  const names = readdirSync(SOURCES).filter((file) => file.endsWith('.md'));
  return Object.fromEntries(names.map((name) => [name, readFileSync(`${SOURCES}/${name}`, 'utf8')]));
}

/** Articles by the rules alone, through the real system. */
describe('articles without a model', () => {
  let client: ApiClient;

  let desk: ArticleDesk;

  beforeAll(async () => {
    client = await (await sharedStack()).tenant();
    desk = new ArticleDesk(client);
    await desk.collection('knowledge', texts());
    const note = (n: number) =>
      `# Note ${n}\n\nWe keep “words” short. We write on 3 May 2024. The lamp needs oil.\n\nWe close with a fact.\n`;
    await desk.collection('style', { 'one.md': note(1), 'two.md': note(2), 'three.md': note(3) });
  });

  const start = (mode: string, inputs: Json) => desk.start(mode, inputs);
  /** The next question of a run, which has to be of that kind. */
  const asked = async (run: RunView, kind: string): Promise<DecisionView> => {
    const decision = await desk.asked(run);
    expect(decision.decision_type).toBe(kind);
    return decision;
  };
  const answer = (decision: DecisionView, body: Json) => desk.answer(decision, body);
  const result = (run: Pick<RunView, 'session_id'>, name: string) => desk.result(run, name);
  const ended = (run: RunView) => desk.ended(run);

  it('A1 A3 A6 A12 author: research, headings changed by a person, a draft that cites the sources, the log', async () => {
    const run = await start('author', { topic: TOPIC, keywords: ['oil'] });
    const research = await asked(run, 'article_research');
    const { report, sources, headings } = research.details as {
      report: string;
      sources: Json[];
      headings: Json[];
    };
    expect(sources.length).toBeGreaterThan(1);
    for (const source of sources)
      expect(source).toMatchObject({
        url: expect.stringMatching(/^\/api\/knowledge\//),
        title: expect.any(String),
        summary: expect.any(String),
      });
    expect(report).toContain('[^s1]');
    expect(headings[0]).toEqual({ level: 1, title: TOPIC });
    const own = [
      { level: 1, title: 'The keeper’s lamp' },
      { level: 2, title: 'The lamp and its oil' },
    ];
    await answer(research, { action: 'approve', headings: own });
    const draft = await asked(run, 'article_draft');
    const shown = (draft.details as { draft: string }).draft;
    expect(shown).toMatch(/^# The keeper’s lamp\n\n## The lamp and its oil\n/);
    expect(shown).toMatch(/^\[\^s\d+\]: \S.*\.$/m);
    expect(shown).not.toContain('/api/knowledge/');
    const originals = Object.values(texts());
    const quoted = shown.split(/\n{2,}/).filter((block) => !/^(?:#|\*|\[\^)/.test(block));
    expect(quoted.length).toBeGreaterThan(0);
    for (const block of quoted)
      expect(originals.join('\n')).toContain(block.replace(/\[\^s\d+\]\s*$/, '').trim());
    await answer(draft, { action: 'accept' });
    const view = await ended(run);
    expect(view).toMatchObject({ status: 'completed', kind: 'article', mode: 'author' });
    expect(view.progress.details).toMatchObject({ approved: true, used_fallback: true, iteration_count: 0 });
    expect(await result(run, 'article')).toBe(shown);
    expect(await result(run, 'report')).toContain(report.trim());
    const events = await client.events(run.id);
    expect(events.filter(({ type }) => type === 'article_saved')).toHaveLength(1);
  });

  it('A6 the same topic and sources give the same article and the same report, byte by byte', async () => {
    const written = async () => {
      const own = new ArticleDesk(await (await sharedStack()).tenant());
      await own.collection('knowledge', texts());
      const run = await own.start('author', { topic: TOPIC });
      await own.answerInTurn(run, { action: 'approve' }, { action: 'accept' });
      await own.ended(run);
      return Promise.all(['article', 'report'].map((name) => own.result(run, name)));
    };
    const [first, second] = [await written(), await written()];
    expect(first[0]).toContain('[^s2]: ');
    expect(second).toEqual(first);
  });

  it('A5 warns of an earlier topic, and continues or stops as a person decides', async () => {
    const stopped = await start('author', { topic: 'The lighthouse lamp at Marrow Point' });
    const warning = await asked(stopped, 'article_duplicate');
    expect(warning.details).toMatchObject({ article: { topic: TOPIC, mode: 'author' } });
    await answer(warning, { action: 'stop' });
    expect(await ended(stopped)).toMatchObject({ status: 'rejected', error: { code: 'duplicate_topic' } });
    const overridden = await start('author', { topic: TOPIC });
    await answer(await asked(overridden, 'article_duplicate'), { action: 'continue' });
    await answer(await asked(overridden, 'article_research'), { action: 'stop' });
    expect(await ended(overridden)).toMatchObject({
      status: 'rejected',
      error: { code: 'research_stopped' },
    });
    const allowed = await start('author', { topic: TOPIC, allow_duplicate: true });
    await answer(await asked(allowed, 'article_research'), { action: 'stop' });
    expect((await ended(allowed)).progress.details).toMatchObject({ duplicate_detected: true });
  });

  it('A4 ends as rejected after the third rejection, and keeps the last draft', async () => {
    const run = await start('author', {
      topic: 'Storms and ships',
      headings: [{ level: 2, title: 'Storms' }],
    });
    await answer(await asked(run, 'article_research'), { action: 'approve' });
    for (const round of [0, 1, 2]) {
      const decision = await asked(run, 'article_draft');
      const details = decision.details as { iteration_count: number; paragraphs: { id: string }[] };
      expect(details.iteration_count).toBe(round);
      const unknown = await client.post(`/api/decisions/${decision.id}/answer`, {
        action: 'decide',
        paragraphs: [{ paragraph_id: 'none', accepted: false }],
      });
      expect([unknown.status, unknown.json.code]).toEqual([422, 'invalid_answer']);
      await answer(decision, { action: 'reject', feedback: `Not yet (${round}).` });
    }
    expect(await ended(run)).toMatchObject({
      status: 'rejected',
      error: { code: 'rejected' },
      progress: { details: { iteration_count: 3, approved: false } },
    });
    expect(await result(run, 'article')).toContain('## Storms');
  });

  it('X8 removes a rejected paragraph and keeps a text as a person edited it', async () => {
    const run = await start('author', { topic: 'The keeper and his logbook' });
    await answer(await asked(run, 'article_research'), { action: 'approve' });
    const first = await asked(run, 'article_draft');
    const { draft, paragraphs } = first.details as {
      draft: string;
      paragraphs: { id: string; kind: string; begins: string }[];
    };
    const victim = paragraphs.find(({ kind, begins }) => kind === 'paragraph' && !begins.startsWith('*'))!;
    await answer(first, { action: 'decide', paragraphs: [{ paragraph_id: victim.id, accepted: false }] });
    const second = await asked(run, 'article_draft');
    const shorter = (second.details as { draft: string }).draft;
    expect(shorter.length).toBeLessThan(draft.length);
    const text = '# My own\r\n\r\nText, as it is.  \n';
    await answer(second, { action: 'edit', text });
    expect((await ended(run)).status).toBe('completed');
    expect(await result(run, 'article')).toBe(text);
  });

  it('A7 shadow is rejected before it starts if there is no corpus, and works with general rules', async () => {
    const stranger = await (await sharedStack()).tenant();
    const user_text = '---\ntitle: A  lamp\n---\n\nThe lamp is is lit.\n';
    const { id } = (await stranger.post('/api/sessions', {})).json;
    const body = { session_id: id, kind: 'article', mode: 'shadow', inputs: { user_text } };
    const empty = String(
      (await stranger.post('/api/knowledge/collections', { name: 's', purpose: 'style' })).json.id,
    );
    for (const inputs of [{ user_text }, { user_text, style_collections: [empty] }]) {
      const { status, json } = await stranger.post('/api/agents/runs', { ...body, inputs });
      expect([status, json.code]).toEqual([422, 'no_corpus']);
    }
    const chat = await stranger.post('/api/chat/stream', { mode: 'shadow', inputs: { user_text } });
    expect([chat.status, chat.json.code]).toEqual([422, 'no_corpus']);
    expect((await stranger.get('/api/agents/runs')).json.items).toEqual([]);
    const own = new ArticleDesk(stranger);
    const run = await own.start('shadow', { user_text, rules: 'general' });
    await own.answerInTurn(run, { action: 'approve' });
    expect(await own.ended(run)).toMatchObject({ status: 'completed' });
    expect(await own.result(run, 'corrected')).toBe(user_text.replace('is is', 'is'));
  });

  it('A7 shadow: annotations against the corpus, a corrected text, approval of single changes', async () => {
    const text = '# Draft\n\nWe write the the words. It was on 2024-05-03.\n\nThe  lamp "burns".\n';
    const run = await start('shadow', { user_text: text });
    const first = await asked(run, 'article_shadow');
    const details = first.details as { annotations: Json[]; changes: { id: string; before: string }[] };
    expect(details.annotations.length).toBeGreaterThan(1);
    expect(details.changes.length).toBeGreaterThan(1);
    const [kept] = details.changes;
    await answer(first, {
      action: 'reject',
      reason: 'Leave the first paragraph.',
      changes: [{ change_id: kept!.id, accepted: false }],
    });
    const second = await asked(run, 'article_shadow');
    const now = second.details as { iteration_count: number; corrected_version: string };
    expect(now.iteration_count).toBe(1);
    expect(now.corrected_version).toContain(kept!.before);
    await answer(second, { action: 'approve' });
    expect((await ended(run)).status).toBe('completed');
    expect(await result(run, 'corrected')).toBe(now.corrected_version);
    expect(await result(run, 'annotated')).toContain('{>>');
  });

  it('A3 X5 forks at the research, which asks again and ends differently; the first article stays unchanged', async () => {
    const run = await start('author', { topic: 'Keepers and their lamp' });
    await answer(await asked(run, 'article_research'), { action: 'approve' });
    await answer(await asked(run, 'article_draft'), { action: 'accept' });
    await ended(run);
    const written = await result(run, 'article');
    const paused = (await readHistory(client, run.id)).find(({ next }) => next.includes('approve_research'));
    const fork = await forkRun(client, run, paused!.checkpoint_id);
    const again = await asked(fork.run, 'article_research');
    expect(await result({ session_id: fork.session.id }, 'report')).toBe(await result(run, 'report'));
    const headings = [{ level: 2, title: 'Another heading' }];
    await answer(again, { action: 'approve', headings });
    await answer(await asked(fork.run, 'article_draft'), { action: 'accept' });
    expect((await ended(fork.run)).status).toBe('completed');
    expect(await result({ session_id: fork.session.id }, 'article')).toContain('## Another heading');
    expect(await result(run, 'article')).toBe(written);
  });

  it('A2 A7 ends with a clear error if the input of the mode is missing', async () => {
    expect((await ended(await start('author', {}))).error?.code).toBe('topic_required');
    expect((await ended(await start('shadow', {}))).error?.code).toBe('user_text_required');
    const lost = await start('author', { topic: 'Anything', collections: ['col_none'] });
    expect((await ended(lost)).error?.code).toBe('collection_unknown');
  });

  it('B12 X15 exports an approved article to files in a citation style', async () => {
    const own = new ArticleDesk(await (await sharedStack()).tenant());
    const collection = await own.collection('knowledge', texts());
    const run = await own.start('author', { topic: TOPIC });
    const exporting = async (inputs: Json) => {
      const body = { session_id: run.session_id, kind: 'article', mode: 'export', inputs };
      const { json } = await own.client.post('/api/agents/runs', body);
      return own.ended(json as RunView);
    };
    await own.answerInTurn(run, { action: 'approve' }, { action: 'accept' });
    await own.ended(run);
    const sources = `/api/knowledge/collections/${collection}/sources`;
    const { items } = (await own.client.get(sources)).json as { items: { id: string }[] };
    for (const { id } of items)
      await own.client.request('PATCH', `${sources}/${id}`, {
        reference: { authors: [{ family: 'Kowalski', given: 'Jan' }], issued: '1886' },
      });
    const ended = await exporting({
      formats: ['docx', 'pdf', 'md'],
      citation_style: 'apa',
      author: 'Ada Nowak',
    });
    expect(ended.error).toBeNull();
    const { exports } = ended.progress.details as { exports: { id: string; name: string; format: string }[] };
    expect(exports.map(({ format }) => format)).toEqual(['docx', 'pdf', 'md']);
    const files = await Promise.all(
      exports.map(async ({ id }) => {
        const url = `${own.client.baseUrl}/api/sessions/${run.session_id}/exports/${id}`;
        const response = await fetch(url, { headers: { authorization: `Bearer ${own.client.key}` } });
        return Buffer.from(await response.arrayBuffer());
      }),
    );
    expect(strFromU8(unzipSync(files[0]!)['docProps/core.xml']!)).toContain('>Ada Nowak<');
    expect(files[1]!.subarray(0, 5).toString()).toBe('%PDF-');
    const markdown = strFromU8(unzipSync(files[2]!)['article.md']!);
    expect(markdown).toMatch(/ \(Kowalski, 1886[a-z]?\)/);
    expect(markdown).toMatch(/\n## Bibliography\n\n- Kowalski, J\. \(1886/);
    expect(markdown).not.toContain('[^s');

    const { json: empty } = await own.client.post('/api/sessions', {});
    const { json: lost } = await own.client.post('/api/agents/runs', {
      session_id: empty.id,
      kind: 'article',
      mode: 'export',
      inputs: {},
    });
    expect((await own.ended(lost as RunView)).error?.code).toBe('no_approved_article');
  });

  it('A14 repurposes an approved article for four platforms by rules, within their limits', async () => {
    const text = readFileSync('examples/article/corpus/01-queues.md', 'utf8');
    const { json: session } = await client.post('/api/sessions', {});
    const begin = async (mode: string, inputs: Json) => {
      const body = { session_id: session.id, kind: 'article', mode, inputs };
      const { status, json, text: answer } = await client.post('/api/agents/runs', body);
      expect([status, status === 202 ? '' : answer]).toEqual([202, '']);
      return json as RunView;
    };
    const early = await ended(await begin('repurpose', {}));
    expect(early).toMatchObject({ status: 'failed', error: { code: 'no_approved_article' } });

    const shadow = await begin('shadow', { user_text: text.replace('hour.', 'hour hour.') });
    await answer(await asked(shadow, 'article_shadow'), { action: 'approve' });
    expect((await ended(shadow)).status).toBe('completed');
    const run = await begin('repurpose', {});
    expect(await ended(run)).toMatchObject({
      status: 'completed',
      progress: { details: { used_fallback: true } },
    });
    const results = Object.fromEntries(
      await Promise.all(
        ['linkedin', 'x_thread', 'newsletter', 'video_script'].map(async (name) => [
          name,
          await result(run, name),
        ]),
      ),
    ) as Record<string, string>;
    expect(results.linkedin).toMatch(/^Why our parcels wait in queues\n\nEvery depot of Larkfield Parcel/);
    for (const post of results.x_thread!.split('\n\n---\n\n')) {
      expect(post.trim()).toMatch(/^\d+\/\d+ /);
      expect(post.trim().length).toBeLessThanOrEqual(280);
    }
    expect(results.newsletter).toMatch(/^Subject: Why our parcels wait in queues\n/);
    expect(results.video_script).toContain('**Scene 1**');
    const figures = (words: string) =>
      new Set(words.replace(/^\d+\/\d+ |Scene \d+/gm, '').match(/\d[\d,.]*\d|\d/g));
    for (const made of Object.values(results))
      for (const figure of figures(made)) expect([made, text.includes(figure)]).toEqual([made, true]);

    const some = await begin('repurpose', {
      user_text: '# A lamp\n\nThe lamp burns oil.\n',
      platforms: ['linkedin'],
    });
    expect((await ended(some)).status).toBe('completed');
    expect(await result(some, 'linkedin')).toBe('A lamp\n\nThe lamp burns oil.\n');
    // What the last run did not make is still there.
    expect(await result(some, 'newsletter')).toBe(results.newsletter);
    expect(await result(some, 'corrected')).toContain('Every depot of Larkfield Parcel');
  });
});
