import iconv from 'iconv-lite';
import type { ApiClient } from '#testing/api-client.js';
import { exampleFiles } from '#testing/examples.js';
import { sharedStack, type SharedStack } from '#testing/shared-stack.js';

/** Results of a session other than the Word file. */
describe('results of a session', () => {
  let stack: SharedStack;
  let tenant: ApiClient;
  let sessionId: string;

  beforeAll(async () => {
    stack = await sharedStack();
    tenant = await stack.tenant();
    sessionId = await tenant.sessionWith(exampleFiles('handover'));
    const run = await tenant.startRun(sessionId);
    await tenant.completed(run.id);
  });

  const checkpoints = async () =>
    (await tenant.get(`/api/sessions/${sessionId}/checkpoints`)).json.items as {
      id: string;
      label: string;
      validated: boolean;
    }[];

  it('D30 D31 D32 lists the checkpoints and restores the manuscript of one of them', async () => {
    const validated = (await checkpoints()).filter((checkpoint) => checkpoint.validated);
    expect(validated.map(({ label }) => label).slice(0, 3)).toEqual(['chapter_1', 'chapter_2', 'chapter_3']);
    const whole = await tenant.manuscript(sessionId);
    const second = validated[1]!;
    const path = `/api/sessions/${sessionId}/checkpoints/${second.id}`;
    const text = (await tenant.get(path)).text;
    expect(whole.startsWith(text)).toBe(true);

    expect((await tenant.post(`${path}/restore`)).json.id).toBe(second.id);
    expect(await tenant.manuscript(sessionId)).toBe(text);
    const last = validated.at(-1)!;
    await tenant.post(`/api/sessions/${sessionId}/checkpoints/${last.id}/restore`);
    expect(await tenant.manuscript(sessionId)).toBe(whole);
    const unknown = await tenant.post(`/api/sessions/${sessionId}/checkpoints/20000101_000000_x.md/restore`);
    expect([unknown.status, unknown.json.code]).toEqual([404, 'not_found']);
  });

  it('X1 returns the ledger as JSON and as a page with both sides', async () => {
    const ledger = await tenant.get(`/api/sessions/${sessionId}/ledger`);
    expect(ledger.json).toMatchObject({ version: 1, coverage: 1, policy: 'verbatim' });
    const page = await tenant.get(`/api/sessions/${sessionId}/ledger?format=html`);
    expect(page.headers.get('content-type')).toMatch(/^text\/html/);
    expect(page.text).toContain('04-rate-engine.ts');
    const { items } = (await tenant.get(`/api/sessions/${sessionId}/exports`)).json;
    const [newest] = items as [{ run_id: string; sha256: string }];
    for (const fact of [newest.run_id, newest.sha256]) expect(page.text).toContain(`<dd>${fact}</dd>`);
    const { word, files } = JSON.parse(ledger.text) as {
      word: {
        coverage: number;
        files: { wanted: number; shown: number }[];
        runs: object[];
        missing: object[];
      };
      files: object[];
    };
    expect(word).toMatchObject({ coverage: 1, missing: [] });
    expect(word.files).toHaveLength(files.length);
    expect(word.runs.length).toBeGreaterThan(0);
    expect(page.text).toContain('<th>Word file</th>');
    expect(page.text).not.toContain('was not recorded');
    const path = `/api/sessions/${sessionId}/ledger?format=html`;
    const german = await tenant.request('GET', path, undefined, { 'accept-language': 'de-AT, en;q=0.5' });
    expect(german.text).toContain('<th>Word-Datei</th>');
    expect(german.headers.get('content-language')).toBe('de');
    expect((await tenant.get(`${path}&language=pl`)).text).toContain('<th>Plik Word</th>');
    expect((await tenant.get(`${path}&language=tlh`)).json.code).toBe('invalid_request');
    expect(page.text).not.toMatch(/<script|https?:\/\/(?!www\.w3\.org)[^"]*\.(?:js|css)/);
  });

  it('D7 converts text of another encoding if the upload names it', async () => {
    const session = await tenant.sessionWith({ 'a.md': '# A\n' });
    const bytes = Buffer.from(
      'caf\u00e9 au lait, voil\u00e0 d\u00e9j\u00e0 v\u00e9cu, \u00e9t\u00e9, cr\u00e8me br\u00fbl\u00e9e\n',
      'latin1',
    );
    const form = new FormData();
    form.append('file', new Blob([bytes]), 'b.txt');
    expect((await tenant.post(`/api/sessions/${session}/inputs?encoding=klingon`, form)).json.code).toBe(
      'invalid_request',
    );
    const again = new FormData();
    again.append('file', new Blob([bytes]), 'b.txt');
    expect((await tenant.post(`/api/sessions/${session}/inputs?encoding=latin1`, again)).status).toBe(201);
    const run = await tenant.startRun(session);
    await tenant.completed(run.id);
    expect(await tenant.manuscript(session)).toContain('café au lait, voilà déjà vécu, été, crème brûlée');
  });

  it('D7 recognises UTF-8 and byte order marks reliably, and uses given encodings by file name', async () => {
    const session = await tenant.sessionWith({ 'a.md': '# A\n' });
    const polish = 'Łódź, zażółć gęślą jaźń';
    const form = new FormData();
    const files: [string, Buffer][] = [
      ['utf-8.txt', Buffer.from(`1 ${polish}\n`)],
      ['old-1250.txt', iconv.encode(`2 ${polish}\n`, 'windows-1250')],
      ['rows.csv', iconv.encode(`3,${polish}\n`, 'iso-8859-2')],
      ['marked.txt', iconv.encode(`4 ${polish}\n`, 'utf-16le', { addBOM: true })],
    ];
    for (const [name, bytes] of files) form.append('file', new Blob([bytes]), name);
    const query = encodeURIComponent('*.csv=iso-8859-2,windows-1250');
    expect((await tenant.post(`/api/sessions/${session}/inputs?encoding=${query}`, form)).status).toBe(201);
    const ended = await tenant.completed((await tenant.startRun(session)).id);
    expect(ended.progress.details.coverage).toBe(1);
    const manuscript = await tenant.manuscript(session);
    for (const line of [`1 ${polish}`, `2 ${polish}`, `3,${polish}`, `4 ${polish}`])
      expect(manuscript).toContain(line);
    const wrong = new FormData();
    wrong.append('file', new Blob([Buffer.from([0x41, 0x81, 0x83, 0x88, 0x41])]), 'wrong.txt');
    const refused = await tenant.post(`/api/sessions/${session}/inputs?encoding=windows-1250`, wrong);
    expect([refused.status, refused.json.code]).toEqual([422, 'not_utf8']);
  });

  it('D14 D15 records the prompt and the model of a run', async () => {
    const [run] = ((await tenant.get('/api/sessions')).json.items as { id: string }[]).slice(-1);
    expect(run?.id).toBe(sessionId);
    const second = await tenant.startRun(sessionId, { title: 'Again' });
    const ended = await tenant.completed(second.id);
    expect(ended).toMatchObject({
      prompt_version: 'v5',
      model: 'offline scribe (rules, no model)',
      graph_version: '3',
    });
  });

  it('sends clients no store key and no path', async () => {
    const run = await tenant.startRun(await tenant.sessionWith({ 'a.md': '# A\n\nText.\n' }));
    await tenant.completed(run.id);
    const everything = JSON.stringify([await tenant.events(run.id), await tenant.run(run.id)]);
    expect(everything).not.toMatch(/tenants\/ten_|\/tmp\/|node_modules/);
  });
});
