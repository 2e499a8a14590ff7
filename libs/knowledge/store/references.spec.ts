import type { Database } from '#db/client.js';
import { TenantRepository } from '#db/repositories/tenants.js';
import { DataBed } from '#testing/data-bed.js';
import { NodeCompiler } from '@myriaddreamin/typst-ts-node-compiler';
import { ReferencesService } from '../gateway/references.service.js';
import { indexNow } from '../ingest/index-now.js';
import { contentKey } from '../ingest/keys.js';
import { putText } from '../knowledge.js';
import { citedTexts, type StoredCitation } from './cited-texts.js';
import { CollectionRepository } from './collections.js';
import { citedSources, referenceOf } from './references.js';
import { SourceRepository } from './sources.js';

const { signal } = new AbortController();
const NOTE = '---\ntitle: The tower\nauthor: Ada Nowak\nyear: 2019\n---\n\nIt is 80 metres high.\n';

describe('the reference of a source', () => {
  let bed: DataBed;
  let db: Database;
  let tenantId: string;
  let collectionId: string;
  let sources: SourceRepository;

  beforeAll(async () => {
    bed = await DataBed.open();
    ({ db } = bed);
    sources = new SourceRepository(db);
  });
  afterAll(() => bed.close());
  beforeEach(async () => {
    tenantId = await new TenantRepository(db).create('a tenant');
    const collection = { name: 'x', purpose: 'knowledge' as const };
    ({ id: collectionId } = await new CollectionRepository(db).create(tenantId, collection));
  });

  const addNote = async (name = 'tower.md', text = NOTE) => {
    const { source } = await putText({ db, store: bed.store }, tenantId, collectionId, { name, text });
    return source.id;
  };
  const read = async (id: string) => referenceOf(await sources.require(tenantId, collectionId, id));
  const change = (id: string, ...[details, reference]: ChangeArguments) =>
    sources.change(tenantId, collectionId, id, details, reference);
  const importFrom = (text: string, source_id?: string) =>
    new ReferencesService(db, new CollectionRepository(db), sources).import(tenantId, collectionId, {
      text,
      ...(source_id && { source_id }),
    });

  it('X15 comes from the file, and from a person where one corrected it', async () => {
    const id = await addNote();
    const authors = [{ family: 'Nowak', given: 'Ada' }];
    expect(await read(id)).toMatchObject({ title: 'The tower', authors, issued: '2019' });
    await change(id, {}, { publisher: 'Sea Press', title: 'The Tower of the Coast', issued: null });
    expect(await read(id)).toMatchObject({
      title: 'The Tower of the Coast',
      authors,
      publisher: 'Sea Press',
    });
    expect(await read(id)).not.toHaveProperty('issued');
    await change(id, { title: 'Tower', author: 'Jan Kowalski', published: '2020-01-02' });
    expect(await read(id)).toMatchObject({
      title: 'Tower',
      authors: [{ family: 'Kowalski', given: 'Jan' }],
      issued: '2020-01-02',
      publisher: 'Sea Press',
    });
    await indexNow({ db, store: bed.store }, tenantId, id, signal);
    expect(await read(id)).toMatchObject({ title: 'Tower', publisher: 'Sea Press' });
  });

  it('X15 names the pages of a PDF as printed, also of one that an older release indexed', async () => {
    const bytes = NodeCompiler.create({ workspace: '/' }).pdf({
      mainFileContent:
        '#set document(title: "On light", author: "Ada Nowak")\n#set page(numbering: "i")\nThe lamp burned.\n#pagebreak()\nThe lens broke in the storm.',
    });
    const objectKey = contentKey(tenantId, collectionId);
    await bed.store.put(objectKey, bytes, { contentType: 'application/pdf' });
    const file = {
      id: 'src_pdf',
      name: 'light.pdf',
      mediaType: 'application/pdf',
      size: 1,
      sha256: 'x',
      objectKey,
    };
    await sources.add(tenantId, collectionId, [file], 2n ** 40n);
    await indexNow({ db, store: bed.store }, tenantId, 'src_pdf', signal);
    const cited = (await citedSources(db, bed.store, tenantId, ['src_pdf'])).get('src_pdf')!;
    expect(cited).toMatchObject({ author: 'Ada Nowak', reference: { title: 'On light' } });
    expect(cited.pages.map(({ page }) => page)).toEqual(['i', 'ii']);

    const { textKey } = await sources.require(tenantId, collectionId, 'src_pdf');
    const detailsKey = textKey!.replace(/text$/, 'details.json');
    await bed.store.delete(detailsKey);
    expect((await citedSources(db, bed.store, tenantId, ['src_pdf'])).get('src_pdf')!.pages).toEqual([]);
    await sources.reindexSource(tenantId, 'src_pdf');
    await indexNow({ db, store: bed.store }, tenantId, 'src_pdf', signal);
    expect((await citedSources(db, bed.store, tenantId, ['src_pdf'])).get('src_pdf')!.pages).toHaveLength(2);
  });

  it('X15 reaches an export at once; the copy stored with a text counts only for deleted sources', async () => {
    const id = await addNote();
    const citation = (source_id: string): StoredCitation => ({
      label: source_id,
      source_id,
      source_title: 'Old title',
      author: 'Old Author',
      date: '2001',
      url: null,
      heading_path: [],
      span: { start: 0, end: 5 },
    });
    const texts = [{ title: null, content: '', prefix: '', citations: [citation(id), citation('src_gone')] }];
    await change(id, {}, { authors: [{ family: 'Kowalski', given: 'Jan' }] });
    const [text] = await citedTexts(db, bed.store, tenantId, texts);
    expect(text!.citations).toMatchObject([
      { author: 'Jan Kowalski', reference: { title: 'The tower' }, page: null },
      { author: 'Old Author', reference: { title: 'Old title', issued: '2001' } },
    ]);
    const other = await new TenantRepository(db).create('another');
    const [foreign] = await citedTexts(db, bed.store, other, texts);
    expect(foreign!.citations[0]).toMatchObject({ author: 'Old Author' });
  });

  it('X15 is imported by DOI, file, title or key; other entries are reported', async () => {
    const tower = await addNote();
    const harbour = await addNote('harbour-log.txt', 'The harbour log.');
    const lens = await addNote('lens.md', 'The lens.');
    await change(lens, {}, { doi: '10.1000/LENS' });
    const imported = await importFrom(`
      @book{a, title = {The Tower}, author = {Nowak, Ada and Kowalski, Jan}, address = {Gda{\\'n}sk}}
      @misc{b, title = {Harbour}, file = {log:C\\:/papers/harbour-log.txt:text}}
      @article{c, title = {On lenses}, doi = {10.1000/lens}, keywords = {light}}
      @book{d, title = {Elsewhere}}`);
    expect(imported.applied.map(({ key, source_id }) => [key, source_id])).toEqual([
      ['a', tower],
      ['b', harbour],
      ['c', lens],
    ]);
    expect(imported.unmatched).toEqual([{ key: 'd', title: 'Elsewhere' }]);
    expect(await read(tower)).toMatchObject({ type: 'book', place: 'Gdańsk', issued: '2019' });
    expect(await read(lens)).toMatchObject({ title: 'On lenses', other: { keywords: 'light' } });
    await importFrom('[{"id": 1, "type": "book", "title": "Given", "note": "a\\u0000b\\ud800"}]', harbour);
    expect(await read(harbour)).toMatchObject({ title: 'Given' });
  });

  it('X15 is not imported from a CSL style, another text, or several entries for one source', async () => {
    const id = await addNote();
    const style = '<?xml version="1.0"?><style xmlns="http://purl.org/net/xbiblio/csl"></style>';
    const refused = { code: 'invalid_request' };
    await expect(importFrom(style)).rejects.toMatchObject({
      ...refused,
      message: expect.stringContaining('CSL'),
    });
    await expect(importFrom('Just words.')).rejects.toMatchObject(refused);
    await expect(importFrom('@misc{a, title={A}} @misc{b, title={B}}', id)).rejects.toMatchObject(refused);
  });
});

type ChangeArguments = [
  Parameters<SourceRepository['change']>[3],
  Parameters<SourceRepository['change']>[4]?,
];
