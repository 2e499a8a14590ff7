import type { ApiClient } from '#testing/api-client.js';
import { cliEnv, runCli } from '#testing/cli.js';
import { startModelStub, type ModelStub } from '#testing/model-stub.js';
import { sharedStack, type SharedStack } from '#testing/shared-stack.js';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const FILES = {
  'notes.md': '# Lamp\n\nThe lamp was lit at 19:04. See ![the log](log.png).\n',
  'readings.csv': 'hour,kWh\n19,4.5\n20,-1.25\n',
};

/** Conversion with proof: files of any kind to Markdown, Word and a ledger, by rules alone. */
describe('conversions', () => {
  let stack: SharedStack;
  let tenant: ApiClient;
  let stub: ModelStub;
  let folder: string;

  beforeAll(async () => {
    stack = await sharedStack('private');
    tenant = await stack.tenant();
    stub = await startModelStub({ models: [{ id: 'own-model' }] });
    await tenant.post('/api/model/endpoint', { base_url: stub.baseUrl, model: 'own-model' });
    folder = await mkdtemp(join(tmpdir(), 'conversions-'));
  });
  afterAll(async () => {
    await stub.stop();
    await rm(folder, { recursive: true });
  });

  const formOf = (files: Record<string, string>): FormData => {
    const form = new FormData();
    for (const [name, text] of Object.entries(files)) form.append('file', new Blob([text]), name);
    return form;
  };
  const convert = (files: Record<string, string>, query = 'sync=1', headers?: Record<string, string>) =>
    tenant.request('POST', `/api/conversions?${query}`, formOf(files), headers);

  it('converts files in one request, asks nobody and calls no model, and gives the same bytes again', async () => {
    const before = stub.requests.length;
    const made = [];
    for (const round of [1, 2]) {
      const { status, json } = await convert(FILES, 'sync=1&title=Lamp%20log&language=en');
      expect([round, status, json.status]).toEqual([round, 202, 'completed']);
      const session = String(json.session_id);
      const ledger = (await tenant.get(`/api/sessions/${session}/ledger`)).text;
      const markdown = await tenant.manuscript(session);
      made.push({ ledger, markdown, docx: Buffer.from(await tenant.docx(session)).toString('base64') });
    }
    const [first, second] = made;
    expect(first!.markdown).toContain('-1.25');
    expect(JSON.parse(first!.ledger)).toMatchObject({ coverage: 1 });
    expect(second).toEqual(first);
    expect(stub.requests.length).toBe(before);
  });

  it('answers at once without sync, and a repeated request starts no second conversion', async () => {
    const headers = { 'idempotency-key': 'conversion-1' };
    const first = await convert(FILES, '', headers);
    const again = await convert(FILES, '', headers);
    expect([first.status, again.json.id]).toEqual([202, first.json.id]);
    await tenant.completed(String(first.json.id));
    const other = await convert({ 'notes.md': '# Other\n' }, '', headers);
    expect(other.json.code).toBe('idempotency_key_reused');
  });

  it('keeps nothing of a refused conversion', async () => {
    const sessions = async () => (await tenant.get('/api/sessions')).json.items as unknown[];
    const before = (await sessions()).length;
    expect((await convert({})).json.code).toBe('empty_upload');
    expect((await convert({ 'setup.exe': 'MZ' })).json.code).toBe('no_inputs');
    expect((await convert(FILES, 'word_template=Other')).json.code).toBe('invalid_request');
    expect((await convert(FILES, 'sync=2')).json.code).toBe('invalid_request');
    expect((await sessions()).length).toBe(before);
  });

  it('converts a folder by the command line, and refuses options that do not apply', async () => {
    for (const [name, text] of Object.entries(FILES)) await writeFile(join(folder, name), text);
    const out = (name: string) => join(folder, `../${folder.split('/').at(-1)!}-${name}`);
    const [docx, md, ledger] = [out('out.docx'), out('out.md'), out('out.ledger.html')];
    // The ledger is next to the output by default.
    const given = ['convert', folder, '--ledger', '-o', docx];
    const { code, stdout } = await runCli([...given, '--md', md], { cwd: folder, env: cliEnv(tenant) });
    expect([code, stdout]).toEqual([0, expect.stringContaining('100')]);
    expect(await readFile(md, 'utf8')).toContain('19:04');
    expect(await readFile(ledger, 'utf8')).toContain('<html');
    const refused = await runCli([...given, '--toc'], { cwd: folder, env: cliEnv(tenant) });
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('--toc')]);
    for (const file of [docx, md, ledger]) await rm(file);
  });
});
