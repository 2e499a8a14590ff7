import { Prisma, type Database } from '#db/client.js';

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
