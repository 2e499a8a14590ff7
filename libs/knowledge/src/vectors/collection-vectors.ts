import type { NearPassage } from '../search/search.js';

/** What is asked of the vectors of one collection. */
export interface VectorQuery {
  tenantId: string;
  collectionId: string;
  model: string;
  /** Of unit length. */
  vector: Float32Array;
  limit: number;
  /** Numbers of the sources that may be found; all may when absent. */
  sources?: ReadonlySet<number>;
}

/** A way to find the passages of a collection whose vectors are nearest to one. */
export interface CollectionVectors {
  /** @returns best first; null when this way cannot serve the collection now */
  nearest(query: VectorQuery): Promise<NearPassage[] | null>;
}
