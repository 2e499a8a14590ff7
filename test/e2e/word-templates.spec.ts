import { writeDocx } from '#office/docx/write/write.js';
import { buildStructure } from '#office/structure/build.js';
import type { ApiClient } from '#testing/api-client.js';
import { cliEnv, runCli } from '#testing/cli.js';
import { sharedStack } from '#testing/shared-stack.js';
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const PAGE_WIDTH = 10_000;

/** Returns a Word file with another font, another page width, and without the style for quotations. */
async function houseStyle(font: string): Promise<Uint8Array<ArrayBuffer>> {
  const parts = unzipSync(await writeDocx(buildStructure('# A\n\nText.\n'), () => Promise.resolve(null)));
  const edit = (path: string, change: (xml: string) => string) => {
    parts[path] = strToU8(change(strFromU8(parts[path]!)));
  };
  edit('word/styles.xml', (xml) =>
    xml.replaceAll('Arial', font).replace(/<w:style [^>]*w:styleId="Quote">.*?<\/w:style>/, ''),
  );
  edit('word/document.xml', (xml) => xml.replace(/<w:pgSz w:w="\d+"/, `<w:pgSz w:w="${PAGE_WIDTH}"`));
  return new Uint8Array(zipSync(parts));
}

/** Returns a Word file with another main part. */
function withDocument(file: Uint8Array, change: (xml: string) => string): Uint8Array<ArrayBuffer> {
  const parts = unzipSync(file);
  parts['word/document.xml'] = strToU8(change(strFromU8(parts['word/document.xml']!)));
  return new Uint8Array(zipSync(parts, { level: 1 }));
}

/** House style: Word templates, by name and by default. */
describe('Word templates', () => {
  let tenant: ApiClient;
  let folder: string;

  beforeAll(async () => {
    tenant = await (await sharedStack()).tenant();
    folder = await mkdtemp(join(tmpdir(), 'word-templates-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  function upload(bytes: Uint8Array<ArrayBuffer>, name: string, fileName = 'Firm.docx') {
    const form = new FormData();
    form.append('file', new Blob([bytes]), fileName);
    return tenant.post(`/api/word-templates${name === '' ? '' : `?name=${name}`}`, form);
  }

  /** Writes a document; returns styles and main part of the Word file. */
  async function written(inputs: object): Promise<{ styles: string; document: string }> {
    const session_id = await tenant.sessionWith({ 'notes.md': '# Notes\n\n> The lamp was lit.\n' });
    const { json } = await tenant.post('/api/agents/runs', { session_id, inputs });
    await tenant.completed(String(json.id));
    const parts = unzipSync(await tenant.docx(session_id));
    return {
      styles: strFromU8(parts['word/styles.xml']!),
      document: strFromU8(parts['word/document.xml']!),
    };
  }

  it('a document takes styles and page from the named template, and what it lacks from the writer', async () => {
    const uploaded = await upload(await houseStyle('Garamond'), '');
    expect(uploaded.status).toBe(201);
    expect(uploaded.json).toMatchObject({
      name: 'Firm',
      report: { missing_styles: ['Quote'], has_header: true, has_footer: true, page: { width: 176 } },
    });
    const { styles, document } = await written({ word_template: 'Firm' });
    expect(styles).toContain('Garamond');
    expect(styles).toContain('<w:name w:val="Quote"/>');
    expect(document).toContain(`<w:pgSz w:w="${PAGE_WIDTH}"`);
    expect((await written({})).styles).not.toContain('Garamond');
  });

  it('the template "default" applies to documents that name none; a new file replaces it', async () => {
    const first = await upload(await houseStyle('Optima'), 'default');
    const second = await upload(await houseStyle('Futura'), 'default');
    const items = (await tenant.get('/api/word-templates')).json.items as { id: string; name: string }[];
    expect(items.map(({ name }) => name)).toEqual(['Firm', 'default']);
    expect(items[1]!.id).toBe(second.json.id);
    expect(second.json.id).not.toBe(first.json.id);
    expect((await written({})).styles).toContain('Futura');
    expect((await tenant.request('DELETE', `/api/word-templates/${String(second.json.id)}`)).status).toBe(
      204,
    );
    expect((await written({})).styles).not.toContain('Futura');
  });

  it('refuses what is not a Word file, an unknown name, and more than 20', async () => {
    const text = await upload(strToU8('# No Word file\n'), 'text');
    expect([text.status, text.json.code]).toEqual([422, 'invalid_request']);
    const empty = await tenant.post('/api/word-templates', new FormData());
    expect(empty.json.code).toBe('empty_upload');
    expect((await upload(new Uint8Array(), 'empty')).json.code).toBe('empty_upload');
    const session_id = await tenant.sessionWith({ 'notes.md': '# Notes\n' });
    const unknown = await tenant.post('/api/agents/runs', { session_id, inputs: { word_template: 'Other' } });
    expect(unknown.json).toMatchObject({
      code: 'invalid_request',
      errors: [{ path: 'inputs.word_template', phrase: { code: 'field.no_such_word_template' } }],
    });
    const file = await houseStyle('Arial');
    const own = (await tenant.get('/api/word-templates')).json.items as object[];
    for (let count = own.length; count < 20; count++)
      expect((await upload(file, `T${count}`)).status).toBe(201);
    const tooMany = await upload(file, 'T20');
    expect([tooMany.status, tooMany.json.code]).toEqual([409, 'too_many_word_templates']);
  });

  it('accepts a template with a long text, and refuses archives that unpack to too much', async () => {
    const other = await (await sharedStack()).tenant();
    const post = (change: (xml: string) => string) => {
      const form = new FormData();
      form.append('file', new Blob([withDocument(house, change)]), 'Firm.docx');
      return other.post('/api/word-templates', form);
    };
    const house = await houseStyle('Garamond');
    const paragraph = '<w:p><w:r><w:t>A paragraph of a long report, which is the template.</w:t></w:r></w:p>';
    const grown = (bytes: number) => (xml: string) =>
      xml.replace('<w:body>', `<w:body>${paragraph.repeat(Math.ceil(bytes / paragraph.length))}`);
    const long = await post(grown(5_000_000));
    expect([long.status, long.json.report]).toEqual([201, expect.objectContaining({ has_header: true })]);
    const bomb = await post(grown(100_000_000));
    expect([bomb.status, bomb.json.code]).toEqual([422, 'invalid_request']);
    const deep = await post((xml) => xml.replace('<w:body>', `<w:body>${'<w:p>'.repeat(9_000_000)}`));
    expect([deep.status, deep.json]).toMatchObject([
      422,
      { phrase: { code: 'invalid_request.word_template_limits' } },
    ]);
    expect((await other.get('/api/word-templates')).json.items).toHaveLength(1);
  });

  it('the CLI adds, lists and removes templates, and names the missing styles', async () => {
    const file = join(folder, 'House.docx');
    await writeFile(file, await houseStyle('Garamond'));
    const env = cliEnv(tenant);
    const cli = (...args: string[]) => runCli(['word-template', ...args], { cwd: folder, env });
    const added = await cli('add', file, '--name', 'T5');
    expect([added.code, added.stdout]).toEqual([
      0,
      expect.stringMatching(/ {2}T5 {2}.*176 × 297 mm\n.*"Quote"/),
    ]);
    const id = added.stdout.split('  ')[0]!;
    expect((await cli('list')).stdout).toContain(`${id}  T5`);
    expect((await cli('remove', id)).code).toBe(0);
    expect((await cli('list')).stdout).not.toContain(id);
  });
});
