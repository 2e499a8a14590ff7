import { Prisma, type Database } from '../client.js';
import type { AuditEntry } from '../generated/client.js';
import { pageByTime, type PageRequest } from '../page.js';

export type { AuditEntry };

export interface NewAuditEntry {
  /** ID of an API key, or `operator`. */
  actor: string;
  byToken?: boolean;
  /** Operation of the API or of the operator. */
  action: string;
  /** IDs joined by `/`. */
  resource: string;
  outcome: 'done' | 'denied';
  requestId?: string;
}

/**
 * Audit log: who did what, when, to which resource. Entries are only added, and deleted with their tenant.
 */
export class AuditRepository {
  constructor(private readonly db: Database) {}

  /** @param tenantId null for an entry that outlives its tenant */
  async add(tenantId: string | null, entry: NewAuditEntry): Promise<void> {
    const { actor, byToken = false, action, resource, outcome, requestId = null } = entry;
    await this.db.$statement(Prisma.sql`
      /* add audit entry */ INSERT INTO audit_log (tenant_id, actor, by_token, action, resource, outcome, request_id)
      VALUES (${tenantId}, ${actor}, ${byToken}, ${action}, ${resource}, ${outcome}, ${requestId})`);
  }

  /** Returns a page of entries, newest first. */
  page(tenantId: string, request: PageRequest): Promise<AuditEntry[]> {
    const { where, ...page } = pageByTime(request, 'desc');
    return this.db.auditEntry.findMany({ where: { tenantId, ...where }, ...page });
  }
}
