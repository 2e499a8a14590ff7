import type { ApiClient } from '#testing/api-client.js';
import { sharedStack, type SharedStack } from '#testing/shared-stack.js';
import { WordEditor } from '#testing/docx/word-editor.js';
import { readDocx } from '#office/docx/read/read.js';

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
    await decide({ state: 'accepted', author: 'Ann' });
    await decide({ state: 'rejected', numbers: [2] });
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
  });
});
