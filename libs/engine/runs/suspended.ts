import { Prisma } from '#db/client.js';

/** Returns the condition that a tenant is not suspended: runs of a suspended tenant stop, and wait. */
export function notSuspended(tenantId: Prisma.Sql | string): Prisma.Sql {
  return Prisma.sql`NOT EXISTS (SELECT 1 FROM tenants WHERE tenants.id = ${tenantId} AND tenants.suspended_at IS NOT NULL)`;
}
