import type { Socket } from 'node:net';
import pg from 'pg';
import { currentTenant } from './tenant-scope.js';

/** The role that tenants' statements run under: it owns nothing, and row-level security holds for it. */
export const TENANT_ROLE = 'scriptorium_tenant';

/** Opens a transaction that is bound to a tenant; role and tenant end with it, also behind a connection pooler. */
const begin = (tenantId: string, text = 'BEGIN') =>
  `${text}; SET LOCAL ROLE ${TENANT_ROLE}; SET LOCAL scriptorium.tenant = ${pg.escapeLiteral(tenantId)}`;

/** Binds the transactions that are opened on it to the tenant that the caller works for. */
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
 * Connections that the server may end at any time. Who sends a statement on one hears of it and the pool replaces one that is
 * idle; but between the two nobody listens (a new one may be ended in the very packet that makes it ready), and an 'error'
 * event without a listener ends the process.
 */
class LosablePool extends pg.Pool {
  constructor(config: pg.PoolConfig) {
    super(config);
    this.on('error', () => undefined);
    this.on('connect', (client) => client.on('error', () => undefined));
  }
}

/** A client with what the types of `pg` leave out: where its messages are written to. */
type ConnectedClient = pg.PoolClient & { connection: { stream: Socket } };

/** Connections for statements of tenants. */
class TenantPool extends LosablePool {
  constructor(config: pg.PoolConfig) {
    super({ ...config, pipeline: true, Client: TenantClient } as pg.PoolConfig);
  }

  /**
   * A statement in a transaction of its own. The three messages leave together, so that it takes one round trip; when the
   * first fails, the transaction is aborted and the statement is refused.
   */
  async run(tenantId: string, config: pg.QueryConfig): Promise<pg.QueryResult> {
    const client = (await this.connect()) as ConnectedClient;
    const { stream } = client.connection;
    // One write for all of them: each is a call of the system, which costs more than building the message.
    stream.cork();
    const sent = [client.query(begin(tenantId)), client.query(config), client.query('COMMIT')];
    stream.uncork();
    const [begun, done, committed] = await Promise.allSettled(sent);
    client.release(committed!.status === 'rejected');
    for (const result of [begun!, done!, committed!])
      if (result.status === 'rejected') throw result.reason as Error;
    return (done as PromiseFulfilledResult<pg.QueryResult>).value;
  }
}

/**
 * The connections of a process: those of the service, and beside them, once a tenant's statement comes (`asTenant`), those
 * on which row-level security holds. Statements of one kind never run on a connection of the other.
 */
export class ScopedPool extends LosablePool {
  private tenants: TenantPool | null = null;

  constructor(private readonly config: pg.PoolConfig) {
    super(config);
  }

  /** Takes what Prisma's adapter sends: a configuration, answered by a promise. */
  override query(config: unknown): never {
    // Read before any wait: a connection that becomes free is handed over in the context of whoever gave it back.
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
