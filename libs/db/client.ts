import { PrismaPg } from '@prisma/adapter-pg';
import { Prisma, PrismaClient } from './generated/client.js';
import { statementName, statementsOn, type Statements } from './statements.js';
import pg from 'pg';
import { runTogether } from './one-transaction.js';
import { currentTenant } from './tenant-scope.js';

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

/** Role for statements of tenants: it owns nothing, so row-level security applies to it. */
export const TENANT_ROLE = 'scriptorium_tenant';

/**
 * Returns the SQL that starts a transaction bound to a tenant; role and tenant end with it, even behind a
 * connection pooler.
 */
const begin = (tenantId: string, text = 'BEGIN') =>
  `${text}; SET LOCAL ROLE ${TENANT_ROLE}; SET LOCAL scriptorium.tenant = ${pg.escapeLiteral(tenantId)}`;

/** Binds the transaction that it begins to a tenant; returns no rows. */
const BIND = {
  name: 'bind tenant',
  text: `SELECT WHERE set_config('role', '${TENANT_ROLE}', true) || set_config('scriptorium.tenant', $1, true) IS NULL`,
};

/** Client that binds each transaction to the current tenant. */
class TenantClient extends pg.Client {
  override query(...args: unknown[]): never {
    const [config] = args as [{ text?: string } | undefined];
    const tenantId = currentTenant();
    const text = config?.text;
    const bound = tenantId !== null && text?.startsWith('BEGIN') ? [begin(tenantId, text)] : args;
    return (super.query as (...all: unknown[]) => unknown).apply(this, bound) as never;
  }
}

/**
 * Pool whose connections the server may close at any time. A client with a running statement gets the error,
 * and the pool replaces idle clients. Between the two there is no listener (the server may even close a
 * connection while it becomes ready), and an 'error' event without a listener would end the process.
 */
class LosablePool extends pg.Pool {
  constructor(config: pg.PoolConfig) {
    super(config);
    this.on('error', () => undefined);
    this.on('connect', (client) => client.on('error', () => undefined));
  }
}

/** Pool for statements of tenants. */
class TenantPool extends LosablePool {
  constructor(config: pg.PoolConfig) {
    super({ ...config, pipeline: true, Client: TenantClient } as pg.PoolConfig);
  }

  /** Runs a statement in its own transaction, with role and tenant in the same message. */
  async run(tenantId: string, statement: pg.QueryConfig): Promise<pg.QueryResult> {
    const client = await this.connect();
    const [, result] = await runTogether(client, [{ ...BIND, values: [tenantId] }, statement]);
    return result!;
  }
}

/**
 * Connections of a process: one pool for the service and, from the first statement of a tenant (`asTenant`),
 * a second one with row-level security. Statements of one type never use a connection of the other.
 */
export class ScopedPool extends LosablePool {
  private tenants: TenantPool | null = null;

  constructor(private readonly config: pg.PoolConfig) {
    super(config);
  }

  /** Accepts what Prisma's adapter sends: a configuration, answered by a promise. */
  override query(config: unknown): never {
    // Read it before any wait: a waiting request gets its connection in the async context of the releasing
    // one.
    const tenantId = currentTenant();
    const statement = config as pg.QueryConfig;
    const result = tenantId === null ? super.query(statement) : this.tenantPool().run(tenantId, statement);
    return result as never;
  }

  override connect(): Promise<pg.PoolClient>;
  override connect(callback: Parameters<pg.Pool['connect']>[0]): void;
  override connect(callback?: Parameters<pg.Pool['connect']>[0]): Promise<pg.PoolClient> | void {
    if (callback) return super.connect(callback);
    return currentTenant() === null ? super.connect() : this.tenantPool().connect();
  }

  override async end(): Promise<void> {
    await this.tenants?.end();
    await super.end();
  }

  private tenantPool(): TenantPool {
    this.tenants ??= new TenantPool(this.config);
    return this.tenants;
  }
}
