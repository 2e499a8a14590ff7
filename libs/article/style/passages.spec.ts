import type { Database } from '#db/client.js';
import { TenantRepository } from '#db/repositories/tenants.js';
import type { DirectoryStore } from '#storage/directory-store.js';
import { DataBed } from '#testing/data-bed.js';
import { styleQuery } from '#article/graph/nodes/retrieve.js';
import { putText } from '#knowledge/knowledge.js';
import {
  priorityOfStyle,
  readStyleTexts,
  styleCollection,
  styleCollections,
  styleTypeOf,
  stylePassages,
} from './corpus.js';

describe('A9 passages of a style corpus', () => {
  let bed: DataBed;
  let db: Database;
  let store: DirectoryStore;
  let tenantId: string;
  let collectionId: string;

  beforeAll(async () => {
    bed = await DataBed.open();
    ({ db, store } = bed);
  });
  afterAll(() => bed.close());
  beforeEach(async () => {
    tenantId = await new TenantRepository(db).create('a tenant');
    collectionId = await styleCollection(db, tenantId);
  });

  const add = (type: 'own' | 'external', name: string, text: string, author: string | null = null) =>
    putText({ db, store }, tenantId, collectionId, {
      name,
      title: name,
      text,
      author,
      priority: priorityOfStyle(type),
    });
  const find = async (query: string, k = 5) =>
    (await stylePassages(db, tenantId, [collectionId], query, k)).map(({ source_name: name }) => name);

  it('come only from the tenant’s own texts if there are three, even if others wrote about the topic', async () => {
    for (const n of [1, 2, 3, 4])
      await add('own', `own-${n}`, `The lighthouse number ${n} burns oil at night.`);
    await add('external', 'theirs', 'Lighthouse lighthouse lighthouse: the lighthouse burns oil at night.');
    expect((await find('lighthouse oil')).sort()).toEqual(['own-1', 'own-2', 'own-3', 'own-4']);
    expect(await find('lighthouse oil', 2)).toHaveLength(2);
  });

  it('include texts by others if there are fewer than three own ones, own texts first', async () => {
    await add('own', 'own', 'A lighthouse, once.');
    for (const n of [1, 2, 3, 4, 5, 6])
      await add('external', `theirs-${n}`, `The lighthouse number ${n} burns oil at night.`);
    const found = await find('lighthouse oil');
    expect(found).toHaveLength(5);
    expect(found[0]).toBe('own');
    expect(found.slice(1).every((name) => name.startsWith('theirs'))).toBe(true);
  });

  it('are found in Polish by topic and first paragraph, in any inflected form', async () => {
    await add('own', 'latarnie', 'Latarnie morskie paliły olej przez całą noc, a latarnik nie mógł zasnąć.');
    await add('own', 'porty', 'Nabrzeże portowe odnowiono wiosną.');
    const query = styleQuery(
      'Światło latarni morskiej',
      '# Tytuł\n\nLatarnik dolewał oleju.\n\nDalszy akapit o nabrzeżu portowym.',
    );
    expect(query).toBe('Światło latarni morskiej\nLatarnik dolewał oleju.');
    expect((await find(query))[0]).toBe('latarnie');
  });

  it('never come from another tenant, and are empty for an empty query', async () => {
    await add('own', 'own', 'A lighthouse.');
    const other = await new TenantRepository(db).create('another');
    await expect(stylePassages(db, other, [collectionId], 'lighthouse', 5)).rejects.toThrow(
      'Collection not found',
    );
    expect(await styleCollections(db, other)).toEqual([]);
    expect(await find('  ')).toEqual([]);
    expect(await stylePassages(db, tenantId, [], 'lighthouse', 5)).toEqual([]);
  });

  it('the corpus is filtered by author and by own or external texts, and computed once for repeated requests', async () => {
    await add('own', 'a', 'Words of Anna.', 'anna');
    await add('own', 'b', 'Words of Bert.', 'bert');
    await add('external', 'c', 'Words of Carl.', 'carl');
    expect(await Promise.all([styleCollection(db, tenantId), styleCollection(db, tenantId)])).toEqual([
      collectionId,
      collectionId,
    ]);
    const titles = async (filter: Parameters<typeof readStyleTexts>[3]) =>
      (await readStyleTexts({ db, store }, tenantId, [collectionId], filter))
        .map(({ title }) => title)
        .sort();
    expect(await titles({})).toEqual(['a', 'b', 'c']);
    expect(await titles({ sourceType: 'own' })).toEqual(['a', 'b']);
    expect(await titles({ author: 'carl', sourceType: 'external' })).toEqual(['c']);
    expect(await titles({ author: 'carl', sourceType: 'own' })).toEqual([]);
    expect((['primary', 'supporting', 'tone-only'] as const).map(styleTypeOf)).toEqual([
      'own',
      'own',
      'external',
    ]);
  });
});
