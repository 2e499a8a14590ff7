/** The place of a row in a list that is sorted by time, then id. */
export interface TimePosition {
  createdAt: Date;
  id: string;
}

/** The part of a list that a query is to read: so many rows behind a position, or from the beginning. */
export interface PageRequest<Position = TimePosition> {
  take: number;
  after?: Position;
}

/**
 * What a query needs to read a page by time (keyset pagination: rows that are added meanwhile shift nothing).
 *
 * @returns `where` to be joined by AND with the query's own condition, `orderBy` and `take`
 */
export function pageByTime({ take, after }: PageRequest, order: 'asc' | 'desc') {
  const behind = <T>(value: T) => (order === 'asc' ? { gt: value } : { lt: value });
  const since = <T>(value: T) => (order === 'asc' ? { gte: value } : { lte: value });
  const where = after && {
    // Says nothing new, but bounds the scan of an index on the time.
    createdAt: since(after.createdAt),
    OR: [{ createdAt: behind(after.createdAt) }, { id: behind(after.id) }],
  };
  return { where: where ?? {}, orderBy: [{ createdAt: order }, { id: order }], take };
}
