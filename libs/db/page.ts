import type { Prisma } from './client.js';

/** Returns a condition on a text column: it contains `part`, regardless of case. */
export const containsText = (part: string) => ({ contains: literal(part), mode: 'insensitive' as const });

/** Returns a condition on runs: the title that their kind gives them (`progress.details.title`) contains `part`. */
export const runTitleContains = (part: string): Prisma.RunWhereInput => ({
  summary: { path: ['details', 'title'], string_contains: literal(part), mode: 'insensitive' },
});

/** Escapes the wildcards of LIKE. */
export const literal = (part: string) => part.replace(/[\\%_]/g, '\\$&');

/** Position of a row in a list that is sorted by time, then ID. */
export interface TimePosition {
  createdAt: Date;
  id: string;
}

/** Part of a list to read: at most `take` rows after a position, or from the beginning. */
export interface PageRequest<Position = TimePosition> {
  take: number;
  after?: Position;
}

/**
 * Returns the query arguments to read a page by time (keyset pagination: rows added in between shift
 * nothing).
 *
 * @returns `where` to combine by AND with the query's own condition, `orderBy` and `take`
 */
export function pageByTime({ take, after }: PageRequest, order: 'asc' | 'desc') {
  const behind = <T>(value: T) => (order === 'asc' ? { gt: value } : { lt: value });
  const since = <T>(value: T) => (order === 'asc' ? { gte: value } : { lte: value });
  const where = after && {
    // Redundant; bounds the index scan by time.
    createdAt: since(after.createdAt),
    OR: [{ createdAt: behind(after.createdAt) }, { id: behind(after.id) }],
  };
  return { where: where ?? {}, orderBy: [{ createdAt: order }, { id: order }], take };
}
