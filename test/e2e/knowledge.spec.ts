import type { ApiClient, ApiResponse } from '#testing/api-client.js';
import { sharedStack, type SharedStack } from '#testing/shared-stack.js';
import { until } from '#testing/until.js';
import fc from 'fast-check';

interface Source {
  id: string;
  name: string;
  state: string;
  problem: string | null;
  chunks: number;
  outcome?: string;
}
interface Hit {
  source_id: string;
  source_name: string;
  text: string;
  start: number;
  end: number;
  score: number;
  heading_path: string[];
}

const notebook = JSON.stringify({
  nbformat: 4,
  nbformat_minor: 5,
  metadata: {},
  cells: [{ cell_type: 'markdown', metadata: {}, source: ['# Notebook\n', 'The zeppelin measurements.'] }],
});
/** Names and contents of the files of one upload. */
const files: Record<string, string> = {
  'guide.md': '# Guide\n\n## Harbour\n\nMooring lines are checked every morning.\n',
  'plain.txt': 'The lighthouse burns from dusk to dawn.',
  'page.html': '<html><body><h1>Page</h1><p>The ferry leaves at nine.</p></body></html>',
  'table.csv': 'ship,berth\nAurora,12\nBorealis,14\n',
  'notes.ipynb': notebook,
  'talk.vtt': 'WEBVTT\n\n12:03.000 --> 12:05.000\nThe pilot boards the tanker.\n',
  'interview.srt': '1\n01:02:03,000 --> 01:02:05,000\nThe dredger was sold to Gdynia.\n',
  'ksiazki.md': 'Wczoraj wieczorem poszliśmy do biblioteki, żeby oddać książki przed końcem miesiąca i wypożyczyć następne.',
}; // prettier-ignore

const upload = (contents: Record<string, string>) => {
  const form = new FormData();
  for (const [name, text] of Object.entries(contents)) form.append('file', new Blob([text]), name);
  return form;
};

describe('knowledge', () => {
  let stack: SharedStack;
  let tenant: ApiClient;
  let collection: string;
  let path: string;

  beforeAll(async () => {
    stack = await sharedStack();
    tenant = await stack.tenant();
    const made = await tenant.post('/api/knowledge/collections', { name: 'harbour', purpose: 'knowledge' });
    collection = String(made.json.id);
    path = `/api/knowledge/collections/${collection}`;
  });

  const itemsOf = ({ json }: ApiResponse) => json.items as Source[];
  const sources = async () => itemsOf(await tenant.get(`${path}/sources`));
  const settled = () =>
    until('every source is ready or failed', sources, (items) =>
      items.every(({ state }) => state === 'ready' || state === 'failed'),
    );
  const search = (query: string, more: object = {}) =>
    tenant.post('/api/knowledge/search', { collections: [collection], query, ...more });
  const hits = async (query: string, more: object = {}) => (await search(query, more)).json.hits as Hit[];

  it('B14 accepts files of all kinds in one request and finds the place in each', async () => {
    const added = await tenant.request('POST', `${path}/sources`, upload(files));
    expect(added.status).toBe(202);
    expect(itemsOf(added).map(({ outcome }) => outcome)).toEqual(Object.keys(files).map(() => 'created'));
    await settled();
    expect((await sources()).map(({ name, problem }) => [name, problem]).sort()).toEqual(
      Object.keys(files)
        .map((name) => [name, null])
        .sort(),
    );
    const expected: [string, string][] = [
      ['checking a mooring line', 'guide.md'],
      ['lighthouses burning', 'plain.txt'],
      ['when does the ferry leave', 'page.html'],
      ['berth of the Borealis', 'table.csv'],
      ['zeppelin measurement', 'notes.ipynb'],
      ['pilots boarding a tanker', 'talk.vtt'],
      ['dredgers sold to Gdynia', 'interview.srt'],
      ['książkami', 'ksiazki.md'],
    ];
    for (const [query, name] of expected) {
      const [best] = await hits(query);
      expect([query, best?.source_name]).toEqual([query, name]);
      const text = await tenant.get(`${path}/sources/${best!.source_id}/text`);
      expect(text.text.slice(best!.start, best!.end)).toBe(best!.text);
    }
    expect((await hits('mooring'))[0]!.heading_path).toEqual(['Guide', 'Harbour']);
    // A14: a citation names the minute.
    expect((await hits('tanker'))[0]!.heading_path).toEqual(['00:12:03']);
    expect((await hits('dredger'))[0]!.heading_path).toEqual(['01:02:03']);
  });

  it('A14 fetches no captions if the operator does not allow it', async () => {
    const url = 'https://www.youtube.com/watch?v=aqz-KE-bpKQ';
    const { status, json } = await tenant.post(`${path}/transcripts`, { url });
    expect([status, json.code]).toEqual([422, 'transcripts_off']);
    expect((await tenant.post('/api/knowledge/collections/col_0/transcripts', { url })).status).toBe(404);
  });

  it('B14 rejects a file of unknown type with advice; a broken file fails with a reason', async () => {
    const refused = await tenant.request(
      'POST',
      `${path}/sources`,
      upload({ 'old.zip': 'x', 'new.md': 'never taken' }),
    );
    expect([refused.status, refused.json.code]).toEqual([422, 'source_unreadable']);
    expect(refused.json.detail).toContain('.docx');
    expect((await sources()).map(({ name }) => name)).not.toContain('new.md');
    const [broken] = itemsOf(
      await tenant.request('POST', `${path}/sources`, upload({ 'broken.pdf': '%PDF-1.4 nothing' })),
    );
    await settled();
    const { json } = await tenant.get(`${path}/sources/${broken!.id}`);
    expect([json.state, typeof json.problem]).toEqual(['failed', 'string']);
    expect(json.problem).not.toMatch(/\/tmp|node_modules|\.[jt]s:/);
    await tenant.request('DELETE', `${path}/sources/${broken!.id}`);
  });

  it('B15 applies a changed priority of a source immediately', async () => {
    const note = (name: string) =>
      tenant.post(`${path}/sources`, { name, text: `Anchor rules as told by ${name}.` });
    const ids = [];
    for (const name of ['first', 'second']) ids.push(itemsOf(await note(name))[0]!.id);
    await settled();
    for (const id of ids) {
      expect((await tenant.request('PATCH', `${path}/sources/${id}`, { priority: 'primary' })).status).toBe(
        200,
      );
      expect((await hits('anchor rules'))[0]!.source_id).toBe(id);
      await tenant.request('PATCH', `${path}/sources/${id}`, { priority: 'tone-only' });
    }
  });

  it('B14 shows the state of a collection, pages its passages, and indexes it again on request', async () => {
    const { json } = await tenant.get(path);
    expect(json).toMatchObject({ name: 'harbour', purpose: 'knowledge', sources_by_state: { ready: 10 } });
    const renamed = await tenant.request('PATCH', path, { name: 'port', description: 'all of it' });
    expect(renamed.json).toMatchObject({ name: 'port', description: 'all of it' });
    const [guide] = (await sources()).filter(({ name }) => name === 'guide.md');
    const chunks = await tenant.get(`${path}/sources/${guide!.id}/chunks?limit=1`);
    expect((chunks.json.items as Hit[])[0]!.text).toContain('Mooring');
    const before = await hits('mooring');
    const dry = await tenant.post('/api/knowledge/reindex', { collections: [collection], dry_run: true });
    expect([dry.status, dry.json.sources]).toEqual([202, 10]);
    expect((await tenant.post('/api/knowledge/reindex', {})).json.sources).toBe(10);
    expect(await hits('mooring')).toEqual(before);
    await settled();
    expect(await hits('mooring')).toEqual(before);
  });

  it('B14 answers any query, and rejects invalid ones with a reason', async () => {
    const words = 'the and of it to a in is'.split(' ');
    const queries = [
      '',
      ' ',
      words.join(' '),
      "'; DROP TABLE knowledge_chunks; --",
      'a & b | !c:* <-> "d"',
      '%_\\',
      '\ud800'.toWellFormed(),
    ];
    for (const query of [...queries, 'harbour '.repeat(1_250), 'ż'.repeat(10_000), '語'.repeat(5_000)])
      expect((await search(query)).status).toBe(200);
    for (const query of ['\0', 'x'.repeat(20_001), 7, null])
      expect((await search(query as string)).status).toBe(422);
    expect((await search('x', { mode: 'semantic' })).json.code).toBe('no_embeddings');
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 400 }), async (query) => {
        expect((await search(query)).status).toBeLessThan(500);
      }),
      { numRuns: 60 },
    );
    expect((await hits('mooring'))[0]!.source_name).toBe('guide.md');
  });

  it('B19 separates two tenants with the same file', async () => {
    const other = await stack.tenant('other');
    const made = await other.post('/api/knowledge/collections', { name: 'harbour' });
    const theirs = `/api/knowledge/collections/${String(made.json.id)}`;
    await other.request('POST', `${theirs}/sources`, upload({ 'guide.md': files['guide.md']! }));
    await until(
      'the source of the other tenant is ready',
      async () => (await other.get(theirs)).json.sources_by_state as { ready?: number },
      ({ ready }) => ready === 1,
    );
    const found = await other.post('/api/knowledge/search', {
      collections: [made.json.id],
      query: 'mooring',
    });
    const [hit] = found.json.hits as Hit[];
    expect(hit!.source_id).not.toBe((await hits('mooring'))[0]!.source_id);
    expect((await other.request('DELETE', theirs)).status).toBe(204);
    expect(await hits('mooring')).toHaveLength(1);
  });
});
