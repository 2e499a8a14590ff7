import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { unzipSync } from 'fflate';
import sharp from 'sharp';
import type { Ledger } from '#verbatim/ledger.js';
import type { ApiClient } from '#testing/api-client.js';
import { cliEnv, succeedCli } from '#testing/cli.js';
import { sharedStack } from '#testing/shared-stack.js';

/** D7: sources keep their folders from the upload to the document. */
describe('sources of folders', () => {
  describe('in the API', () => {
    let tenant: ApiClient;
    beforeAll(async () => {
      tenant = await (await sharedStack('gateway')).tenant();
    });
    const inputs = async (id: string) =>
      ((await tenant.get(`/api/sessions/${id}/inputs`)).json.items as { name: string }[]).map(
        ({ name }) => name,
      );

    it('D7 two files with one base name stay separate, each read and deleted by its path', async () => {
      const id = await tenant.sessionWith({
        'docs/api/readme.md': '# API\n',
        './docs//guide/readme.md': '# Guide\n',
      });
      expect(await inputs(id)).toEqual(['docs/api/readme.md', 'docs/guide/readme.md']);
      const path = `/api/sessions/${id}/inputs/${encodeURIComponent('docs/guide/readme.md')}`;
      expect((await tenant.get(`${path}/lines`)).json).toMatchObject({ lines: ['# Guide'] });
      expect((await tenant.request('DELETE', path)).status).toBe(204);
      expect(await inputs(id)).toEqual(['docs/api/readme.md']);
    });

    it('D7 the longest name can be read and deleted, too', async () => {
      const name = `${'\u017c'.repeat(100)}/`.repeat(4) + 'x'.repeat(190) + '.md';
      const id = await tenant.sessionWith({ [name]: '# A\n' });
      const path = `/api/sessions/${id}/inputs/${encodeURIComponent(name)}`;
      expect((await tenant.get(`${path}/lines`)).json).toMatchObject({ lines: ['# A'] });
      expect((await tenant.request('DELETE', path)).status).toBe(204);
    });

    it('an empty file or a duplicate is skipped and listed, and the others are stored', async () => {
      const id = await tenant.sessionWith({ 'a.md': '# A\n' });
      const form = new FormData();
      const files = [
        ['docs/empty.md', ''],
        ['docs/b.md', '# B\n'],
        ['docs/./b.md', '# B\n'],
        ['a.md', '# A\n'],
      ] as const;
      for (const [name, content] of files) form.append('file', new Blob([content]), name);
      const { status, json } = await tenant.post(`/api/sessions/${id}/inputs`, form);
      expect(status).toBe(201);
      expect((json.items as { name: string }[]).map(({ name }) => name)).toEqual(['docs/b.md', 'a.md']);
      expect(json.left_out).toEqual([
        { name: 'docs/empty.md', reason: 'empty' },
        { name: 'docs/b.md', reason: 'duplicate' },
      ]);
      expect(await inputs(id)).toEqual(['a.md', 'docs/b.md']);
      const nothing = await tenant.upload(id, { 'empty.md': '' });
      expect([nothing.status, nothing.json]).toEqual([
        201,
        { items: [], left_out: [{ name: 'empty.md', reason: 'empty' }] },
      ]);
    });
  });

  it('an empty file is skipped in a collection, and the others are stored', async () => {
    const tenant = await (await sharedStack('gateway')).tenant();
    const { id } = (await tenant.post('/api/knowledge/collections', { name: 'c', purpose: 'knowledge' }))
      .json;
    const form = new FormData();
    form.append('file', new Blob(['# A\n']), 'docs/a.md');
    form.append('file', new Blob([]), 'docs/empty.md');
    const { json } = await tenant.post(`/api/knowledge/collections/${String(id)}/sources`, form);
    expect(json).toMatchObject({
      items: [{ name: 'docs/a.md' }],
      left_out: [{ name: 'docs/empty.md', reason: 'empty' }],
    });
  });

  describe('in a document', () => {
    let tenant: ApiClient;
    let folder: string;
    beforeAll(async () => {
      tenant = await (await sharedStack()).tenant();
      folder = await mkdtemp(join(tmpdir(), 'scriptorium-folders-'));
    });
    afterAll(() => rm(folder, { recursive: true, force: true }));

    const picture = (background: string) =>
      sharp({ create: { width: 8, height: 8, channels: 3, background } })
        .png()
        .toBuffer();

    it('D7 deleting one of two inputs with the same content keeps the text of the other', async () => {
      const page = '<p>The lamp is lit at dusk.</p>';
      const id = await tenant.sessionWith({ 'a/page.html': page, 'b/page.html': page });
      await tenant.completed((await tenant.startRun(id)).id);
      const inputAt = (name: string) => `/api/sessions/${id}/inputs/${encodeURIComponent(name)}`;
      expect((await tenant.request('DELETE', inputAt('a/page.html'))).status).toBe(204);
      const kept = await tenant.get(`${inputAt('b/page.html')}/lines`);
      expect([kept.status, kept.json['lines']]).toEqual([200, ['The lamp is lit at dusk.']]);
    });

    it('D4 asks which file is meant if several inputs have the base name of a reference', async () => {
      const id = await tenant.sessionWith({
        'notes.md': '# Notes\n\n![Badge](badge.png)\n\n![Map](map.png)\n',
        'a/badge.png': await picture('blue'),
        'b/badge.png': await picture('white'),
      });
      const run = await tenant.startRun(id);
      const { question, references } = await tenant.decision(run.id);
      expect(question).toContain('1 file that was not uploaded: map.png.');
      expect(question).toContain('by a name that several inputs have: badge.png (a/badge.png, b/badge.png).');
      expect(references).toEqual([
        { ref: 'badge.png', source: 'notes.md', line: 3, hint: 'a/badge.png or b/badge.png' },
        { ref: 'map.png', source: 'notes.md', line: 5, hint: null },
      ]);
      await tenant.post(`/api/agents/runs/${run.id}/cancel`);
    });

    it('D4 D7 the CLI sends a folder: each source shows its own picture, and an ambiguous one is asked about', async () => {
      const files = {
        'pump/readme.txt': 'The pump house stands by the river.\n\n![Plan](img/x.png)\n',
        'pool/readme.txt': 'The pool lies behind the school.\n\n![Plan](img/x.png)\n',
        'pool/notes.md': '# Notes on the pool\n\n![Badge](badge.png)\n',
        'pump/img/x.png': await picture('red'),
        'pool/img/x.png': await picture('green'),
        'pump/old/badge.png': await picture('blue'),
        'pool/old/badge.png': await picture('white'),
        'pool/empty.md': '',
      };
      for (const [name, content] of Object.entries(files)) {
        await mkdir(dirname(join(folder, name)), { recursive: true });
        await writeFile(join(folder, name), content);
      }
      const output = `${folder}.docx`;
      const { stderr } = await succeedCli(
        ['write', folder, '-o', output, '--answer', 'badge.png=use:pool/old/badge.png'],
        { cwd: folder, env: cliEnv(tenant) },
      );
      expect(stderr).toContain(`skipped ${join(folder, 'pool/empty.md')}: it is empty`);
      const sessions = (await tenant.get('/api/sessions')).json.items as { id: string }[];
      const sessionId = sessions[0]!.id;
      const ledger = (await tenant.get(`/api/sessions/${sessionId}/ledger`)).json as Ledger;
      expect(ledger.coverage).toBe(1);
      expect(ledger.files.map(({ name }) => name)).toEqual([
        'pool/readme.txt',
        'pool/notes.md',
        'pump/readme.txt',
      ]);
      const page = (await tenant.get(`/api/sessions/${sessionId}/ledger?format=html`)).text;
      for (const { name } of ledger.files) expect(page).toContain(name);
      const manuscript = await tenant.manuscript(sessionId);
      expect(manuscript.match(/^#+ .*/gm)).toEqual([
        '# Pool',
        '## Notes on the pool',
        '# Readme (pump)',
        '# Attachments',
      ]);
      const parts = unzipSync(await tenant.docx(sessionId));
      const pixels = await Promise.all(
        Object.entries(parts)
          .filter(([name]) => /^word\/media\/.*\.png$/.test(name))
          .map(async ([, bytes]) => [...(await sharp(bytes).removeAlpha().raw().toBuffer()).subarray(0, 3)]),
      );
      const [red, green, blue, white] = [
        [255, 0, 0],
        [0, 128, 0],
        [0, 0, 255],
        [255, 255, 255],
      ];
      expect(pixels).toEqual(expect.arrayContaining([red, green, white, blue]));
      await rm(output);
    });
  });
});
