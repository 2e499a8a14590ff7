import type { FoundPassage } from '../graph/ports.js';
import { firstPassages, passageOf, type PassageRow } from '#knowledge/ports/passages.js';
import { search, type SemanticSearch } from '#knowledge/search/search.js';
import type { IndexerTools } from '#knowledge/ingest/index-source.js';
import type { KnowledgeSource } from '#knowledge/store/sources.js';

/** Returns a passage in the form of the graph. A source without a page gets its address in the API. */
export const foundPassage = (row: PassageRow, kind: FoundPassage['kind']): FoundPassage => {
  const { url, ...passage } = passageOf(row);
  return {
    ...passage,
    url: url ?? `/api/knowledge/collections/${row.collection_id}/sources/${row.source_id}`,
    kind: url === null ? kind : 'web',
    summary: null,
  };
};

/** Searches copies of pages and files (A6). */
export class CopiedPassages {
  constructor(
    private readonly tools: Pick<IndexerTools, 'db'>,
    private readonly tenantId: string,
    private readonly semantic?: SemanticSearch,
  ) {}

  /**
   * Returns the passages of some copies that match a query best.
   *
   * @param ofSource maximum number of passages of a source, so that no source dominates
   */
  async find(
    copies: KnowledgeSource[],
    query: string,
    limit: number,
    ofSource = limit,
  ): Promise<FoundPassage[]> {
    if (copies.length === 0 || query === '') return [];
    const collections = [...new Set(copies.map(({ collectionId }) => collectionId))];
    const filters = { source_ids: copies.map(({ id }) => id) };
    const k = Math.min(100, limit * Math.max(1, copies.length));
    const { hits } = await search(
      this.tools.db,
      this.tenantId,
      { collections, query, k, filters },
      this.semantic,
    );
    const taken = new Map<string, number>();
    const best = hits.filter(({ source_id: id }) => {
      taken.set(id, (taken.get(id) ?? 0) + 1);
      return taken.get(id)! <= ofSource;
    });
    return best.slice(0, limit).map((hit) => foundPassage(hit, 'file'));
  }

  /** Like `find`, plus the first passage of each copy without a match: a search of the web found its page. */
  async findInEach(
    copies: KnowledgeSource[],
    query: string,
    limit: number,
    ofSource: number,
  ): Promise<FoundPassage[]> {
    const found = await this.find(copies, query, limit, ofSource);
    const matched = new Set(found.map(({ source_id: id }) => id));
    const others = await this.first(copies.filter(({ id }) => !matched.has(id)));
    return [...found, ...others].slice(0, limit);
  }

  /** Returns the first passage of each copy. */
  async first(copies: KnowledgeSource[]): Promise<FoundPassage[]> {
    const rows = await firstPassages(
      this.tools.db,
      this.tenantId,
      copies.map(({ id }) => id),
    );
    return rows.map((row) => foundPassage(row, 'file'));
  }
}
