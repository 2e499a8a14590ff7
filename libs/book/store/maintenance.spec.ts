import { normaliseZones } from '../contract/zones.js';
import { createTestDatabase, type TestDatabase } from '#testing/postgres.js';
import { createDatabase, type Database } from '#db/client.js';
import { BookChapterRepository } from './chapters.js';
import { BookRepository } from './projects.js';
import { TenantRepository } from '#db/repositories/tenants.js';
import { repairOwners, repairPriorities, repairZones, priorityOf } from './maintenance.js';

const OUTLINE = { summary: '', sections: [], terms: [] };

describe('maintenance of books', () => {
  let database: TestDatabase;
  let db: Database;
  let tenantId: string;
  let other: string;

  beforeAll(async () => {
    database = await createTestDatabase();
    db = createDatabase(database.url, 4);
    const tenants = new TenantRepository(db);
    [tenantId, other] = [await tenants.create('author'), await tenants.create('stranger')];
    const books = new BookRepository(db);
    await books.create(tenantId, 'bok_normal', 'Salt', { profile: { title: 'Salt' }, notes: 'Mine.' });
    await books.create(tenantId, 'bok_mixed', 'Light', { profile: {} });
    await new BookChapterRepository(db).create(tenantId, 'bok_mixed', 'cha_1', {
      title: 'One',
      outline: OUTLINE,
    });
  });
  afterAll(async () => {
    await db.$disconnect();
    await database.drop();
  });

  it("B24 moves misplaced metadata into the right zone, keeps the author's values, and leaves normal zones unchanged", async () => {
    const mixed = {
      title: 'Light',
      synopsis: 'It burns.',
      mood: 'calm',
      profile: { tone: 'plain', chapter_count: 0 },
    };
    await db.bookProject.update({
      where: { id: 'bok_mixed' },
      data: { userConcept: mixed, llmRuntime: { subtitle: 'Of lamps', writer: 'm', unknown: 1 } },
    });
    const both = [{ id: 'bok_mixed', what: 'user_concept, llm_runtime' }];
    expect(await repairZones(db, true)).toEqual(both);
    expect((await db.bookProject.findUniqueOrThrow({ where: { id: 'bok_mixed' } })).userConcept).toEqual(
      mixed,
    );
    expect(await repairZones(db, false)).toEqual(both);
    expect(await repairZones(db, false)).toEqual([]);
    expect(await db.bookProject.findUniqueOrThrow({ where: { id: 'bok_mixed' } })).toMatchObject({
      userConcept: { profile: { title: 'Light', tone: 'plain', subtitle: 'Of lamps' }, notes: 'mood: calm' },
      llmRuntime: { synopsis: 'It burns.', writer: 'm' },
      revision: 3,
    });
  });

  it.each([[null], ['text'], [[1]], [{ profile: [] }]])('B24 converts %j to zones', (zone) => {
    expect(normaliseZones(zone, zone)).toEqual({ concept: { profile: {} }, runtime: {} });
  });

  it('B24 replaces unknown priorities of sources by the meaning of their labels', async () => {
    const collection = { id: 'col_1', tenantId, name: 'c', purpose: 'knowledge' };
    await db.knowledgeCollection.create({ data: collection });
    const labels = ['PRIMARY', 'tone_only', '5', 'high', 'supporting'];
    for (const [n, priority] of labels.entries()) {
      const file = { mediaType: 'text/plain', size: 1, sha256: `${n}`, objectKey: 'k' };
      const row = { id: `src_${n}`, tenantId, collectionId: 'col_1', name: `${n}`, priority, ...file };
      await db.knowledgeSource.create({ data: row });
    }
    expect(await repairPriorities(db, true)).toHaveLength(4);
    expect((await repairPriorities(db, false)).map(({ what }) => what)).toEqual([
      'PRIMARY -> primary',
      'tone_only -> tone-only',
      '5 -> primary',
      'high -> supporting',
    ]);
    expect(await repairPriorities(db, false)).toEqual([]);
    expect(priorityOf(' Tone Only ')).toBe('tone-only');
  });

  it('B24 assigns the rows of a book only to the owner of its session', async () => {
    await db.bookProject.update({ where: { id: 'bok_mixed' }, data: { tenantId: other } });
    await db.bookChapter.update({ where: { id: 'cha_1' }, data: { tenantId: other } });
    expect(await repairOwners(db, other, false)).toEqual([]);
    const rows = await repairOwners(db, tenantId, true);
    expect(rows.map(({ id }) => id)).toEqual(['bok_mixed', 'cha_1']);
    expect(await repairOwners(db, tenantId, false)).toEqual(rows);
    expect(await repairOwners(db, tenantId, false)).toEqual([]);
    expect((await db.bookChapter.findUniqueOrThrow({ where: { id: 'cha_1' } })).tenantId).toBe(tenantId);
  });
});
