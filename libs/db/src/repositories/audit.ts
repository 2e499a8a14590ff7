import type { Database } from '../client.js';
import type { AuditEntry } from '../generated/client.js';

export type { AuditEntry };

export interface NewAuditEntry {
  /** An API key's id, or `operator`. */
  actor: string;
  byToken?: boolean;
  /** An operation of the API, or one of the operator's. */
  action: string;
  /** Ids joined by `/`. */
  resource: string;
  outcome: 'done' | 'denied';
  requestId?: string;
}

/** Who did what, when, to which resource. Entries are only ever added; they go with their tenant. */
export class AuditRepository {
  constructor(private readonly db: Database) {}

  /** @param tenantId null for what outlives its tenant */
  async add(tenantId: string | null, entry: NewAuditEntry): Promise<void> {
    await this.db.auditEntry.create({ data: { tenantId, ...entry } });
  }

  /** Newest first. @param before the id of the last entry seen */
  list(tenantId: string, limit: number, before?: number): Promise<AuditEntry[]> {
    return this.db.auditEntry.findMany({
      where: { tenantId, ...(before === undefined ? {} : { id: { lt: before } }) },
      orderBy: { id: 'desc' },
      take: limit,
    });
  }
}
