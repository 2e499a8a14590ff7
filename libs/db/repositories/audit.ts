import { Prisma, type Database } from '../client.js';
import type { AuditEntry } from '../generated/client.js';
import { pageByTime, type PageRequest } from '../page.js';
import { pendingAudit } from '../tenant-scope.js';

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

const INTO_AUDIT_LOG = Prisma.sql`
  INSERT INTO audit_log (tenant_id, actor, by_token, action, resource, outcome, request_id)`;

/**
 * Returns a CTE, with a comma before it, for the one statement that performs a request: it adds the request's entry to the
 * audit log. Empty if the current work is not this request. Call `markAudited` when the request has taken effect.
 *
 * @param action operation of the API
 * @param resource its ID
 * @param row name of the statement's CTE that has one row with a `tenant_id` if the request takes effect, else none
 */
export function auditCte(action: string, resource: string, row: Prisma.Sql): Prisma.Sql {
  const audit = pendingAudit();
  if (audit?.action !== action) return Prisma.empty;
  const { actor, byToken, requestId } = audit;
  return Prisma.sql`,
    audit_entry AS (${INTO_AUDIT_LOG}
      SELECT tenant_id, ${actor}, ${byToken}, ${action}, ${resource}, 'done', ${requestId} FROM ${row})`;
}

/** Records that the request's entry is in the audit log, if the current work is this request. */
export function markAudited(action: string): void {
  const audit = pendingAudit();
  if (audit?.action === action) audit.isWritten = true;
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
      /* add audit entry */ ${INTO_AUDIT_LOG}
      VALUES (${tenantId}, ${actor}, ${byToken}, ${action}, ${resource}, ${outcome}, ${requestId})`);
  }

  /** Returns a page of entries, newest first. */
  page(tenantId: string, request: PageRequest): Promise<AuditEntry[]> {
    const { where, ...page } = pageByTime(request, 'desc');
    return this.db.auditEntry.findMany({ where: { tenantId, ...where }, ...page });
  }

  /**
   * Returns the names of keys, sessions, runs, decisions and other resources that still exist, by ID. A session
   * without a title has the title of its last run, or else the name of a file; so has a run.
   */
  async names(tenantId: string, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const rows = await this.db.$statement<{ id: string; name: string }>(Prisma.sql`
      /* names of audited resources */ WITH wanted AS (SELECT unnest(${[...ids]}::text[]) AS id)
      SELECT r.id, r.name FROM wanted JOIN (
        SELECT id, name FROM api_keys WHERE tenant_id = ${tenantId}
        UNION ALL SELECT s.id, coalesce(
            s.title,
            (SELECT summary->'details'->>'title' FROM runs
              WHERE session_id = s.id ORDER BY created_at DESC LIMIT 1),
            (SELECT min(name) FROM session_files WHERE session_id = s.id AND folder = 'inputs'))
          FROM sessions s WHERE s.tenant_id = ${tenantId} AND s.id IN (SELECT id FROM wanted)
        UNION ALL SELECT runs.id, coalesce(
            s.title,
            runs.summary->'details'->>'title',
            (SELECT min(name) FROM session_files WHERE session_id = s.id AND folder = 'inputs'))
          FROM runs JOIN sessions s ON s.id = runs.session_id
          WHERE runs.tenant_id = ${tenantId} AND runs.id IN (SELECT id FROM wanted)
        UNION ALL SELECT t.id, coalesce(s.title, runs.summary->'details'->>'title')
          FROM tasks t JOIN runs ON runs.id = t.run_id JOIN sessions s ON s.id = runs.session_id
          WHERE t.tenant_id = ${tenantId}
        UNION ALL SELECT id, name FROM knowledge_collections WHERE tenant_id = ${tenantId}
        UNION ALL SELECT id, title FROM book_projects WHERE tenant_id = ${tenantId}
        UNION ALL SELECT id, name FROM mcp_servers WHERE tenant_id = ${tenantId}
        UNION ALL SELECT id, url FROM webhooks WHERE tenant_id = ${tenantId}
      ) r ON r.id = wanted.id WHERE r.name IS NOT NULL`);
    return new Map(rows.map(({ id, name }) => [id, name]));
  }
}
