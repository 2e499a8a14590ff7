import type { Schemas } from '#catalogue/named-schemas.js';
import type { ApiClient } from '#testing/api-client.js';
import { anyMarkdown } from '#testing/any-markdown.js';
import { ArticleDesk } from '#testing/article-desk.js';
import { atDepth } from '#testing/depth.js';
import { diligentAnswer } from '#testing/diligent-model.js';
import { startModelStub, type ModelStub, type StubReply, type StubRequest } from '#testing/model-stub.js';
import { fromWire, toWire } from '#testing/model-wire.js';
import { leasedStack, sharedStack, type LeasedStack } from '#testing/shared-stack.js';
import { cliEnv, runCli } from '#testing/cli.js';
import { readDocx } from '#office/docx/read/read.js';
import { until } from '#testing/until.js';
import fc from 'fast-check';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

type Change = Schemas['SelectionChange'];
type Reply = StubReply | ((request: StubRequest) => StubReply);

const CHAPTER = '## The tower\n\nThe tower is high. It is grey.\n\n- one\n- two\n\nPeople like it.\n';
const promptOf = ({ messages }: StubRequest) => messages.map(({ content }) => String(content)).join('\n');
const proposing = (replacement: string | null, more: object = {}): StubReply => ({
  text: JSON.stringify({ replacement, note: null, cannot: null, ...more }),
});

describe('changing a selection, with a model over HTTP', () => {
  let stack: LeasedStack;
  let stub: ModelStub;
  let client: ApiClient;
  let replies: Reply[] = [];

  beforeAll(async () => {
    stub = await startModelStub({
      respond: (request) => {
        // Only document runs have tools.
        if (request.tools) return toWire(diligentAnswer(fromWire(request.messages)));
        const next = replies.shift() ?? { status: 400, message: 'No more replies.' };
        return typeof next === 'function' ? next(request) : next;
      },
    });
    stack = await leasedStack('model', { model: stub.baseUrl });
    client = await stack.tenant();
  });
  afterAll(async () => {
    await stack.release();
    await stub.stop();
  });
  beforeEach(() => {
    replies = [];
    stub.requests.length = 0;
  });

  const chapter = async (content = CHAPTER) => {
    const project = (await client.post('/api/books/projects', { title: 'Towers' })).json;
    const body = { title: 'One', content };
    const path = `/api/books/projects/${String(project.id)}/chapters`;
    return String((await client.post(path, body)).json.id);
  };
  const contentOf = async (id: string) =>
    String((await client.get(`/api/books/chapters/${id}`)).json.content);
  const read = async (runId: string) => (await client.get(`/api/changes/${runId}`)).json as unknown as Change;
  const propose = async (body: object, ...given: Reply[]): Promise<Change> => {
    replies = given;
    const { status, json } = await client.post('/api/changes', body);
    expect([status, json.code]).toEqual([202, undefined]);
    return until(
      'the change is proposed',
      () => read(String(json.run_id)),
      ({ state }) => state !== 'proposing',
    );
  };
  const decide = (runId: string, decision: 'accept' | 'reject') =>
    client.post(`/api/changes/${runId}/${decision}`, {});

  it('B9 X8 replaces only the selected words of a chapter, streams them, and creates a new version', async () => {
    const chapter_id = await chapter();
    const selection = { quote: 'The tower is high.' };
    const body = { chapter_id, selection, instruction: 'Make it concrete.' };
    const change = await propose(body, proposing('The tower looks down on the whole town.'));
    expect(change).toMatchObject({
      state: 'proposed',
      before: 'The tower is high.',
      after: 'The tower looks down on the whole town.',
      acceptable: true,
      target: { kind: 'chapter', chapter_id },
    });
    const prompt = promptOf(stub.requests[0]!);
    expect(prompt).toContain('<selection>The tower is high.</selection>');
    expect(prompt).toContain('<instruction>Make it concrete.</instruction>');
    expect(prompt).toContain('<after> It is grey.');
    const events = (await client.get(`/api/agents/runs/${change.run_id}/events`)).text;
    expect(events).toContain('event: token');
    expect(await contentOf(chapter_id)).toBe(CHAPTER);
    expect((await decide(change.run_id, 'accept')).json).toMatchObject({ state: 'accepted' });
    const changed = CHAPTER.replace('The tower is high.', 'The tower looks down on the whole town.');
    expect(await contentOf(chapter_id)).toBe(changed);
    const versions = (await client.get(`/api/books/chapters/${chapter_id}/versions`)).json.items;
    expect(versions).toMatchObject([
      { number: 2, origin: 'decisions', run_id: change.run_id },
      { number: 1 },
    ]);
    const proposals = await client.get(`/api/sessions/${change.session_id}/proposals`);
    expect(proposals.json.items).toMatchObject([
      { run_id: change.run_id, origin: 'model', author: null, state: 'accepted', applied: true },
    ]);
    // A repeated request changes nothing, and the opposite decision is refused.
    expect((await decide(change.run_id, 'accept')).json).toMatchObject({ state: 'accepted' });
    expect((await decide(change.run_id, 'reject')).json).toMatchObject({ code: 'decision_answered' });
    expect((await client.get(`/api/books/chapters/${chapter_id}`)).json.version).toBe(2);
  });

  it('X8 leaves the text as it is after a rejection', async () => {
    const chapter_id = await chapter();
    const body = { chapter_id, selection: { first_line: 8, last_line: 8 }, instruction: 'Shorter.' };
    const change = await propose(body, proposing('It is liked.'));
    expect(change.before).toBe('People like it.');
    expect((await decide(change.run_id, 'reject')).json).toMatchObject({ state: 'rejected' });
    expect((await decide(change.run_id, 'accept')).json).toMatchObject({ code: 'decision_answered' });
    expect(await contentOf(chapter_id)).toBe(CHAPTER);
  });

  it('refuses to change a text that has changed in the meantime, and can then be rejected', async () => {
    const chapter_id = await chapter();
    const body = { chapter_id, selection: { quote: 'It is grey.' }, instruction: 'Say it is old.' };
    const change = await propose(body, proposing('It is old.'));
    const { etag } = (await client.get(`/api/books/chapters/${chapter_id}`)).json as { etag: string };
    const edited = `${CHAPTER}\nMore words.\n`;
    const path = `/api/books/chapters/${chapter_id}`;
    await client.request('PATCH', path, { content: edited }, { 'if-match': etag });
    const refused = await decide(change.run_id, 'accept');
    expect([refused.status, refused.json.code]).toEqual([412, 'changed_meanwhile']);
    expect(await contentOf(chapter_id)).toBe(edited);
    expect(await read(change.run_id)).toMatchObject({ state: 'proposed' });
    expect((await decide(change.run_id, 'reject')).json).toMatchObject({ state: 'rejected' });
  });

  it('requests a correction of words that would change other paragraphs, and removes code fences and pleasantries', async () => {
    const chapter_id = await chapter();
    const body = { chapter_id, selection: { quote: 'People like it.' }, instruction: 'As a quotation.' };
    const wordy = 'Sure! Here is the new text:\n\n```markdown\n> People like it.\n```';
    const change = await propose(body, proposing('- people like it'), (request) => {
      expect(promptOf(request)).toContain('blocks around the selection');
      return {
        text: `Of course!\n\`\`\`json\n${JSON.stringify({ replacement: wordy, note: 'Quoted.' })}\n\`\`\``,
      };
    });
    expect(change).toMatchObject({ state: 'proposed', after: '> People like it.', note: 'Quoted.' });
  });

  it('fails with the reason if the model cannot do it or returns nothing usable', async () => {
    const chapter_id = await chapter();
    const body = { chapter_id, selection: { quote: 'It is grey.' }, instruction: 'Say who built it.' };
    const cannot = await propose(body, proposing(null, { cannot: 'No passage names the builder.' }));
    const reason = { code: 'change_impossible', message: 'No passage names the builder.' };
    expect(cannot).toMatchObject({ state: 'failed', error: reason });
    expect((await decide(cannot.run_id, 'accept')).json).toMatchObject({ code: 'no_proposal' });
    const useless = await propose(body, { text: 'It is grey.' }, proposing('It is grey.'));
    expect(useless).toMatchObject({ state: 'failed', error: { code: 'proposal_unusable' } });
  });

  it('X13 asks what to do if the model fails, and continues once it is available again', async () => {
    const chapter_id = await chapter();
    replies = [{ status: 401 }, proposing('It is white.')];
    const body = { chapter_id, selection: { quote: 'It is grey.' }, instruction: 'Another colour.' };
    const { json } = await client.post('/api/changes', body);
    const question = await client.decision(String(json.run_id));
    expect(question).toMatchObject({
      decision_type: 'model_failed',
      details: { code: 'model_unauthorized', choices: expect.not.arrayContaining(['rules']) },
    });
    expect(await read(String(json.run_id))).toMatchObject({ state: 'proposing', error: null });
    await client.post(`/api/decisions/${question.id}/answer`, { action: 'retry' });
    const change = await until(
      'the change is proposed',
      () => read(String(json.run_id)),
      ({ state }) => state !== 'proposing',
    );
    expect(change).toMatchObject({ state: 'proposed', after: 'It is white.' });
  });

  it('changes a text of the client, which stores it itself', async () => {
    const text = 'One.\r\n\r\nTwo.\r\n';
    const change = await propose(
      { text, selection: { quote: 'Two.' }, instruction: 'Two lines.' },
      proposing('Two\nlines.'),
    );
    expect(change).toMatchObject({ target: { kind: 'text' }, span: { start: 8, end: 12 } });
    expect((await decide(change.run_id, 'accept')).json).toMatchObject({ state: 'accepted' });
  });

  it('changes an approved article, with the passages it cites, and lets a person accept figures without a source', async () => {
    const desk = new ArticleDesk(client);
    await desk.collection('knowledge', { 'tower.md': '# Tower\n\nThe tower is 31 metres high.\n' });
    const report = 'The tower is 31 metres high.[^s1]\n';
    const json = (value: unknown): StubReply => ({ text: JSON.stringify(value) });
    const sound = json({ findings: [], proofs: [] });
    replies = [
      { text: report },
      json({
        headings: [
          { level: 1, title: 'Tower' },
          { level: 2, title: 'Height' },
        ],
      }),
      sound,
      json({ sections: [{ title: 'Height', points: ['height'], labels: ['s1'] }] }),
      { text: `# Tower\n\n## Height\n\n${report}\nIt is grey.\n` },
      sound,
    ];
    const run = await desk.start('author', { topic: 'The tower', research_rounds: 0 });
    await desk.answerInTurn(run, { action: 'approve' }, { action: 'accept' });
    await desk.ended(run);
    const { session_id } = run;
    const article = () => desk.result(run, 'article');
    const before = await article();
    const body = { session_id, selection: { quote: 'It is grey.' }, instruction: 'Say more of it.' };
    const invented = 'It was opened by Queen Beatrix in 1999.';
    const refused = await propose(body, proposing(invented), proposing(invented));
    expect(refused).toMatchObject({ state: 'proposed', acceptable: false });
    expect(refused.findings.map(({ rule }) => rule)).toContain('uncited-addition-number');
    expect(promptOf(stub.requests.at(-1)!)).toContain('for which it cites no passage');
    await decide(refused.run_id, 'reject');
    const change = await propose(body, proposing('It is grey and 31 metres high.[^s1]'), sound);
    expect(promptOf(stub.requests.at(-2)!)).toContain('The tower is 31 metres high.\n</passages>');
    expect(change).toMatchObject({ acceptable: true, target: { kind: 'article' } });
    await decide(change.run_id, 'accept');
    expect(await article()).toBe(before.replace('It is grey.', 'It is grey and 31 metres high.[^s1]'));
    const own = { ...body, selection: { quote: 'It is grey and' } };
    const shown = await propose(own, proposing(invented), proposing(invented));
    expect(shown).toMatchObject({ acceptable: false });
    const { json: accepted } = await decide(shown.run_id, 'accept');
    expect(accepted).toMatchObject({ state: 'accepted' });
    // Older releases refused it.
    expect(accepted.code).not.toBe('proposal_refused');
    expect(await article()).toContain(invented);
  });

  it('X1 changes the manuscript of a document together with its ledger, and reports lost source lines first', async () => {
    const session_id = await client.sessionWith({
      'notes.md': '# Notes\n\nThe pump failed at noon.\n\nIt was cleaned.\n',
    });
    const run = await client.startRun(session_id);
    await client.completed(run.id);
    const manuscript = async () => (await client.get(`/api/sessions/${session_id}/manuscript`)).text;
    const coverage = async () =>
      ((await client.get(`/api/sessions/${session_id}/ledger`)).json as { coverage: number }).coverage;
    const before = await manuscript();
    expect(await coverage()).toBe(1);
    const body = {
      session_id,
      selection: { quote: 'The pump failed at noon.' },
      instruction: 'Say it shorter.',
    };
    const change = await propose(body, proposing('The pump failed.'));
    expect(change).toMatchObject({
      state: 'proposed',
      target: { kind: 'document' },
      ledger: { passed: false },
    });
    expect(change.ledger!.coverage).toBeLessThan(1);
    expect(change.ledger!.issues.join(' ')).toContain('differs from notes.md line 3');
    expect([await manuscript(), await coverage()]).toEqual([before, 1]);
    expect((await decide(change.run_id, 'accept')).json).toMatchObject({ state: 'accepted' });
    expect(await manuscript()).toBe(before.replace('The pump failed at noon.', 'The pump failed.'));
    expect(await coverage()).toBe(change.ledger!.coverage);
    const back = { session_id, selection: { quote: 'The pump failed.' }, instruction: 'As it was.' };
    const restored = await propose(back, proposing('The pump failed at noon.'));
    expect(restored.ledger).toEqual({ passed: true, coverage: 1, issues: [] });
    await decide(restored.run_id, 'accept');
    expect([await manuscript(), await coverage()]).toEqual([before, 1]);
  });

  it('D24 X1 a changed document is converted again, says until then what is out of date, and is not written over unasked', async () => {
    const session_id = await client.sessionWith({
      'notes.md': '# Notes\n\nThe pump failed at noon.\n\nIt was cleaned.\n',
    });
    const at = `/api/sessions/${session_id}`;
    await client.completed((await client.startRun(session_id)).id);
    type Made = { id: string; name: string; is_current: boolean | null; coverage: number | null };
    const files = async () => (await client.get(`${at}/exports`)).json.items as Made[];
    const result = async (name: string) =>
      ((await client.get(`${at}/results`)).json.items as Made[]).find((one) => one.name === name)!;
    const state = async () => [
      (await files()).map(({ is_current }) => is_current),
      (await result('ledger')).is_current,
      (await result('manuscript')).coverage,
    ];
    expect(await state()).toEqual([[true], true, 1]);
    const body = { session_id, selection: { quote: 'The pump failed at noon.' }, instruction: 'Shorter.' };
    const change = await propose(body, proposing('The pump failed.'));
    await decide(change.run_id, 'accept');
    const { coverage } = change.ledger!;
    expect(await state()).toEqual([[false], true, coverage]);
    const again = { session_id, inputs: {} };
    const refused = await client.post('/api/agents/runs', again);
    expect([refused.status, refused.json.code]).toEqual([409, 'changes_would_be_lost']);

    const started = await client.post(`${at}/exports`, { title: 'Pump' });
    expect(started.status).toBe(202);
    const run = await client.completed(String(started.json.id));
    expect(run).toMatchObject({ progress: { details: { coverage } }, usage: { model_calls: 0 } });
    expect(await state()).toEqual([[true, false], true, coverage]);
    const [word] = await files();
    expect(word!.name).toBe('Pump.docx');
    const text = (await client.get(`${at}/ledger`)).json as { word: { missing: unknown[] } };
    expect(text.word).toBeDefined();
    const docx = JSON.stringify(readDocx(await client.docx(session_id)));
    expect(docx).toContain('The pump failed.');
    expect(docx).not.toContain('at noon');

    expect((await client.post('/api/agents/runs', again)).json.code).toBe('changes_would_be_lost');
    const folder = await mkdtemp(join(tmpdir(), 'export-'));
    const file = join(folder, 'pump.docx');
    expect(
      (await runCli(['export', session_id, '-o', file], { cwd: folder, env: cliEnv(client) })).code,
    ).toBe(0);
    expect(JSON.stringify(readDocx(await readFile(file)))).toContain('The pump failed.');
    await rm(folder, { recursive: true });
    const anew = await client.post('/api/agents/runs', { session_id, inputs: { discard_changes: true } });
    await client.completed(String(anew.json.id));
    // Equal texts are one version, so that the first Word file is current, too.
    expect(await state()).toEqual([[true, false, false, true], true, 1]);
    const nothing = await client.sessionWith({ 'notes.md': '# Notes\n' });
    expect((await client.post(`/api/sessions/${nothing}/exports`, {})).json.code).toBe('no_manuscript');
  });

  it('X8 keeps every byte outside the selection when it is accepted, and all bytes when it is rejected', async () => {
    const project = String((await client.post('/api/books/projects', { title: 'Any text' })).json.id);
    const words = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 });
    const property = fc.asyncProperty(
      anyMarkdown,
      fc.nat(),
      fc.nat(),
      words,
      fc.boolean(),
      async (text, from, length, replacement, accepts) => {
        const made = await client.post(`/api/books/projects/${project}/chapters`, {
          title: 'One',
          content: text,
        });
        const chapter_id = String(made.json.id);
        const content = await contentOf(chapter_id);
        const start = from % (content.length + 1);
        const quote = content.slice(start, start + (length % 60)).toWellFormed();
        const body = { chapter_id, selection: { quote, occurrence: 1 }, instruction: 'Any words.' };
        replies = [proposing(replacement), proposing(replacement)];
        const { status, json } = await client.post('/api/changes', body);
        if (status === 422) return;
        expect([status, json.code]).toEqual([202, undefined]);
        const runId = String(json.run_id);
        const isDone = ({ state }: Change) => state !== 'proposing';
        const change = await until('the change is proposed', () => read(runId), isDone);
        const isAccepted = change.state === 'proposed' && accepts;
        if (change.state === 'proposed') {
          const decided = await decide(runId, accepts ? 'accept' : 'reject');
          expect(decided.json).toMatchObject({ state: accepts ? 'accepted' : 'rejected' });
        }
        const { start: at, end } = change.span;
        const lineEnd = content.includes('\r\n') ? '\r\n' : '\n';
        const inserted = isAccepted ? change.after!.replace(/\r?\n/g, lineEnd) : content.slice(at, end);
        expect(await contentOf(chapter_id)).toBe(content.slice(0, at) + inserted + content.slice(end));
      },
    );
    await fc.assert(property, { numRuns: atDepth({ quick: 12, full: 60 }) });
  });

  it('X5 is part of a fork that is promoted', async () => {
    const session_id = await client.sessionWith({ 'notes.md': '# Notes\n\nThe pump failed at noon.\n' });
    const run = await client.startRun(session_id);
    await client.completed(run.id);
    const history = (await client.get(`/api/agents/runs/${run.id}/history`)).json.items as {
      checkpoint_id: string;
    }[];
    const { checkpoint_id } = history[0]!;
    const forked = await client.post(`/api/sessions/${session_id}/fork`, { run_id: run.id, checkpoint_id });
    const fork = forked.json as { session: { id: string }; run: { id: string } };
    await client.completed(fork.run.id);
    const selection = { quote: 'The pump failed at noon.' };
    const body = { session_id: fork.session.id, selection, instruction: 'Shorter.' };
    const change = await propose(body, proposing('The pump failed.'));
    await decide(change.run_id, 'accept');
    const promoted = await client.post(`/api/sessions/${session_id}/promote`, {
      fork_session_id: fork.session.id,
    });
    expect([promoted.status, promoted.json.kind]).toEqual([200, 'document']);
    const manuscript = (await client.get(`/api/sessions/${session_id}/manuscript`)).text;
    expect(manuscript).toContain('The pump failed.\n');
  });

  it('scriptorium change shows both versions and changes the file, or leaves it unchanged', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'scriptorium-change-'));
    const file = join(folder, 'a.md');
    await writeFile(file, CHAPTER);
    const change = (target: string, ...args: string[]) =>
      runCli(['change', target, '--instruction', 'Shorter.', ...args], { cwd: folder, env: cliEnv(client) });
    replies = [proposing('It is liked.')];
    const changed = await change('a.md', '--lines', '8', '--accept');
    expect([changed.code, changed.stdout]).toEqual([0, 'changed\n  a.md\n']);
    expect(changed.stderr).toContain('- People like it.\n+ It is liked.\n');
    expect(changed.stderr).toMatch(/model: .*\n.*a person is asked after \d+ model tokens\n/);
    expect(await readFile(file, 'utf8')).toBe(CHAPTER.replace('People like it.', 'It is liked.'));
    const id = await chapter();
    replies = [proposing('It is grey, and old.')];
    const stored = await change(id, '--select', 'It is grey.', '--accept', '--json');
    expect(JSON.parse(stored.stdout)).toMatchObject({ change: { state: 'accepted' }, file: null });
    expect(await contentOf(id)).toBe(CHAPTER.replace('It is grey.', 'It is grey, and old.'));
    replies = [proposing('Not asked for.')];
    // Standard input is closed, so nobody accepts.
    const unanswered = await change('a.md', '--select', 'It is grey.');
    expect([unanswered.code, unanswered.stderr]).toEqual([
      1,
      expect.stringContaining('the text is unchanged'),
    ]);
    const wrong = await change('a.md', '--select', 'It is grey.', '--lines', '3');
    expect([wrong.code, wrong.stderr]).toEqual([1, expect.stringContaining('either with --select')]);
    await rm(folder, { recursive: true });
  });

  it('explains why a selection cannot be found', async () => {
    const chapter_id = await chapter();
    const body = { chapter_id, selection: { quote: 'The castle' }, instruction: 'Shorter.' };
    const { status, json } = await client.post('/api/changes', body);
    expect([status, json.code]).toEqual([422, 'invalid_request']);
    expect(json.detail).toContain('does not contain the selected words');
    const empty = await client.post('/api/changes', { ...body, chapter_id: undefined });
    expect(empty.json.code).toBe('invalid_request');
  });
});

describe('changing a selection, without a model', () => {
  it('X13 is rejected with no_model', async () => {
    const client = await (await sharedStack()).tenant();
    const body = { text: 'Words.\n', selection: { quote: 'Words.' }, instruction: 'Other words.' };
    const { status, json } = await client.post('/api/changes', body);
    expect([status, json.code]).toEqual([422, 'no_model']);
    const both = await client.post('/api/changes', { ...body, replacement: 'Other words.' });
    expect([both.status, both.json.code]).toEqual([422, 'invalid_request']);
  });

  it('X1 a person writes the words of a document, and sees which source lines it would no longer carry', async () => {
    const client = await (await sharedStack()).tenant();
    const session = await client.sessionWith({
      'notes.md': '# Pump\n\nIt failed at noon.\n\nIt was mended.\n',
    });
    await client.completed((await client.startRun(session)).id);
    const manuscript = async () => (await client.get(`/api/sessions/${session}/manuscript`)).text;
    const before = await manuscript();
    const body = {
      session_id: session,
      selection: { quote: 'It failed at noon.' },
      replacement: ' It failed.\n',
    };
    const runId = String((await client.post('/api/changes', body)).json.run_id);
    await client.completed(runId);
    const { json } = await client.get(`/api/changes/${runId}`);
    expect(json).toMatchObject({
      ...{ state: 'proposed', instruction: '', before: 'It failed at noon.', after: 'It failed.' },
      ...{ findings: [], acceptable: true, ledger: { passed: false } },
    });
    expect((json as unknown as Change).ledger!.issues.join()).toContain('notes.md');
    const { items } = (await client.get(`/api/sessions/${session}/proposals`)).json as { items: object[] };
    expect(items).toMatchObject([{ origin: 'reviewer', before: 'It failed at noon.', after: 'It failed.' }]);
    expect(await manuscript()).toBe(before);
    expect((await client.post(`/api/changes/${runId}/accept`, {})).json.state).toBe('accepted');
    expect(await manuscript()).toBe(before.replace('It failed at noon.', 'It failed.'));
  });

  it('scriptorium change --words replaces words by those of a person', async () => {
    const client = await (await sharedStack()).tenant();
    const folder = await mkdtemp(join(tmpdir(), 'scriptorium-words-'));
    const file = join(folder, 'a.md');
    await writeFile(file, 'It is grey.\n');
    const change = (...args: string[]) =>
      runCli(['change', 'a.md', '--select', 'grey', ...args], { cwd: folder, env: cliEnv(client) });
    const unclear = await change('--accept');
    expect([unclear.code, unclear.stderr]).toEqual([1, expect.stringContaining('--words')]);
    expect((await change('--words', 'blue', '--accept')).code).toBe(0);
    expect(await readFile(file, 'utf8')).toBe('It is blue.\n');
    await rm(folder, { recursive: true });
  });
});
