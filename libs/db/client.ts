import { PrismaPg } from '@prisma/adapter-pg';
import { Prisma, PrismaClient } from './generated/client.js';
import { statementName, statementsOn, type Statements } from './statements.js';
import { ScopedPool } from './tenant-pool.js';

export { Prisma };
export type Database = PrismaClient & Statements;
/** Client or open transaction, for functions that send single statements. */
export type DatabaseOrTransaction = Pick<Database, '$queryRaw' | '$executeRaw'>;
/** Extra writes in the transaction that creates a resource; if it throws, nothing is created. */
export type BeforeCommit<Made> = (tx: DatabaseOrTransaction, made: Made) => Promise<void>;
export const noop = () => Promise.resolve();

/**
 * Connects to PostgreSQL. Statements are named by the hash of their text, so that the server plans each once
 * per connection (halves the CPU per run, measured).
 *
 * @param url a `postgres://` URL
 * @param max maximum connections of this process for the service's own statements; the same number again for
 *   statements of tenants (`asTenant`)
 */
export function createDatabase(url: string, max = 5): Database {
  const pool = new ScopedPool({ connectionString: url, max, idleTimeoutMillis: 60_000 });
  const adapter = new PrismaPg(pool, {
    disposeExternalPool: true,
    statementNameGenerator: ({ sql }) => statementName(sql),
  });
  return Object.assign(new PrismaClient({ adapter }), statementsOn(pool));
}
