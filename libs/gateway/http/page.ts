import { jsonOf } from '#contracts/lenient.js';
import type { PageQuery } from '#contracts/api/paging.js';
import { ProblemError } from '#contracts/errors.js';
import { phrase } from '#contracts/phrases/phrase.js';
import type { PageRequest, TimePosition } from '#db/page.js';
import { z } from 'zod';

/** Converts the position of a row in a list to a cursor and back. */
export interface CursorFormat<Row, Position> {
  /** Returns JSON that identifies the row's position. */
  write(row: Row): unknown;
  /** Parses the output of `write`. */
  schema: z.ZodType<Position>;
}

/** Last millisecond that PostgreSQL's text format writes with a four-digit year. */
const LAST_MS = Date.UTC(9999, 11, 31);
/** Milliseconds since 1970 that PostgreSQL accepts as a time. */
export const msSchema = z.number().int().min(0).max(LAST_MS);
/** An id, or a name used as one, without characters that PostgreSQL cannot compare. */
export const idSchema = z.string().regex(/^[^\p{Cc}\p{Cs}]{1,300}$/u);

/** Cursors of lists that are sorted by time, then id. */
export const byTime: CursorFormat<TimePosition, TimePosition> = {
  write: ({ createdAt, id }) => [createdAt.getTime(), id],
  schema: z.tuple([msSchema, idSchema]).transform(([ms, id]) => ({ createdAt: new Date(ms), id })),
};

/**
 * Returns one page of a list. Each row that existed when the first page was read appears exactly once, even
 * if rows are added between pages.
 *
 * @param read reads rows in the order of the list
 * @param show converts rows to their API view
 * @throws ProblemError `invalid_request` for a cursor that no page of such a list returned
 */
export async function readPage<Row, Position, View>(
  { limit, cursor }: PageQuery,
  format: CursorFormat<NoInfer<Row>, Position>,
  read: (request: PageRequest<Position>) => Promise<Row[]>,
  show: (rows: NoInfer<Row>[]) => View[] | Promise<View[]>,
): Promise<{ items: View[]; next_cursor: string | null }> {
  const after = cursor === undefined ? {} : { after: positionOf(cursor, format) };
  // Fetch one extra row to detect a next page.
  const found = await read({ take: limit + 1, ...after });
  const rows = found.slice(0, limit);
  const next = found.length > limit ? cursorOf(format.write(rows.at(-1)!)) : null;
  return { items: await show(rows), next_cursor: next };
}

const cursorOf = (position: unknown) => Buffer.from(JSON.stringify(position)).toString('base64url');

function positionOf<Position>(cursor: string, { schema }: CursorFormat<never, Position>): Position {
  const parsed = schema.safeParse(jsonOf(Buffer.from(cursor, 'base64url').toString()));
  if (parsed.success) return parsed.data;
  const errors = [{ path: 'cursor', message: 'is not a next_cursor of this list' }];
  throw new ProblemError('invalid_request', phrase('invalid_request.cursor'), errors);
}
