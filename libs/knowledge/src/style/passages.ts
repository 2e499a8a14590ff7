import type { SearchHit } from '#contracts/knowledge.js';
import type { Database } from '#db/client.js';
import { search, type SemanticSearch } from '../search/search.js';
import { prioritiesOfStyle } from './corpus.js';

/** Own passages below which those of others fill up (A9). */
const ENOUGH_OWN = 3;

/**
 * The passages of style collections that are nearest to a query (A9: `styleQuery` of topic and first paragraph): the tenant's own first, best first; when there are fewer than
 * three, those by others fill up to `k`. Any language that can be searched. `rag_retriever` of the kind `article` calls it.
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
