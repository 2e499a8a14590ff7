import { PrismaPg } from '@prisma/adapter-pg';
import { Prisma, PrismaClient } from './generated/client.js';
import { statementName, statementsOn, type Statements } from './statements.js';
import { ScopedPool } from './tenant-pool.js';

export { Prisma };
export type Database = PrismaClient & Statements;
/** A client or an open transaction: what a single statement needs. */
export type DatabaseOrTransaction = Pick<Database, '$queryRaw' | '$executeRaw'>;
/** What else has to be written in the transaction that makes something; when it throws, nothing is made. */
export type BeforeCommit<Made> = (tx: DatabaseOrTransaction, made: Made) => Promise<void>;
export const noop = () => Promise.resolve();

/**
 * Connects to PostgreSQL. Statements are named by the hash of their text, so that the server plans each once per
 * connection (half the CPU per run, measured).
 *
 * @param url a `postgres://` URL
 * @param max connections that this process may hold for the service's own statements, and again for those of tenants
 *   (`asTenant`), if it sends any
 */
export function createDatabase(url: string, max = 5): Database {
  const pool = new ScopedPool({ connectionString: url, max, idleTimeoutMillis: 60_000 });
  const adapter = new PrismaPg(pool, {
    disposeExternalPool: true,
    statementNameGenerator: ({ sql }) => statementName(sql),
  });
  return Object.assign(new PrismaClient({ adapter }), statementsOn(pool));
}
