import type { NearPassage } from '../search/search.js';

/** A search among the vectors of one collection. */
export interface VectorQuery {
  tenantId: string;
  collectionId: string;
  model: string;
  /** Query vector of unit length. */
  vector: Float32Array;
  limit: number;
  /** Numbers of the sources that may be found; absent for all. */
  sources?: ReadonlySet<number>;
}

/** A method of finding the passages of a collection whose vectors are nearest to a query. */
export interface CollectionVectors {
  /** @returns passages, best first; null if this method cannot serve the collection now */
  nearest(query: VectorQuery): Promise<NearPassage[] | null>;
}
