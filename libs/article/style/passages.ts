import type { SearchHit } from '#knowledge/contract.js';
import type { Database } from '#db/client.js';
import { search, type SemanticSearch } from '#knowledge/search/search.js';
import { prioritiesOfStyle } from './corpus.js';

/** Number of own passages below which passages by others are added (A9). */
const ENOUGH_OWN = 3;

/**
 * Returns the passages of style collections nearest to a query (A9: `styleQuery` of topic and first
 * paragraph). The tenant's own come first, best first; if there are fewer than three, passages by others fill
 * up to `k`. Supports every searchable language. Called by `rag_retriever` of the kind `article`.
 *
 * @param k `RAG_TOP_K`
 */
export async function stylePassages(
  db: Database,
  tenantId: string,
  collections: string[],
  query: string,
  k: number,
  semantic?: SemanticSearch,
): Promise<SearchHit[]> {
  if (collections.length === 0 || query.trim() === '') return [];
  const find = async (type: 'own' | 'external', count: number) => {
    const request = { collections, query, k: count, filters: { priorities: prioritiesOfStyle(type) } };
    return (await search(db, tenantId, request, semantic)).hits;
  };
  const own = await find('own', k);
  if (own.length >= Math.min(ENOUGH_OWN, k)) return own;
  return [...own, ...(await find('external', k - own.length))];
}
