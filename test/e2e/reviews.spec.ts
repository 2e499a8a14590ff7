import type { Schemas } from '#catalogue/named-schemas.js';
import { ArticleDesk } from '#testing/article-desk.js';
import type { ApiClient, RunView } from '#testing/api-client.js';
import { sharedStack, type SharedStack } from '#testing/shared-stack.js';
import { cliEnv, runCli } from '#testing/cli.js';
import { decideInWord } from '#testing/docx/decide-in-word.js';
import { WordEditor } from '#testing/docx/word-editor.js';
import { readMarkedText } from '#office/review/marked-text.js';
import { readDocx } from '#office/docx/read/read.js';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const SOURCE = '# Incident\n\nThe pool was too small.\n\nNobody saw it.\n\nThe end.\n';

describe('a Word file that comes back', () => {
  let stack: SharedStack;
  let client: ApiClient;
  beforeAll(async () => {
    stack = await sharedStack();
    client = await stack.tenant();
  });

  /** Writes a document; returns its session and the Word file. */
  const written = async () => {
    const session = await client.sessionWith({ 'incident.md': SOURCE });
    await client.completed((await client.startRun(session)).id);
    return { session, docx: await newestFile(session) };
  };
  const newestFile = async (session: string) => {
    const { items } = (await client.get(`/api/sessions/${session}/exports`)).json as {
      items: { id: string }[];
    };
    const url = `${client.baseUrl}/api/sessions/${session}/exports/${items[0]!.id}`;
    const response = await fetch(url, { headers: { authorization: `Bearer ${client.key}` } });
    return new Uint8Array(await response.arrayBuffer());
  };
  const sendBack = (session: string, docx: Uint8Array) => {
    const form = new FormData();
    form.append('file', new Blob([Buffer.from(docx)]), 'back.docx');
    return client.post(`/api/sessions/${session}/reviews`, form);
  };
  const textOf = async (session: string) => (await client.get(`/api/sessions/${session}/manuscript`)).text;

  /** Follows a review past its end, as another tab does, until decisions were made. */
  const decisionsOf = async (run: string, count = 2) => {
    const response = await fetch(`${client.baseUrl}/api/agents/runs/${run}/events?past_end=1`, {
      headers: { authorization: `Bearer ${client.key}` },
    });
    let frames = '';
    for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
      frames += chunk;
      const events = frames.split('\n\n').slice(0, -1);
      const data = events.flatMap(
        (frame) => /^event: proposals_decided\ndata: (.*)$/m.exec(frame)?.[1] ?? [],
      );
      if (data.length >= count) return data.map((json) => (JSON.parse(json) as { data: object }).data);
    }
    throw new Error('The stream ended before the decisions.');
  };

  it('X9 becomes proposals, and the accepted ones a new manuscript and Word file', async () => {
    const { session, docx } = await written();
    const before = await textOf(session);
    const editor = new WordEditor(docx);
    const at = editor.find('The pool');
    editor.delete(at, 4, 8, 'Ann');
    editor.insert(at, 4, 'tank', 'Ann');
    editor.insert(editor.find('Nobody'), 14, ' Really.', 'Bob');
    editor.comment([at, 0], [at, 8], 'Bob', 'Which one?');
    const review = await sendBack(session, editor.save());
    expect(review.status).toBe(202);
    const run = String(review.json.id);
    await client.completed(run);
    const source = { name: 'incident.md', line: 3, text: 'The pool was too small.' };
    const leaves = { source, leaves_source: true };
    const list = (await client.get(`/api/reviews/${run}/proposals`)).json as { items: object[] };
    expect(list.items).toMatchObject([
      {
        number: 1,
        kind: 'replace',
        author: 'Ann',
        before: 'pool',
        after: 'tank',
        line: 3,
        paragraph: { text: 'The pool was too small.' },
        state: 'open',
        applied: false,
        ...leaves,
      },
      { number: 2, kind: 'insert', author: 'Bob', after: ' Really.' },
      { number: 3, kind: 'comment', author: 'Bob', comment: 'Which one?' },
    ]);
    const decide = (body: object) => client.post(`/api/reviews/${run}/decisions`, body);
    const seen = decisionsOf(run);
    await decide({ state: 'accepted', author: 'Ann' });
    await decide({ state: 'rejected', numbers: [2] });
    expect(await seen).toMatchObject([
      { state: 'accepted', author: 'Ann' },
      { state: 'rejected', numbers: [2] },
    ]);
    expect((await decide({ answer: 'The one in Berlin.', numbers: [3] })).json).toEqual({
      ...{ open: 1, accepted: 1, rejected: 1 },
    });
    const finished = await client.post(`/api/reviews/${run}/finish`);
    expect(finished.status).toBe(202);
    await client.completed(String(finished.json.id));
    expect(await textOf(session)).toBe(before.replace('The pool was', 'The tank was'));
    const ledger = (await client.get(`/api/sessions/${session}/ledger`)).json as {
      coverage: number;
      files: { omissions: object[] }[];
    };
    expect(ledger.coverage).toBe(1);
    expect(ledger.files[0]!.omissions).toContainEqual({
      ...{ first_line: 3, last_line: 3, by: 'person' },
      reason: expect.stringMatching(/^changed in a review, which .+ accepted$/) as string,
    });
    const texts = readDocx(await newestFile(session)).blocks.map(({ text }) => text);
    expect(texts).toContain('The tank was too small.');
    // What is shared out as carried is not all word for word.
    const remark = '1 source line was changed or left out by a person.';
    expect(texts).toContain(remark);
    const page = (await client.get(`/api/sessions/${session}/ledger?format=html`)).text;
    expect(page).toContain(remark);
    expect(page).toContain('Accounted for: 100 % of the lines');
    expect(page).not.toContain('Carried: ');
  });

  it('X9 go out as tracked changes, and return as a reviewer decided in Word', async () => {
    const { session, docx } = await written();
    const before = await textOf(session);
    const editor = new WordEditor(docx);
    editor.insert(editor.find('The pool'), 8, ' of Berlin', 'Ann');
    const nobody = editor.find('Nobody');
    editor.delete(nobody, 0, 6, 'Bob');
    editor.insert(nobody, 0, 'Someone', 'Bob');
    editor.insert(nobody, 21, ' Why?', 'Cid');
    editor.comment([editor.find('The end'), 0], [editor.find('The end'), 3], 'Bob', 'Is it?');
    const first = String((await sendBack(session, editor.save())).json.id);
    await client.completed(first);
    const comment = { answer: 'It is.', numbers: [4] };
    await client.post(`/api/reviews/${first}/decisions`, comment);
    const sent = await client.post(`/api/sessions/${session}/exports`, { proposals: 'tracked' });
    expect(sent.status).toBe(202);
    await client.completed(String(sent.json.id));
    const tracked = await newestFile(session);
    expect(readDocx(docx).blocks.length).toBe(readDocx(tracked).blocks.length);
    const { stretches, comments } = readMarkedText(tracked);
    const by = stretches.flatMap(({ text, inserted, deleted }) =>
      (inserted ?? deleted) ? [[text, (inserted ?? deleted)!.author]] : [],
    );
    expect(by).toEqual(
      expect.arrayContaining([
        [' of Berlin', 'Ann'],
        ['Nobody', 'Bob'],
        ['Someone', 'Bob'],
      ]),
    );
    expect(comments).toMatchObject([
      { author: 'Bob', text: 'Is it?' },
      { text: 'It is.', parent: 0 },
    ]);
    const decisions: Record<string, boolean | null> = { Ann: true, Bob: false, Cid: null };
    const returned = decideInWord(tracked, (author) => decisions[author]!);
    const { proposals, shown } = await acceptedAll(session, returned, null);
    const added = proposals.filter(({ kind }) => kind !== 'comment').map(({ after }) => after.trim());
    expect(added).toEqual(['of Berlin', 'Why?']);
    const states = (await client.get(`/api/reviews/${first}/proposals`)).json as {
      items: Schemas['Proposal'][];
    };
    expect(states.items.map(({ author, state }) => [author, state])).toEqual([
      ...[
        ['Ann', 'accepted'],
        ['Bob', 'rejected'],
        ['Cid', 'open'],
        ['Bob', 'open'],
      ],
    ]);
    expect(await decisionsOf(first, 3)).toEqual([
      expect.objectContaining({ answer: 'It is.' }),
      { by: expect.stringMatching(/^key_/) as string, state: 'accepted', numbers: [1] },
      { by: expect.stringMatching(/^key_/) as string, state: 'rejected', numbers: [2] },
    ]);
    expect(await textOf(session)).toBe(
      before.replace('The pool', 'The pool of Berlin').replace('saw it.', 'saw it. Why?'),
    );
    expect(shown).toContain('The pool of Berlin was too small.');
    // What was accepted is in the manuscript; a file with the rest has it no more as a change.
    const again = await client.post(`/api/sessions/${session}/exports`, { proposals: 'tracked' });
    await client.completed(String(again.json.id));
    const rest = readMarkedText(await newestFile(session)).stretches.filter(
      (each) => each.inserted ?? each.deleted,
    );
    expect(rest.map(({ text }) => text)).not.toContain(' of Berlin');
  });

  it('X9 adds replies in Word to the threads of our comments, and proposes no comment that was sent', async () => {
    const { session } = await written();
    const path = `/api/sessions/${session}/comments`;
    const quote = { quote: 'Nobody', start: (await textOf(session)).indexOf('Nobody') };
    const { id } = (await client.post(path, { ...quote, text: 'Really nobody?' })).json;
    await client.post(path, { reply_to: id, text: 'I asked.\nTwice.' });
    const sent = await client.post(`/api/sessions/${session}/exports`, { proposals: 'tracked' });
    await client.completed(String(sent.json.id));
    const editor = new WordEditor(await newestFile(session));
    const add = (number: number, author: string, text: string, parent = '') => {
      const paragraph = `<w:p w14:paraId="0000000${number}"><w:r><w:t>${text}</w:t></w:r></w:p>`;
      const by = `w:author="${author}" w:date="2026-11-28T12:00:00Z"`;
      const comment = `<w:comment w:id="${number}" ${by}>${paragraph}</w:comment></w:comments>`;
      editor.replaceIn('word/comments.xml', '</w:comments>', comment);
      const thread = `<w15:commentEx w15:paraId="0000000${number}"${parent} w15:done="0"/></w15:commentsEx>`;
      editor.replaceIn('word/commentsExtended.xml', '</w15:commentsEx>', thread);
    };
    add(7, 'Bob', 'Only Bob.', ' w15:paraIdParent="00000001"');
    add(8, 'Cid', 'A new one.');
    add(9, 'Ann', 'Yes.', ' w15:paraIdParent="00000008"');
    const back = editor.save();
    for (const round of ['first', 'repeated']) {
      const run = String((await sendBack(session, back)).json.id);
      await client.completed(run);
      const { items } = (await client.get(`/api/reviews/${run}/proposals`)).json as {
        items: Schemas['Proposal'][];
      };
      expect([round, items.map(({ comment, reply_to }) => [comment, reply_to])]).toEqual([
        round,
        [
          ['A new one.', null],
          ['Yes.', 1],
        ],
      ]);
      const thread = (await client.get(path)).json as { items: Schemas['Comment'][] };
      expect(thread.items.map(({ text, reply_to }) => [text, reply_to]).reverse()).toEqual([
        ['Really nobody?', null],
        ['I asked.\nTwice.', id],
        ['Only Bob.', id],
      ]);
      expect(thread.items[0]).toMatchObject({ author: 'Bob', ...quote });
    }
  });

  it('X9 changes of a selection that wait for a decision go out as tracked changes, too', async () => {
    const { session } = await written();
    const words = { selection: { quote: 'Nobody saw it.' }, replacement: 'Nobody **ever** saw it.' };
    const change = await client.post('/api/changes', { session_id: session, ...words });
    await client.completed(String(change.json.run_id));
    const export_ = await client.post(`/api/sessions/${session}/exports`, { proposals: 'tracked' });
    await client.completed(String(export_.json.id));
    const tracked = await newestFile(session);
    const inserted = readMarkedText(tracked).stretches.filter((each) => each.inserted);
    expect(inserted.map(({ text }) => text).join('')).toBe('Nobody ever saw it.');
    await acceptedAll(
      session,
      decideInWord(tracked, () => true),
      null,
    );
    expect(await textOf(session)).toMatch(/^Nobody \**ever\** saw it\.$/m);
    const { items } = (await client.get(`/api/sessions/${session}/proposals`)).json as {
      items: Schemas['Proposal'][];
    };
    expect(items.map(({ state }) => state)).toEqual(['accepted', 'accepted']);
    const of = `/api/changes/${String(change.json.run_id)}`;
    expect((await client.get(of)).json.state).toBe('accepted');
    expect((await client.post(`${of}/reject`)).json.code).toBe('decision_answered');
    // The review has applied it.
    expect((await client.post(`${of}/accept`)).status).toBe(200);
    expect((await textOf(session)).split('ever').length).toBe(2);
  });

  /** Sends an edited file back, accepts everything and returns the texts of the new Word file. */
  const acceptedAll = async (session: string, docx: Uint8Array, mode: string | null = 'export') => {
    const review = await sendBack(session, docx);
    expect(review.status).toBe(202);
    const run = String(review.json.id);
    await client.completed(run);
    await client.post(`/api/reviews/${run}/decisions`, { state: 'accepted', all: true });
    const finished = await client.post(`/api/reviews/${run}/finish`);
    expect([finished.status, finished.json.mode]).toEqual([202, mode]);
    await client.completed(String(finished.json.id));
    const { items } = (await client.get(`/api/reviews/${run}/proposals`)).json as {
      items: Schemas['Proposal'][];
    };
    const shown = readDocx(await newestFile(session)).blocks.map(({ text }) => text);
    return { proposals: items, shown };
  };
  const exported = async (start: object, inputs: object = {}) => {
    const { json } = await client.post('/api/agents/runs', {
      ...start,
      mode: 'export',
      inputs: { ...inputs, formats: ['docx'] },
    });
    await client.completed(String(json.id));
    return newestFile(String(json.session_id));
  };

  it('X9 changes the chapters of a book, each by itself', async () => {
    const { json: book } = await client.post('/api/books/projects', { title: 'The coast', language: 'en' });
    const path = `/api/books/projects/${String(book.id)}/chapters`;
    const contents = ['The lamp was **very** old.\n\nIt burned at night.\n', '## Sea\n\nThe sea was calm.\n'];
    const ids: string[] = [];
    for (const [i, content] of contents.entries())
      ids.push(String((await client.post(path, { title: `Part ${i + 1}`, content })).json.id));
    const editor = new WordEditor(await exported({ project_id: book.id }));
    editor.delete(editor.find('The lamp'), 4, 8, 'Ann');
    editor.insert(editor.find('The sea'), 17, ' It rained.', 'Bob');
    const title = editor.find('The sea') - 2;
    editor.insertParagraph(title, 'Nobody came.', 'Ann');
    editor.paragraphs[title]!.properties = editor.paragraphs[title - 1]!.properties;
    editor.insert(title + 1, 0, 'The ', 'Bob');
    const { proposals, shown } = await acceptedAll(String(book.session_id), editor.save());
    expect(proposals).toMatchObject([
      { kind: 'delete', chapter_id: ids[0], line: 1, applied: true },
      { kind: 'insert', chapter_id: ids[0], after: 'Nobody came.\n', applied: true },
      // Titles of chapters are no part of their texts.
      { kind: 'outside', chapter_id: null, author: 'Bob', place: 'not_in_manuscript' },
      { kind: 'insert', chapter_id: ids[1], line: 3, paragraph: { start: 8 } },
    ]);
    const textOfChapter = async (id: string) => (await client.get(`/api/books/chapters/${id}`)).json.content;
    expect(await Promise.all(ids.map(textOfChapter))).toEqual([
      'The  was **very** old.\n\nIt burned at night.\n\nNobody came.\n',
      '## Sea\n\nThe sea was calm. It rained.\n',
    ]);
    expect(shown).toEqual(expect.arrayContaining(['Nobody came.', 'The sea was calm. It rained.']));
  });

  it('X9 sends the open proposals of a book out as tracked changes of their chapters', async () => {
    const { json: book } = await client.post('/api/books/projects', { title: 'The coast', language: 'en' });
    const path = `/api/books/projects/${String(book.id)}/chapters`;
    const ids: string[] = [];
    for (const content of ['The lamp was old.\n', 'The lamp was old.\n\nIt shone.\n'])
      ids.push(String((await client.post(path, { title: `Part ${ids.length + 1}`, content })).json.id));
    const session = String(book.session_id);
    const editor = new WordEditor(await exported({ project_id: book.id }));
    const second = editor.find('It shone') - 1;
    editor.insert(second, 17, ' It was red.', 'Ann');
    editor.delete(second, 4, 9, 'Bob');
    const first = String((await sendBack(session, editor.save())).json.id);
    await client.completed(first);
    const own = { chapter_id: ids[0], selection: { quote: 'lamp was old' }, replacement: 'lamp was new' };
    const change = await client.post('/api/changes', own);
    await client.completed(String(change.json.run_id));
    const tracked = await exported({ project_id: book.id }, { proposals: 'tracked' });
    const marked = readMarkedText(tracked).stretches.filter((each) => each.inserted ?? each.deleted);
    const by = marked.map(({ text, inserted, deleted }) => [text.trim(), (inserted ?? deleted)!.author]);
    expect(by.sort()).toEqual([
      ['It was red.', 'Ann'],
      ['lamp was new', ''],
      ['lamp was old', ''],
      ['lamp', 'Bob'],
    ]);
    await acceptedAll(
      session,
      decideInWord(tracked, (author) => author !== 'Bob'),
    );
    const texts = ids.map(async (id) => (await client.get(`/api/books/chapters/${id}`)).json.content);
    expect(await Promise.all(texts)).toEqual([
      'The lamp was new.\n',
      'The lamp was old. It was red.\n\nIt shone.\n',
    ]);
    const { items } = (await client.get(`/api/reviews/${first}/proposals`)).json as {
      items: Schemas['Proposal'][];
    };
    expect(items.map(({ author, state }) => `${author} ${state}`).sort()).toEqual([
      'Ann accepted',
      'Bob rejected',
    ]);
    const { json } = await client.get(`/api/changes/${String(change.json.run_id)}`);
    expect(json.state).toBe('accepted');
  });

  it('X9 changes an article, unless somebody changed it meanwhile', async () => {
    const desk = new ArticleDesk(client);
    const text = '# On nets\n\nWe mended the nets.\n';
    const run = await desk.start('shadow', { user_text: text, rules: 'general' });
    await desk.answer(await desk.asked(run), { action: 'approve' });
    await desk.ended(run);
    const session_id = run.session_id;
    const sent = await exported({ session_id, kind: 'article' });
    const editor = new WordEditor(sent);
    editor.insert(editor.find('We mended'), 19, ' At dawn.', 'Ann');
    const waiting = await sendBack(session_id, editor.save());
    await client.completed(String(waiting.json.id));
    const tracked = readMarkedText(await exported({ session_id, kind: 'article' }, { proposals: 'tracked' }));
    expect(
      tracked.stretches.flatMap(({ text, inserted }) => (inserted ? [text, inserted.author] : [])),
    ).toEqual([' At dawn.', 'Ann']);
    const { proposals, shown } = await acceptedAll(session_id, editor.save());
    expect(proposals).toMatchObject([{ kind: 'insert', chapter_id: null, applied: true }]);
    expect(await desk.result(run, 'corrected')).toBe('# On nets\n\nWe mended the nets. At dawn.\n');
    expect(shown).toContain('We mended the nets. At dawn.');
    const late = new WordEditor(sent);
    late.insert(late.find('We mended'), 0, 'Yes. ', 'Bob');
    const again = String((await sendBack(session_id, late.save())).json.id);
    await client.completed(again);
    await client.post(`/api/reviews/${again}/decisions`, { state: 'accepted', all: true });
    expect((await client.post(`/api/reviews/${again}/finish`)).json.code).toBe('changed_meanwhile');
  });

  it('X9 changes all chapters or none, and tells chapters with the same text apart', async () => {
    const { json: book } = await client.post('/api/books/projects', { title: 'The coast', language: 'en' });
    const path = `/api/books/projects/${String(book.id)}/chapters`;
    const ids: string[] = [];
    for (const content of ['The lamp was old.\n', 'The lamp was old.\n', 'The sea was calm.\n'])
      ids.push(String((await client.post(path, { title: `Part ${ids.length + 1}`, content })).json.id));
    const session = String(book.session_id);
    const editor = new WordEditor(await exported({ project_id: book.id }));
    const second = editor.find('The lamp') + 3;
    editor.insert(second, 17, ' It shone.', 'Ann');
    editor.insert(editor.find('The sea'), 17, ' It rained.', 'Bob');
    const docx = editor.save();
    const run = String((await sendBack(session, docx)).json.id);
    await client.completed(run);
    await client.post(`/api/reviews/${run}/decisions`, { state: 'accepted', all: true });
    expect((await client.request('DELETE', `/api/books/chapters/${ids[2]!}`)).status).toBe(204);
    const refused = await client.post(`/api/reviews/${run}/finish`);
    expect([refused.status, refused.json.code]).toEqual([412, 'changed_meanwhile']);
    expect(refused.json.detail).toContain('Reject its proposals');
    const texts = async () =>
      Promise.all(
        ids.slice(0, 2).map(async (id) => (await client.get(`/api/books/chapters/${id}`)).json.content),
      );
    expect(await texts()).toEqual(['The lamp was old.\n', 'The lamp was old.\n']);
    const folder = await mkdtemp(join(tmpdir(), 'scriptorium-review-'));
    try {
      await writeFile(join(folder, 'back.docx'), docx);
      const { code, stdout, stderr } = await runCli(
        ['review', 'back.docx', '--accept', 'Ann', '-o', 'new.docx'],
        { cwd: folder, env: cliEnv(client) },
      );
      expect([code, code === 0 ? '' : stderr]).toEqual([0, '']);
      expect(stdout).toContain('It shone.');
      await writeFile(join(folder, 'note.docx'), 'No Word file.');
      const foreign = await runCli(['review', 'note.docx'], { cwd: folder, env: cliEnv(client) });
      expect([foreign.code, foreign.stderr]).toEqual([
        1,
        expect.stringContaining('note.docx is not a Word file that Scriptorium made.'),
      ]);
      const shown = readDocx(new Uint8Array(await readFile(join(folder, 'new.docx')))).blocks;
      expect(shown.map(({ text }) => text)).toContain('The lamp was old. It shone.');
    } finally {
      await rm(folder, { recursive: true });
    }
    expect(await texts()).toEqual(['The lamp was old.\n', 'The lamp was old. It shone.\n']);
  });

  it('X9 changes no article that a newer one replaced, but the text that an export was given', async () => {
    const desk = new ArticleDesk(client);
    const approve = async (run: RunView) => {
      await desk.answer(await desk.asked(run), { action: 'approve' });
      await desk.ended(run);
    };
    const shadow = (user_text: string) => ({ user_text, rules: 'general' });
    const run = await desk.start('shadow', shadow('# On nets\n\nWe mended the nets.\n'));
    await approve(run);
    const { session_id } = run;
    const accepted = async (docx: Uint8Array, words: string) => {
      const editor = new WordEditor(docx);
      editor.insert(editor.find(words), 0, 'Yes. ', 'Bob');
      const review = String((await sendBack(session_id, editor.save())).json.id);
      await client.completed(review);
      await client.post(`/api/reviews/${review}/decisions`, { state: 'accepted', all: true });
      return client.post(`/api/reviews/${review}/finish`);
    };
    const given = '# On sails\n\nThe sails tore.\n';
    const finished = await accepted(
      await exported({ session_id, kind: 'article' }, { user_text: given }),
      'The sails',
    );
    await client.completed(String(finished.json.id));
    expect(readDocx(await newestFile(session_id)).blocks.map(({ text }) => text)).toContain(
      'Yes. The sails tore.',
    );
    const sent = await exported({ session_id, kind: 'article' });
    const newer = await client.post('/api/agents/runs', {
      ...{ session_id, kind: 'article', mode: 'author' },
      inputs: { topic: 'Nets', research: 'named', allow_duplicate: true },
    });
    await client.post(`/api/agents/runs/${String(newer.json.id)}/cancel`);
    // A newer run without a result changes nothing.
    const unchanged = await accepted(sent, 'We mended');
    expect([unchanged.status, unchanged.json.code]).toEqual([202, undefined]);
    await client.completed(String(unchanged.json.id));
    const changed = await newestFile(session_id);
    const next = await client.post('/api/agents/runs', {
      ...{ session_id, kind: 'article', mode: 'shadow' },
      inputs: shadow('# On nets\n\nThe nets are new.\n'),
    });
    await approve(next.json as RunView);
    expect((await accepted(changed, 'Yes. We')).json.code).toBe('changed_meanwhile');
  });
});
