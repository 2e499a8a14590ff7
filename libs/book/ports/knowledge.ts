import {
  priorityWeights,
  type SearchFilters,
  type SearchHit,
  type SourcePriority,
} from '#knowledge/contract.js';
import { Prisma, type Database } from '#db/client.js';
import { BookChapterRepository } from '../store/chapters.js';
import type { BookKnowledge, BookStore } from '../graph/ports.js';
import type { Memory, Passage } from '../graph/texts.js';
import { bookCollection, type BookMemory } from '../store/projects.js';
import type { IndexerTools } from '#knowledge/ingest/index-source.js';
import { putText } from '#knowledge/knowledge.js';
import { ORIGIN } from '#knowledge/search/passages.js';
import { search, type SemanticSearch } from '#knowledge/search/search.js';
import type { HeldRun } from '#engine/kind.js';
import { openNamedSources, type NamedSourceTools } from '#knowledge/ports/named-sources.js';
import { firstPassages, indexWaiting, passageOf, type PassageRow } from '#knowledge/ports/passages.js';

/** Returns what reads the pages and files that an author names, into a collection. */
type CopiesIn = (collectionId: string) => Pick<NamedSourceTools, 'copies' | 'mayFetch'>;

type BookRow = PassageRow & { priority: string };

/** Collections of a run's book: its sources and the memory of its chapters (B14–B16). */
export class CollectionKnowledge implements BookKnowledge {
  private readonly db: Database;

  /** @param semantic absent without an embedding endpoint; passages are then found only by their words */
  constructor(
    private readonly tools: IndexerTools,
    private readonly run: HeldRun,
    private readonly book: Pick<BookStore, 'load'>,
    private readonly signal: AbortSignal,
    private readonly copiesIn: CopiesIn,
    private readonly semantic?: SemanticSearch,
  ) {
    this.db = tools.db;
  }

  async search(query: string, k: number): Promise<Passage[]> {
    const id = await this.collection('knowledge');
    await this.indexWaiting(id);
    if (query.trim() === '') return [];
    return (await this.hitsOf(id, query, k, { priorities: ['primary', 'supporting'] })).map(weighed);
  }

  async all(limit: number): Promise<Passage[]> {
    const id = await this.collection('knowledge');
    await this.indexWaiting(id);
    return (await this.listed(id, ['primary', 'supporting'], limit)).map(weighed);
  }

  async named(sources: string[], query: string, k: number): Promise<Passage[]> {
    const { tenantId } = this.run;
    const collectionId = await this.collection('knowledge');
    await this.indexWaiting(collectionId);
    const copies = this.copiesIn(collectionId);
    const opened = await openNamedSources({ db: this.db, collectionId, ...copies }, this.run, sources);
    const source_ids = opened.map(({ id }) => id);
    const hits = query.trim() === '' ? [] : await this.hitsOf(collectionId, query, k, { source_ids });
    const matched = new Set(hits.map(({ source_id: id }) => id));
    const others = await firstPassages(
      this.db,
      tenantId,
      source_ids.filter((id) => !matched.has(id)),
    );
    const weight = priorityWeights.supporting;
    return [...hits.slice(0, k - others.length), ...others].map((row) => ({ ...passageOf(row), weight }));
  }

  async toneSamples(limit: number): Promise<string[]> {
    const id = await this.collection('knowledge');
    return (await this.listed(id, ['tone-only'], limit)).map(({ text }) => text);
  }

  private listed(id: string, priorities: SourcePriority[], limit: number): Promise<BookRow[]> {
    return this.db.$queryRaw<BookRow[]>(Prisma.sql`
      /* passages of a book */ SELECT c.id AS chunk_id, c.collection_id, c.source_id, s.name AS source_name, s.title AS source_title, s.author,
        ${ORIGIN}, s.priority, c.text, c.start_at AS start, c.end_at AS "end", c.heading_path
      FROM knowledge_chunks c JOIN knowledge_sources s ON s.id = c.source_id
        JOIN knowledge_segments g ON g.id = c.segment_id AND g.live
      WHERE c.collection_id = ${id} AND c.tenant_id = ${this.run.tenantId} AND s.priority = ANY(${priorities})
      ORDER BY array_position(ARRAY['primary', 'supporting', 'tone-only'], s.priority), s.name, c.start_at LIMIT ${limit}`);
  }

  async recall(query: string, k: number, chapterIds: string[]): Promise<Memory[]> {
    const collectionId = await this.collection('memory');
    const where = { tenantId: this.run.tenantId, collectionId, name: { in: chapterIds } };
    const sources = await this.db.knowledgeSource.findMany({ where, select: { id: true } });
    if (query.trim() === '' || sources.length === 0) return [];
    const source_ids = sources.map(({ id }) => id);
    return (await this.hitsOf(collectionId, query, k, { source_ids })).map(
      ({ source_title: title, source_name: name, text }) => ({
        title: title ?? name,
        text,
      }),
    );
  }

  async remember({ id, title, content }: { id: string; title: string; content: string }): Promise<void> {
    const { tenantId } = this.run;
    const collection = await this.collection('memory');
    if (content.trim() !== '')
      await putText(this.tools, tenantId, collection, { name: id, title, text: content }, this.signal);
    const chapters = new BookChapterRepository(this.db);
    const chapter = await chapters.find(tenantId, id);
    if (chapter) await chapters.markIndexed(tenantId, id, chapter.version);
  }

  private async collection(purpose: BookMemory): Promise<string> {
    return bookCollection(this.db, this.run.tenantId, (await this.book.load()).id, purpose);
  }

  private indexWaiting(collectionId: string): Promise<void> {
    return indexWaiting(this.tools, this.run.tenantId, [collectionId], this.signal);
  }

  private async hitsOf(
    collectionId: string,
    query: string,
    k: number,
    filters: SearchFilters,
  ): Promise<SearchHit[]> {
    const asked = { collections: [collectionId], query, k, filters };
    return (await search(this.db, this.run.tenantId, asked, this.semantic)).hits;
  }
}

const weighed = (row: BookRow): Passage => ({
  ...passageOf(row),
  weight: priorityWeights[row.priority as SourcePriority],
});
