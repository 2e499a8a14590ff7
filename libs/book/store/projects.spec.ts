import { asTenant } from '#db/tenant-scope.js';
import { createDatabase, type Database } from '#db/client.js';
import { createTestDatabase, type TestDatabase } from '#testing/postgres.js';
import { chapterOutlineSchema } from '../contract/outline.js';
import { BookChapterRepository } from './chapters.js';
import { BookRepository } from './projects.js';
import { TenantRepository } from '#db/repositories/tenants.js';

const outline = chapterOutlineSchema.parse({});
const version = (effectKey: string, content = 'Text.\n') => ({
  origin: 'run' as const,
  effectKey,
  content,
  facts: [],
  citations: [],
  kept: null,
});

describe('books in the database', () => {
  let database: TestDatabase;
  let db: Database;
  let books: BookRepository;
  let chapters: BookChapterRepository;
  let tenantId: string;

  beforeAll(async () => {
    database = await createTestDatabase();
    db = createDatabase(database.url, 4);
    [books, chapters] = [new BookRepository(db), new BookChapterRepository(db)];
    tenantId = await new TenantRepository(db).create('author');
  });
  afterAll(async () => {
    await db.$disconnect();
    await database.drop();
  });

  const book = async (id: string) => (await books.create(tenantId, id, 'Salt', { profile: {} })).id;

  it('B10 a version that is saved twice by the same step exists once', async () => {
    const projectId = await book('bok_twice');
    await chapters.create(tenantId, projectId, 'cha_twice', { title: 'One', outline });
    const persist = () =>
      asTenant(tenantId, () =>
        chapters.change(tenantId, 'cha_twice', () => ({ version: version('run/step', 'Once.\n') })),
      );
    await Promise.all([persist(), persist(), persist()]);
    const found = await chapters.find(tenantId, 'cha_twice');
    expect(found).toMatchObject({ version: 1, status: 'written', vectorIndexed: false });
    expect(await chapters.versions(tenantId, 'cha_twice', { take: 10 })).toHaveLength(1);
    await chapters.markIndexed(tenantId, 'cha_twice', 7);
    expect(await chapters.find(tenantId, 'cha_twice')).toMatchObject({ vectorIndexed: false });
    await chapters.markIndexed(tenantId, 'cha_twice', 1);
    expect(await chapters.find(tenantId, 'cha_twice')).toMatchObject({ vectorIndexed: true });
  });

  it('B20 a changed outline keeps omitted fields: synopsis, summary, sections, terms', async () => {
    const projectId = await book('bok_changed');
    const full = { summary: 'S', sections: [{ title: 'On it', points: ['a'] }], terms: ['salt'] };
    const change = (synopsis: object, chapter: object) =>
      books.change(tenantId, projectId, () => ({
        outline: { ...synopsis, chapters: [{ title: 'One', ...chapter }, { title: 'Two' }] },
      }));
    await change({ synopsis: 'A coast.' }, full);
    const [one, two] = await chapters.list(tenantId, projectId);
    const changed = await change({}, { id: one!.id, title: 'First', terms: ['light'] });
    expect(changed?.llmRuntime).toEqual({ synopsis: 'A coast.' });
    expect((await chapters.find(tenantId, one!.id))?.outline).toEqual({ ...full, terms: ['light'] });
    await chapters.change(tenantId, one!.id, () => ({ outline: { summary: 'T' } }));
    expect((await chapters.find(tenantId, one!.id))?.outline).toEqual({
      ...full,
      summary: 'T',
      terms: ['light'],
    });
    expect((await chapters.find(tenantId, two!.id))?.outline).toEqual(outline);
  });

  it('B12 an outline that a run saves twice creates its chapters once, and leaves the concept unchanged', async () => {
    const concept = { profile: { title: 'Salt' } };
    const projectId = (await books.create(tenantId, 'bok_outline', 'Salt', concept)).id;
    const chapter = (title: string) => ({ title, ...outline });
    const saved = { synopsis: 'S', chapters: [chapter('One'), chapter('Two')] };
    const save = () =>
      books.progress(
        tenantId,
        projectId,
        { outline: saved, runtime: { writer: 'w' }, status: 'outlined' },
        'run/1',
      );
    expect(await Promise.all([save(), save()])).toEqual([true, true]);
    const rows = await chapters.list(tenantId, projectId);
    expect(rows.map(({ number, title }) => [number, title])).toEqual([
      [1, 'One'],
      [2, 'Two'],
    ]);
    const project = await books.find(tenantId, projectId);
    expect(project).toMatchObject({ userConcept: concept, llmRuntime: { synopsis: 'S', writer: 'w' } });
    expect(await books.progress(tenantId, 'bok_none', {}, 'run/1')).toBe(false);
  });
});
