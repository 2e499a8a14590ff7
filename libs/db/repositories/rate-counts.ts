import { Prisma, type Database } from '../client.js';

/** Count in the current window, and the milliseconds until the window ends. */
interface WindowCount {
  count: number;
  ttlMs: number;
}

/** Counts in fixed windows, shared by all gateways, by the database's clock. */
export class RateCountRepository {
  constructor(private readonly db: Pick<Database, '$statement'>) {}

  /** Adds to a key's count; starts a new window after the last one ended. */
  async add(key: string, amount: number, windowMs: number): Promise<WindowCount> {
    const [row] = await this.db.$statement<{ count: number; ttl: number }>(Prisma.sql`
      /* count requests */ INSERT INTO rate_counts AS r (key, count, ends_at)
      VALUES (${key}, ${amount}, now() + make_interval(secs => ${windowMs / 1000}::float8))
      ON CONFLICT (key) DO UPDATE SET
        count = EXCLUDED.count + CASE WHEN r.ends_at > now() THEN r.count ELSE 0 END,
        ends_at = CASE WHEN r.ends_at > now() THEN r.ends_at ELSE EXCLUDED.ends_at END
      RETURNING count, extract(epoch FROM ends_at - now())::float8 * 1000 AS ttl`);
    return { count: row!.count, ttlMs: row!.ttl };
  }

  async read(key: string): Promise<WindowCount> {
    const [row] = await this.db.$statement<{ count: number; ttl: number }>(Prisma.sql`
      SELECT count, extract(epoch FROM ends_at - now())::float8 * 1000 AS ttl FROM rate_counts
      WHERE key = ${key} AND ends_at > now()`);
    return row ? { count: row.count, ttlMs: row.ttl } : { count: 0, ttlMs: 0 };
  }
}
