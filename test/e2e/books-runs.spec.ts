import type { ApiClient, RunView } from '#testing/api-client.js';
import { sharedStack, type SharedStack } from '#testing/shared-stack.js';
import { strFromU8, unzipSync } from 'fflate';
import { readdirSync, readFileSync } from 'node:fs';
import sharp from 'sharp';

type Json = Record<string, unknown>;
interface Details {
  chapter_number: number | null;
  output_payload: {
    progress: { current_node: string; revision_count: number };
    used_fallback: boolean;
    fallback_stages: string[];
    proposed_outline: { chapters: { id: string; title: string }[] } | null;
    exports: { id: string; format: string }[];
  };
  timings_json: { nodes: Record<string, number> };
}

describe('a book without a model', () => {
  let stack: SharedStack;
  let client: ApiClient;
  let projectId: string;
  let sessionId: string;

  beforeAll(async () => {
    stack = await sharedStack();
    client = await stack.tenant();
    const body = {
      title: 'The Light at Marrow Point',
      language: 'en',
      chapter_length: 'short',
      chapter_count: 3,
    };
    const { json } = await client.post('/api/books/projects/', body);
    [projectId, sessionId] = [String(json.id), String(json.session_id)];
    for (const name of readdirSync('examples/book').filter((file) => file.endsWith('.md'))) {
      const content = readFileSync(`examples/book/${name}`, 'utf8');
      const source = {
        title: name.replace(/\.md$/, ''),
        content,
        priority: name.includes('paper') ? 'primary' : 'supporting',
      };
      const added = await client.post(`/api/books/projects/${projectId}/sources/`, source);
      expect(added.status).toBe(201);
    }
  });

  const run = async (mode: string, inputs: Json = {}): Promise<RunView> => {
    const { status, json, text } = await client.post('/api/agents/runs/?sync=1', {
      project_id: projectId,
      mode,
      inputs,
    });
    if (status !== 202) throw new Error(text);
    return json as RunView;
  };
  const chapters = async () =>
    (await client.get(`/api/books/projects/${projectId}/chapters`)).json.items as Json[];
  const details = ({ progress }: RunView) => progress.details as typeof progress.details & Details;

  it('B12 rejects a chapter, a refinement and an export if there is no outline', async () => {
    for (const [mode, inputs, code] of [
      ['chapter', { chapter_number: 1 }, 'no_outline'],
      ['refine_toc', {}, 'feedback_required'],
      ['refine_toc', { operations: [{ op: 'remove', chapter: 1 }] }, 'no_outline'],
      ['export', {}, 'no_outline'],
    ] as const)
      expect([mode, (await run(mode, inputs)).error?.code]).toEqual([mode, code]);
  });

  it.each([
    ['refine_toc', 'rename', ['add', 'remove', 'move', 'merge', 'split', 'rename', 'edit']],
    ['chapter', 'edit its text', ['content']],
  ])('X21 feedback for %s is refused with what works without a model', async (mode, words, alternatives) => {
    const inputs = { feedback: 'More on lamps.', ...(mode === 'chapter' ? { chapter_number: 1 } : {}) };
    const asked = { project_id: projectId, mode, inputs };
    const { status, json } = await client.post('/api/agents/runs', asked);
    expect([status, json.code, json.alternatives]).toEqual([409, 'needs_model', alternatives]);
    expect(String(json.detail).toLowerCase()).toContain(words);
    expect((await client.get(`/api/agents/runs?session_id=${sessionId}&status=queued`)).json.items).toEqual(
      [],
    );
  });

  it('X21 rejects operations that are not ones of the outline', async () => {
    for (const operation of [{ op: 'fly' }, { op: 'remove' }, { op: 'edit', chapter: 1, titel: 'X' }]) {
      const inputs = { operations: [operation] };
      const { json } = await client.post('/api/agents/runs', {
        project_id: projectId,
        mode: 'refine_toc',
        inputs,
      });
      expect([operation, json.code]).toEqual([operation, 'invalid_request']);
    }
  });

  it('B4 B7 mode toc makes an outline from the headings and terms of the sources, marked as a fallback', async () => {
    const ended = await run('toc');
    expect(ended).toMatchObject({
      status: 'completed',
      kind: 'book',
      mode: 'toc',
      model: 'offline writer (rules, no model)',
    });
    expect(details(ended).output_payload).toMatchObject({
      used_fallback: true,
      fallback_stages: ['generate_outline'],
    });
    const made = await chapters();
    expect(made.map(({ number }) => number)).toEqual([1, 2, 3]);
    const passages = made.flatMap(({ outline }) => (outline as { passages: string[] }).passages);
    expect(new Set(passages).size).toBe(passages.length);
  });

  it('B8 B10 B11 B13 a chapter passes the review loop and is stored once, with citations and index entries', async () => {
    const ended = await run('chapter', { chapter_number: 1 });
    expect(ended.status).toBe('completed');
    const { output_payload: output, timings_json: timings } = details(ended);
    expect(output.fallback_stages).toEqual(
      expect.arrayContaining(['plan_chapter', 'draft_chapter', 'review_chapter']),
    );
    expect(Object.keys(timings.nodes)).toEqual(
      expect.arrayContaining([
        'chapter_retrieve_context_ms',
        'chapter_plan_ms',
        'chapter_draft_ms',
        'chapter_review_ms',
        'chapter_persist_ms',
      ]),
    );
    const [first] = await chapters();
    const { json } = await client.get(`/api/books/chapters/${String(first!.id)}`);
    expect(json).toMatchObject({ version: 1, status: 'written', vector_indexed: true });
    const { content, citations } = json as { content: string; citations: { label: string; text: string }[] };
    expect(citations.length).toBeGreaterThan(0);
    // Nothing is invented: every paragraph is in a source, word for word.
    const sources = readdirSync('examples/book')
      .map((name) => readFileSync(`examples/book/${name}`, 'utf8'))
      .join('\n');
    for (const paragraph of content.split(/\n{2,}/).filter((block) => !/^(?:#|\*)/.test(block)))
      expect(sources).toContain(paragraph.replace(/\[\^s\d+\]\s*$/, '').trim());
    const events = await client.events(ended.id);
    expect(events.filter(({ type }) => type === 'chapter_persisted')).toHaveLength(1);
  });

  it('B22 a refinement is shown before it is applied, and the list shows the score of a chapter', async () => {
    const before = await chapters();
    const operations = [
      { op: 'remove', chapter: 2 },
      { op: 'rename', chapter: 1, title: 'Beginnings' },
    ];
    const inputs = { operations, propose: true };
    const ended = await run('refine_toc', inputs);
    const { proposed_outline: proposed } = details(ended).output_payload;
    expect(proposed?.chapters.map(({ id, title }) => [id, title])).toEqual([
      [before[0]!.id, 'Beginnings'],
      [before[2]!.id, before[2]!.title],
    ]);
    expect(await chapters()).toEqual(before);
    expect(before.map(({ score }) => typeof score)).toEqual(['number', 'object', 'object']);
    const { json } = await client.get(`/api/books/chapters/${String(before[0]!.id)}`);
    expect(before[0]!.score).toBe((json.review as { score: number }).score);
  });

  it('B12 mode book writes all missing chapters, and leaves accepted ones unchanged', async () => {
    const [first] = await chapters();
    await client.request('PATCH', `/api/books/chapters/${String(first!.id)}`, { status: 'accepted' });
    const before = (await client.get(`/api/books/chapters/${String(first!.id)}`)).json.content;
    const ended = await run('book');
    expect(ended).toMatchObject({ status: 'completed', progress: { done: 3, total: 3 } });
    const runs = (await client.get(`/api/agents/runs?session_id=${sessionId}&limit=10`)).json
      .items as RunView[];
    const children = runs.filter(({ parent_run_id: parent }) => parent === ended.id);
    expect(children.map(({ mode, status }) => [mode, status])).toEqual([
      ['chapter', 'completed'],
      ['chapter', 'completed'],
    ]);
    const made = await chapters();
    expect(made.map(({ status, version }) => [status, version])).toEqual([
      ['accepted', 1],
      ['written', 1],
      ['written', 1],
    ]);
    expect((await client.get(`/api/books/chapters/${String(first!.id)}`)).json.content).toBe(before);
    expect((await run('chapter', { chapter_number: 1 })).error?.code).toBe('chapter_accepted');
    const used = await Promise.all(
      made.map(
        async ({ id }) => (await client.get(`/api/books/chapters/${String(id)}`)).json.citations as Json[],
      ),
    );
    const places = used.flat().map(({ source_id, span }) => JSON.stringify([source_id, span]));
    expect(new Set(places).size).toBe(places.length);
  });

  it('B12 exports Word, PDF, EPUB and Markdown, with equal bytes for an equal book', async () => {
    const formats = ['docx', 'pdf', 'epub', 'md'];
    const bytes = async () => {
      const ended = await run('export', { formats });
      expect(ended.status).toBe('completed');
      const { exports } = details(ended).output_payload;
      expect(exports.map(({ format }) => format)).toEqual(formats);
      return Promise.all(
        exports.map(async ({ id }) => {
          const response = await fetch(`${client.baseUrl}/api/sessions/${sessionId}/exports/${id}`, {
            headers: { authorization: `Bearer ${client.key}` },
          });
          return Buffer.from(await response.arrayBuffer());
        }),
      );
    };
    const [once, again] = [await bytes(), await bytes()];
    expect(again.map((file, i) => file.equals(once[i]!))).toEqual([true, true, true, true]);
    const [docx, pdf, epub, md] = once;
    expect(Object.keys(unzipSync(docx!))).toEqual(
      expect.arrayContaining(['word/document.xml', 'word/footnotes.xml']),
    );
    expect(pdf!.subarray(0, 5).toString()).toBe('%PDF-');
    expect(strFromU8(unzipSync(epub!).mimetype!)).toBe('application/epub+zip');
    expect(strFromU8(unzipSync(md!)['book.md']!)).toContain('# Bibliography');
  });

  it('B12 X15 an export cites corrected references in the chosen style, and names the author of the book', async () => {
    const { items } = (await client.get(`/api/books/projects/${projectId}/sources`)).json as {
      items: { id: string; metadata_json: { collection_id: string } }[];
    };
    for (const { id, metadata_json: about } of items) {
      const path = `/api/knowledge/collections/${about.collection_id}/sources/${id}`;
      const reference = {
        authors: [{ family: 'Kowalski', given: 'Jan' }],
        issued: '1886',
        publisher: 'Sea Press',
      };
      const changed = await client.request('PATCH', path, { reference });
      expect([changed.status, changed.json.reference]).toEqual([200, expect.objectContaining(reference)]);
    }
    const project = `/api/books/projects/${projectId}`;
    expect((await client.request('PATCH', project, { author: 'Ada Nowak' })).status).toBe(200);
    const exported = async (format: string, inputs: Json) => {
      const ended = await run('export', { formats: [format], ...inputs });
      expect(ended.error).toBeNull();
      const { id } = details(ended).output_payload.exports[0]!;
      const response = await fetch(`${client.baseUrl}/api/sessions/${sessionId}/exports/${id}`, {
        headers: { authorization: `Bearer ${client.key}` },
      });
      return unzipSync(Buffer.from(await response.arrayBuffer()));
    };
    const plain = strFromU8((await exported('md', {}))['book.md']!);
    expect(plain).toMatch(/^\[\^c1-s\d+\]: Jan Kowalski, \*[^*]+\*.* \(1886\)\.$/m);
    const chicago = strFromU8((await exported('md', { citation_style: 'chicago' }))['book.md']!);
    expect(chicago).toContain('author: "Ada Nowak"');
    expect(chicago).toMatch(/^\[\^c1-s\d+\]: Jan Kowalski, \*[^*]+\* \(Sea Press, 1886\)/m);
    expect(chicago).toMatch(/^- Kowalski, Jan\. \*[^*]+\*\. Sea Press, 1886\.$/m);
    const apa = strFromU8((await exported('md', { citation_style: 'apa' }))['book.md']!);
    expect(apa).toMatch(/ \(Kowalski, 1886[a-z]?\)/);
    expect(apa).not.toContain('[^c1-');
    const docx = await exported('docx', { citation_style: 'numeric', trim_size: '6x9in' });
    expect(strFromU8(docx['word/document.xml']!)).toContain('<w:pgSz w:w="8640" w:h="12960"/>');
    expect(strFromU8(docx['docProps/core.xml']!)).toContain('>Ada Nowak<');
    expect(strFromU8(docx['word/document.xml']!)).toContain('Ada Nowak');
    const refused = await client.post('/api/agents/runs', {
      project_id: projectId,
      mode: 'export',
      inputs: { citation_style: 'vancouver.csl' },
    });
    expect([refused.status, refused.json.code]).toEqual([422, 'invalid_request']);
    expect(refused.text).toContain('not a supported citation style; use chicago, apa, mla, numeric');
    const unknown = await client.post('/api/agents/runs', {
      project_id: projectId,
      mode: 'export',
      inputs: { trim_size: 'a6' },
    });
    expect([unknown.status, unknown.json.code]).toEqual([422, 'invalid_request']);
  });

  it('B12 exports contain the images of the book’s session', async () => {
    const { json: book } = await client.post('/api/books/projects', { title: 'Pictures', language: 'en' });
    const content = '## A gauge\n\n![The gauge](pictures/gauge.png)\n';
    await client.post(`/api/books/projects/${String(book.id)}/chapters`, { title: 'One', content });
    const png = await sharp({ create: { width: 8, height: 8, channels: 3, background: '#369' } })
      .png()
      .toBuffer();
    expect((await client.upload(String(book.session_id), { 'gauge.png': png })).status).toBe(201);
    const { json: ended } = await client.post('/api/agents/runs/?sync=1', {
      project_id: book.id,
      mode: 'export',
      inputs: { formats: ['epub', 'md', 'docx', 'pdf'], pdf_standard: 'ua-1', list_of_figures: true },
    });
    expect(ended.error).toBeNull();
    const files = await Promise.all(
      details(ended as RunView).output_payload.exports.map(async ({ id }) => {
        const headers = { authorization: `Bearer ${client.key}` };
        const path = `/api/sessions/${String(book.session_id)}/exports/${id}`;
        return Buffer.from(await (await fetch(client.baseUrl + path, { headers })).arrayBuffer());
      }),
    );
    const names = files.slice(0, 3).map((file) => Object.keys(unzipSync(file)));
    expect(names[0]).toContain('OEBPS/images/image-001.png');
    expect(names[1]).toContain('pictures/gauge.png');
    expect(names[2]!.some((name) => name.startsWith('word/media/'))).toBe(true);
    expect(strFromU8(unzipSync(files[2]!)['word/document.xml']!)).toContain(' TOC \\h \\z \\c "Figure" ');
    expect(files[3]!.toString('latin1')).toContain('/Subtype /Image');
    expect(files[3]!.toString('latin1')).toContain('<pdfuaid:part>1</pdfuaid:part>');
    const [first] = details(ended as RunView).output_payload.exports;
    const path = `/api/sessions/${String(book.session_id)}/exports/${first!.id}/base64`;
    const { json: encoded } = await client.get(path);
    expect(encoded).toMatchObject({ filename: 'Pictures.epub', media_type: 'application/epub+zip' });
    expect(Buffer.from(String(encoded.content_base64), 'base64').equals(files[0]!)).toBe(true);
  });

  it('B1 X21 a book is set up by fields, outlined, refined by operations, written and exported', async () => {
    const { json: made } = await client.post('/api/books/projects', {});
    const book = String(made.id);
    const profile = {
      title: 'Salt and Light',
      genre: 'history',
      target_audience: 'general readers',
      tone: 'plain',
      language: 'en',
      chapter_length: 'short',
      chapter_count: 2,
    };
    const messages = [{ role: 'user', content: 'finalize' }];
    const finalized = await client.post(`/api/books/projects/${book}/profile-assistant`, {
      messages,
      profile,
    });
    expect(finalized.json).toMatchObject({ is_finalized: true, missing_required: [] });
    const content = readFileSync('examples/book/notes.md', 'utf8');
    await client.post(`/api/books/projects/${book}/sources`, { title: 'Notes', content });
    const done = async (mode: string, inputs: Json = {}) => {
      const { json } = await client.post('/api/agents/runs/?sync=1', { project_id: book, mode, inputs });
      expect([mode, json.status]).toEqual([mode, 'completed']);
      return json as RunView;
    };
    await done('toc');
    await done('refine_toc', { operations: [{ op: 'rename', chapter: 1, title: 'The First Lamp' }] });
    await done('book');
    expect(details(await done('export', { formats: ['md'] })).output_payload.exports).toHaveLength(1);
    const { json: now } = await client.get(`/api/books/projects/${book}`);
    expect(now).toMatchObject({ title: 'Salt and Light', status: 'exported' });
    const { items } = (await client.get(`/api/books/projects/${book}/chapters`)).json as { items: Json[] };
    expect(items.map(({ title, status }) => [title, status])).toEqual([
      ['The First Lamp', 'written'],
      [items[1]!.title, 'written'],
    ]);
  });

  it('B12 a chapter without any passage of the sources is neither completed nor exported', async () => {
    const { json } = await client.post('/api/books/projects', { title: 'Nothing yet', language: 'en' });
    const project_id = String(json.id);
    const outline_json = { chapters: [{ title: 'Whales' }, { title: 'Ice' }] };
    await client.request('PATCH', `/api/books/projects/${project_id}`, { outline_json });
    const end = async (mode: string, inputs: Json = {}) => {
      const ended = await client.post('/api/agents/runs/?sync=1', { project_id, mode, inputs });
      const { status, error } = ended.json as RunView;
      return [status, error?.code];
    };
    expect(await end('chapter', { chapter_number: 1 })).toEqual(['failed', 'chapter_empty']);
    expect(await end('book')).toEqual(['failed', 'chapters_empty']);
    expect(await end('export', { formats: ['md'] })).toEqual(['failed', 'no_chapters']);
    const { items } = (await client.get(`/api/books/projects/${project_id}/chapters`)).json as {
      items: Json[];
    };
    expect(items.map(({ version, status }) => [version, status])).toEqual([
      [0, 'planned'],
      [0, 'planned'],
    ]);
  });

  it('B19 rejects a run for another tenant’s book', async () => {
    const stranger = await stack.tenant('stranger');
    const { status, json } = await stranger.post('/api/agents/runs', { project_id: projectId, mode: 'toc' });
    expect([status, json.code]).toEqual([404, 'not_found']);
  });
});
