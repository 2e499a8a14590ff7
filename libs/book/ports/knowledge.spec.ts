import type { Database } from '#db/client.js';
import { BookRepository, bookCollection } from '../store/projects.js';
import type { BookSnapshot } from '../graph/ports.js';
import { inlineWork } from '#knowledge/ingest/work.js';
import { putText } from '#knowledge/knowledge.js';
import type { HeldRun } from '#engine/kind.js';
import { DataBed } from '#testing/data-bed.js';
import { RunLog } from '#testing/run-log.js';
import { startSemanticSearchStub, type ShipsMeaning } from '#testing/semantic-search-stub.js';
import { CollectionKnowledge } from './knowledge.js';

const noCopies = () => {
  throw new Error('no copies are expected');
};

describe('the knowledge of a book', () => {
  let bed: DataBed;
  let db: Database;
  let ships: ShipsMeaning;

  beforeAll(async () => {
    bed = await DataBed.open();
    ({ db } = bed);
    ships = await startSemanticSearchStub(db);
  });
  afterAll(async () => {
    await ships.stop();
    await bed.close();
  });

  it('B14 B16 is found by meaning if there is an embedding model, otherwise by words', async () => {
    const { tenantId } = await RunLog.create(db);
    const book = await new BookRepository(db).create(tenantId, 'bok_harbour', 'Harbour', { profile: {} });
    const { search: semantic, embedder } = ships.meaning;
    const tools = { db, store: bed.store, work: inlineWork, embedder };
    const sources = await bookCollection(db, tenantId, book.id, 'knowledge');
    await putText(tools, tenantId, sources, { name: 'harbour.md', text: 'Old boats lie in the harbour.' });
    const run = { tenantId } as HeldRun;
    const store = { load: () => Promise.resolve({ id: book.id } as BookSnapshot) };
    const knows = (found?: typeof semantic) =>
      new CollectionKnowledge(tools, run, store, new AbortController().signal, noCopies, found);
    await knows(semantic).remember({
      id: 'chp_1',
      title: 'Ropes',
      content: 'Vessels are made fast with ropes.',
    });
    const texts = (hits: { text: string }[]) => hits.map(({ text }) => text);
    expect(texts(await knows(semantic).search('A ship', 3))).toEqual(['Old boats lie in the harbour.']);
    expect(texts(await knows(semantic).recall('A ship', 3, ['chp_1']))).toEqual([
      'Vessels are made fast with ropes.',
    ]);
    expect(await knows(semantic).recall('A ship', 3, ['chp_2'])).toEqual([]);
    expect(texts(await knows().search('A ship', 3))).toEqual([]);
  });

  it('B15 sources of priority tone-only provide samples of the tone, and are neither found nor listed', async () => {
    const { tenantId } = await RunLog.create(db);
    const book = await new BookRepository(db).create(tenantId, 'bok_tone', 'Tone', { profile: {} });
    const tools = { db, store: bed.store, work: inlineWork };
    const sources = await bookCollection(db, tenantId, book.id, 'knowledge');
    const put = (name: string, priority: 'tone-only' | 'primary', text: string) =>
      putText(tools, tenantId, sources, { name, priority, text });
    await put('notes.md', 'primary', 'The lamp burns oil.');
    await put('novel.md', 'tone-only', 'Oh, the lamp! It burned and burned.');
    const store = { load: () => Promise.resolve({ id: book.id } as BookSnapshot) };
    const signal = new AbortController().signal;
    const knowledge = new CollectionKnowledge(tools, { tenantId } as HeldRun, store, signal, noCopies);
    const texts = (passages: { text: string }[]) => passages.map(({ text }) => text);
    expect(texts(await knowledge.search('the lamp burned', 5))).toEqual(['The lamp burns oil.']);
    expect(texts(await knowledge.all(5))).toEqual(['The lamp burns oil.']);
    expect(await knowledge.toneSamples(5)).toEqual(['Oh, the lamp! It burned and burned.']);
  });
});
