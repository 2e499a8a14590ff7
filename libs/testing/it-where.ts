/** Returns `it` for a test that only some machines or accounts can run; elsewhere it counts as skipped, not as passed. */
export const itWhere = (isPossible: boolean): typeof it => (isPossible ? it : it.skip);
