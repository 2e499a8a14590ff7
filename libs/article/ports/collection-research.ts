import type { FoundPassage, ResearchPort } from '../graph/ports.js';
import type { IndexerTools } from '#knowledge/ingest/index-source.js';
import { search, type SemanticSearch } from '#knowledge/search/search.js';
import type { HeldRun } from '#engine/kind.js';
import { openCollections } from './collections.js';
import { foundPassage } from './copied-passages.js';

/** Research in the tenant's own collections (A6). */
export class CollectionResearch implements ResearchPort {
  private collections: Promise<string[]> | null = null;
  private prepared: { query: string; limit: number; found: Promise<FoundPassage[]> } | null = null;

  constructor(
    private readonly tools: IndexerTools,
    private readonly run: HeldRun,
    private readonly named: string[] | undefined,
    private readonly signal: AbortSignal,
    private readonly semantic?: SemanticSearch,
  ) {}

  prepare(query: string, limit: number): void {
    if (this.prepared?.query === query && this.prepared.limit === limit) return;
    const found = this.look(query, limit);
    // `find` reports the error to its caller.
    found.catch(() => undefined);
    this.prepared = { query, limit, found };
  }

  find(query: string, limit: number): Promise<FoundPassage[]> {
    const { prepared } = this;
    this.prepared = null;
    return prepared?.query === query && prepared.limit === limit ? prepared.found : this.look(query, limit);
  }

  private async look(query: string, limit: number): Promise<FoundPassage[]> {
    this.collections ??= openCollections(this.tools, this.run, 'knowledge', this.named, this.signal);
    const collections = await this.collections;
    if (collections.length === 0 || query === '') return [];
    const { hits } = await search(
      this.tools.db,
      this.run.tenantId,
      { collections, query, k: limit, filters: { priorities: ['primary', 'supporting'] } },
      this.semantic,
    );
    return hits.map((hit) => foundPassage(hit, 'collection'));
  }
}
