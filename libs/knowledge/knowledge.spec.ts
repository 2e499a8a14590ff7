import { createDatabase, type Database } from '#db/client.js';
import { TenantRepository } from '#db/repositories/tenants.js';
import type { SendStatement } from '#db/statements.js';
import type { DirectoryStore } from '#storage/directory-store.js';
import { withLostFirstAck } from '#testing/lost-first-ack.js';
import { DataBed } from '#testing/data-bed.js';
import { until } from '#testing/until.js';
import { claimSource } from './ingest/claim.js';
import { indexSource } from './ingest/index-source.js';
import { mergeCollection } from './ingest/merge.js';
import { inlineWork } from './ingest/work.js';
import { addText, putText, type TextSource } from './knowledge.js';
import { search, type SearchQuery } from './search/search.js';
import { CollectionRepository, MAX_COLLECTIONS } from './store/collections.js';
import { SourceRepository } from './store/sources.js';

const paragraph = (topic: string) =>
  `${Array.from({ length: 60 }, (_, at) => `${topic} sentence number ${at} of this paragraph.`).join(' ')}\n\n`;

describe('knowledge', () => {
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
    ({ id: collectionId } = await new CollectionRepository(db).create(tenantId, {
      name: 'handbook',
      purpose: 'knowledge',
    }));
  });

  const put = (source: TextSource) => putText({ db, store }, tenantId, collectionId, source);
  const find = async (query: string, more: Partial<SearchQuery> = {}) =>
    (await search(db, tenantId, { collections: [collectionId], query, ...more })).hits;
  const merge = () => mergeCollection({ db, store, work: inlineWork }, collectionId);
  const rows = async (table: string) => {
    const [row] = await db.$queryRawUnsafe<{ count: number }[]>(
      `SELECT count(*)::int AS count FROM ${table} WHERE tenant_id = '${tenantId}'`,
    );
    return row!.count;
  };

  const objects = async () => {
    let count = 0;
    for await (const _ of store.list(`tenants/${tenantId}/`)) count++;
    return count;
  };

  it('keeps the bytes of a source whose addition was committed although the caller got an error', async () => {
    const added = addText({ db: withLostFirstAck(db), store }, tenantId, collectionId, {
      name: 'a.md',
      text: 'Kept.',
    });
    await expect(added).rejects.toThrow('the connection was lost');
    expect(await rows('knowledge_sources')).toBe(1);
    expect(await objects()).toBe(1);
  });

  it('B13 B16 waits until a text is indexed, also if a worker has already claimed it', async () => {
    const text = { name: 'chapter.md', text: `# Chapter\n\n${paragraph('sailing')}` };
    const { source } = await addText({ db, store }, tenantId, collectionId, text);
    const held = await claimSource(db, source.id);
    let looks = 0;
    const watched = new Proxy(db, {
      get: (target, name) => {
        if (name === 'knowledgeSource') looks += 1;
        return Reflect.get(target, name) as unknown;
      },
    });
    let isDone = false;
    const putting = putText({ db: watched, store }, tenantId, collectionId, text).then(() => (isDone = true));
    await until(
      'the source to be looked at again and again',
      () => looks,
      (count) => isDone || count > 3,
    );
    expect(isDone).toBe(false);
    await indexSource({ db, store, work: inlineWork }, held!, new AbortController().signal);
    await putting;
    expect((await find('sailing'))[0]!.source_id).toBe(source.id);
  });

  it('B14 finds the exact position of a passage, and gives the reason', async () => {
    const text = `# Handbook\r\n\r\n${paragraph('sailing')}## Harbour\r\n\r\n${paragraph('mooring')}`;
    const { source, outcome } = await put({ name: 'handbook.md', text, priority: 'primary', author: 'Ann' });
    expect(outcome).toBe('created');
    const [hit] = await find('Where is mooring explained?');
    expect(hit).toMatchObject({
      source_id: source.id,
      source_name: 'handbook.md',
      collection_id: collectionId,
      author: 'Ann',
      heading_path: ['Handbook', 'Harbour'],
      language: 'en',
      score: 2,
      parts: { relevance: 1, weight: 5, bm25: { rank: 1 }, vectors: null },
    });
    expect(hit!.matched_terms).toContain('mooring');
    expect(text.replaceAll('\r\n', '\n').slice(hit!.start, hit!.end)).toBe(hit!.text);
  });

  it('B15 applies the priority of the source', async () => {
    for (const [name, priority] of [['a', 'tone-only'], ['b', 'primary'], ['c', 'supporting']] as const)
      await put({ name, text: `The rules of the harbour, as ${name} has them.`, priority });
    const hits = await find('harbour rules');
    expect(hits.map(({ source_name: name }) => name)).toEqual(['b', 'c', 'a']);
    for (const { score, parts } of hits) expect(score).toBeCloseTo(parts.relevance * (1 + 0.2 * parts.weight), 10);
  }); // prettier-ignore

  it('B15 names the words of the query that a passage contains, without those that most passages contain', async () => {
    for (const word of ['mooring', 'anchor', 'tide'])
      await put({ name: word, text: `The ${word} of the harbour is described here.` });
    expect((await find('the mooring'))[0]!.matched_terms).toEqual(['mooring']);
    expect((await find('the'))[0]!.matched_terms).toEqual(['the']);
    expect((await find('the missing words'))[0]!.matched_terms).toEqual(['the']);
  }); // prettier-ignore

  it('B14 processes only the changed passages', async () => {
    const parts = ['alpha', 'beta', 'gamma', 'delta'].map(paragraph);
    await put({ name: 'doc.md', text: parts.join('') });
    const before = await find('beta', { k: 1 });
    const idsBefore = new Set((await db.knowledgeChunk.findMany({ where: { collectionId } })).map(({ id }) => id));
    parts[2] = paragraph('omega');
    const changed = await put({ name: 'doc.md', text: parts.join('') });
    expect(changed.outcome).toBe('replaced');
    const after = await db.knowledgeChunk.findMany({ where: { collectionId } });
    expect(after.filter(({ id }) => !idsBefore.has(id)).length).toBeGreaterThan(0);
    expect(after.filter(({ id }) => idsBefore.has(id)).length).toBeGreaterThan(0);
    expect((await find('beta', { k: 1 }))[0]!.chunk_id).toBe(before[0]!.chunk_id);
    expect((await find('gamma')).filter(({ matched_terms: terms }) => terms.includes('gamma'))).toEqual([]);
    expect((await find('omega'))[0]!.text).toContain('omega');
    for (const { startAt, endAt, text } of after) expect(parts.join('').slice(startAt, endAt)).toBe(text);
  }); // prettier-ignore

  it('B14 treats identical bytes as one source', async () => {
    const first = await put({ name: 'a.md', text: 'The same words.' });
    const second = await addText({ db, store }, tenantId, collectionId, {
      name: 'b.md',
      text: 'The same words.',
    });
    expect(second).toMatchObject({ outcome: 'unchanged', source: { id: first.source.id, name: 'a.md' } });
    expect(await rows('knowledge_sources')).toBe(1);
  });

  it('B14 finds the same passages with and without a cache', async () => {
    const fresh = async () => {
      const other = createDatabase(bed.url, 2);
      try {
        return (await search(other, tenantId, { collections: [collectionId], query: 'harbour topic3word' }))
          .hits;
      } finally {
        await other.$disconnect();
      }
    };
    for (let at = 0; at < 9; at++)
      await put({
        name: `note ${at}`,
        text: `${'Note. '.repeat(at * at)} The topic${at}word and the harbour.`,
      });
    const change = [merge, () => put({ name: 'more', text: 'Another harbour, and topic3word.' })];
    for (const step of [...change, ...change]) {
      await step();
      expect(await find('harbour topic3word')).toEqual(await fresh());
      const [hit] = await find('topic8word');
      if (hit) await new SourceRepository(db).remove(store, tenantId, collectionId, hit.source_id);
      expect(await find('harbour topic3word')).toEqual(await fresh());
    }
  });

  it('B14 reads the postings of a term once', async () => {
    let reads = 0;
    const counted = new Proxy(db, {
      get(target, name) {
        if (name !== '$snapshot') return Reflect.get(target, name) as unknown;
        return (read: (send: SendStatement) => Promise<unknown>) =>
          db.$snapshot((send) =>
            read((sql) => {
              if (sql.text.includes('/* read postings */')) reads += 1;
              return send(sql);
            }),
          );
      },
    });
    const readsFor = async (query: string) => {
      reads = 0;
      const { hits } = await search(counted, tenantId, { collections: [collectionId], query });
      expect(hits).toHaveLength(1);
      return reads;
    };
    await put({ name: 'note', text: 'The harbour lies in the north.' });
    expect(await readsFor('harbour')).toBe(3);
    expect(await readsFor('harbour')).toBe(0);
    expect(await readsFor('north harbour')).toBe(3);
  });

  it('B14 merges small segments without changing results; deleted sources leave no trace', async () => {
    for (let at = 0; at < 20; at++) await put({ name: `note ${at}`, text: `Note ${at} tells of the topic${at}word and the harbour.` });
    const before = await find('harbour topic7word', { k: 100 });
    expect(await rows('knowledge_segments')).toBe(20);
    expect(await merge()).toBeGreaterThan(0);
    expect(await rows('knowledge_segments')).toBeLessThan(20);
    expect(await find('harbour topic7word', { k: 100 })).toEqual(before);
    const gone = before[0]!;
    await new SourceRepository(db).remove(store, tenantId, collectionId, gone.source_id);
    expect((await find('topic7word', { k: 100, mode: 'lexical' })).map(({ source_id: id }) => id)).not.toContain(gone.source_id);
    await merge();
    const bytes = await db.$queryRaw<{ bytes: Uint8Array }[]>`SELECT bytes FROM knowledge_postings WHERE tenant_id = ${tenantId}`;
    expect(bytes.some((row) => Buffer.from(row.bytes).includes('topic7word'))).toBe(false);
    // Bytes, text and details of each source.
    expect(await objects()).toBe(3 * 19);
    await new CollectionRepository(db).remove(store, tenantId, collectionId);
    for (const table of ['sources', 'chunks', 'segments', 'postings', 'vectors']) expect(await rows(`knowledge_${table}`)).toBe(0);
    expect(await objects()).toBe(0);
  }); // prettier-ignore

  it('B14 respects filters and the collections of the tenant', async () => {
    await put({ name: 'a', text: 'The harbour of Ann.', author: 'Ann', givenLanguage: 'en' });
    const { source } = await put({ name: 'b', text: 'The harbour of Bob.', author: 'Bob', priority: 'primary' });
    const names = async (filters: SearchQuery['filters']) => (await find('harbour', { filters })).map((hit) => hit.source_name);
    expect(await names({ authors: ['Ann'] })).toEqual(['a']);
    expect(await names({ priorities: ['primary'] })).toEqual(['b']);
    expect(await names({ source_ids: [source.id] })).toEqual(['b']);
    expect(await names({ languages: ['xx'] })).toEqual([]);
    const other = await new TenantRepository(db).create('another');
    await expect(search(db, other, { collections: [collectionId], query: 'harbour' })).rejects.toMatchObject({ code: 'not_found' });
    await expect(find('x', { mode: 'semantic' })).rejects.toMatchObject({ code: 'no_embeddings' });
  }); // prettier-ignore

  it('B14 limits the number of collections of a tenant', async () => {
    await db.$executeRaw`
      INSERT INTO knowledge_collections (id, tenant_id, name, purpose)
      SELECT 'col_' || n || ${tenantId}, ${tenantId}, 'x', 'memory' FROM generate_series(2, ${MAX_COLLECTIONS}::int) n`;
    const one = { name: 'one more', purpose: 'memory' as const };
    await expect(new CollectionRepository(db).create(tenantId, one)).rejects.toMatchObject({
      code: 'too_many_collections',
    });
  });
});
