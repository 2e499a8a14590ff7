/** How much each list counts in the fusion. */
export const LIST_WEIGHTS = { bm25: 1, trigrams: 0.3, vectors: 1 } as const;

/** Places of each list that are fused. */
export const LISTED = 200;
