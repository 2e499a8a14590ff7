import { type Database, Prisma } from '#db/client.js';
import type { ToolSecret } from '#db/generated/client.js';
import { lockTenant } from '#db/lock-tenant.js';
import { MAX_SECRETS } from '../contract/secret-schemas.js';

/** Hosts that plans made by a model may read without approval. */
export class PlanHostsRepository {
  constructor(private readonly db: Database) {}

  /** Returns the hosts that the tenant listed. */
  async list(tenantId: string): Promise<string[]> {
    const row = await this.db.planHosts.findFirst({ where: { tenantId } });
    return row?.hosts ?? [];
  }

  async replace(tenantId: string, hosts: string[]): Promise<void> {
    await this.db.$executeRaw`
      /* replace plan hosts */ INSERT INTO plan_hosts (tenant_id, hosts) VALUES (${tenantId}, ${hosts})
      ON CONFLICT (tenant_id) DO UPDATE SET hosts = EXCLUDED.hosts`;
  }

  /** Returns the listed hosts, and those of the tenant's secrets. */
  async allowed(tenantId: string): Promise<ReadonlySet<string>> {
    const rows = await this.db.$statement<{ host: string }>(Prisma.sql`
      /* allowed hosts */ SELECT unnest(hosts) AS host FROM plan_hosts WHERE tenant_id = ${tenantId}
      UNION SELECT unnest(hosts) FROM tool_secrets WHERE tenant_id = ${tenantId}`);
    return new Set(rows.map(({ host }) => host));
  }
}

export type { ToolSecret };

/** A new secret with its sealed value. */
type NewSecretRow = Pick<ToolSecret, 'id' | 'name' | 'hosts' | 'secret'>;
type SecretRowChange = Partial<Pick<ToolSecret, 'hosts' | 'secret'>>;

/** Secrets of tenants that HTTP requests of plans use. */
export class SecretRepository {
  constructor(private readonly db: Database) {}

  /** @returns the new row, or the reason why the secret cannot be added */
  add(tenantId: string, secret: NewSecretRow): Promise<ToolSecret | 'too_many' | 'exists'> {
    return this.db.$transaction(async (tx) => {
      await lockTenant(tx, tenantId);
      if ((await tx.toolSecret.count({ where: { tenantId } })) >= MAX_SECRETS) return 'too_many';
      if ((await tx.toolSecret.count({ where: { tenantId, name: secret.name } })) > 0) return 'exists';
      return tx.toolSecret.create({ data: { tenantId, ...secret } });
    });
  }

  list(tenantId: string): Promise<ToolSecret[]> {
    return this.db.toolSecret.findMany({
      where: { tenantId },
      orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    });
  }

  find(tenantId: string, id: string): Promise<ToolSecret | null> {
    return this.db.toolSecret.findFirst({ where: { tenantId, id } });
  }

  /** Returns the existing secrets among the given names. */
  named(tenantId: string, names: readonly string[]): Promise<ToolSecret[]> {
    return this.db.toolSecret.findMany({ where: { tenantId, name: { in: [...names] } } });
  }

  /**
   * Changes a secret.
   *
   * @returns false if it does not exist, or if its value stays and the hosts include one that it does not have
   */
  async change(tenantId: string, id: string, change: SecretRowChange): Promise<boolean> {
    const { hosts, secret } = change;
    if (hosts === undefined || secret !== undefined) {
      const { count } = await this.db.toolSecret.updateMany({ where: { tenantId, id }, data: change });
      return count === 1;
    }
    const changed = await this.db.$executeRaw`
      /* reduce hosts of secret */ UPDATE tool_secrets SET hosts = ${hosts}
      WHERE id = ${id} AND tenant_id = ${tenantId} AND hosts @> ${hosts}::text[]`;
    return changed === 1;
  }

  async remove(tenantId: string, id: string): Promise<boolean> {
    return (await this.db.toolSecret.deleteMany({ where: { tenantId, id } })).count === 1;
  }
}
