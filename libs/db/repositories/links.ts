import { newId } from '#contracts/ids.js';
import { type Database, Prisma } from '../client.js';
import type { Link } from '../generated/client.js';
import { lockTenant } from '../lock-tenant.js';
import { hashOf, newSecret } from '../secrets.js';

export type { Link };

/** Maximum number of links of a session that have not ended. */
export const MAX_LINKS = 50;

type NewLink = Pick<Link, 'sessionId' | 'apiKeyId' | 'expiresAt'> &
  Partial<Pick<Link, 'kind' | 'name' | 'exportId' | 'decisionId'>>;

/** What an open link leads to. */
export type OpenLink = Pick<
  Link,
  'id' | 'tenantId' | 'sessionId' | 'kind' | 'name' | 'exportId' | 'decisionId' | 'expiresAt'
>;

/** Links that open one result or one decision without an account. Only hashes of secrets are stored. */
export class LinkRepository {
  constructor(private readonly db: Database) {}

  /** Adds a link and returns it with its secret; null if the session has too many. Removes those that have ended. */
  add(tenantId: string, link: NewLink): Promise<{ link: Link; secret: string } | null> {
    return this.db.$transaction(async (tx) => {
      await lockTenant(tx, tenantId);
      await tx.link.deleteMany({ where: { tenantId, expiresAt: { lt: new Date() } } });
      const count = await tx.link.count({ where: { tenantId, sessionId: link.sessionId } });
      if (count >= MAX_LINKS) return null;
      const secret = newSecret();
      const data = { id: newId('lnk'), tenantId, secretHash: hashOf(secret), ...link };
      return { link: await tx.link.create({ data }), secret };
    });
  }

  /** Returns the links to results of a session that have not ended, newest first. */
  listShares(tenantId: string, sessionId: string): Promise<Link[]> {
    const where = { tenantId, sessionId, decisionId: null, expiresAt: { gt: new Date() } };
    return this.db.link.findMany({ where, orderBy: [{ createdAt: 'desc' }, { id: 'desc' }] });
  }

  /** Ends a link to a result. @returns false if there is none */
  async removeShare(tenantId: string, sessionId: string, id: string): Promise<boolean> {
    const { count } = await this.db.link.deleteMany({ where: { tenantId, sessionId, id, decisionId: null } });
    return count > 0;
  }

  /**
   * Finds the link of a secret, of any tenant; null if it is unknown or has ended, if its key has ended, its tenant is
   * suspended, or its decision no longer waits.
   */
  async open(secret: string): Promise<OpenLink | null> {
    const [link] = await this.db.$statement<OpenLink>(Prisma.sql`
      /* open link */ SELECT l.id, l.tenant_id AS "tenantId", l.session_id AS "sessionId", l.kind, l.name,
        l.export_id AS "exportId", l.decision_id AS "decisionId", l.expires_at AS "expiresAt"
      FROM links l JOIN tenants t ON t.id = l.tenant_id JOIN api_keys k ON k.id = l.api_key_id
        LEFT JOIN tasks d ON d.id = l.decision_id
      WHERE l.secret_hash = ${hashOf(secret)} AND l.expires_at > now() AND t.suspended_at IS NULL
        AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > now())
        AND (l.decision_id IS NULL OR d.status = 'pending')`);
    return link ?? null;
  }
}
