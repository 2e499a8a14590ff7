import type { Scope } from '#contracts/api/access-schemas.js';
import { newId } from '#contracts/ids.js';
import { Prisma, type Database } from '../client.js';
import { hashOf, inSeconds, newSecret } from '../secrets.js';

type Kind = 'code' | 'refresh';

/** Access that a person gave a client. */
export interface OAuthGrant {
  /** Shared by the code and all refresh tokens that follow from it. */
  grantId: string;
  tenantId: string;
  /** Key with which the person signed in; the grant ends with it. */
  apiKeyId: string;
  clientId: string;
  scopes: Scope[];
}

/** What the client has to repeat to redeem its code; null for a refresh token. */
interface CodeProof {
  redirectUri: string | null;
  /** S256 challenge of PKCE (RFC 7636). */
  challenge: string | null;
}

type UsedSecret = OAuthGrant & CodeProof & { keyScopes: Scope[] };

/** Seconds in which a client may repeat a refresh whose response it lost. */
const RETRY_SECONDS = 30;

/** Condition for a secret `s` that was used before, other than by such a repetition. */
const IS_REUSED = Prisma.sql`(s.used_at IS NOT NULL
  AND (s.kind = 'code' OR s.used_at <= now() - make_interval(secs => ${RETRY_SECONDS}::float8)))`;

/** Codes and refresh tokens of OAuth clients. Only hashes of secrets are stored. */
export class OAuthSecretRepository {
  constructor(private readonly db: Database) {}

  /** Returns a new code, whose exchange needs the proof. */
  async issueCode(
    { tenantId, ...grant }: Omit<OAuthGrant, 'grantId'>,
    proof: CodeProof,
    seconds: number,
  ): Promise<string> {
    await this.db.oAuthSecret.deleteMany({ where: { tenantId, expiresAt: { lt: new Date() } } });
    return issue(this.db, 'code', { tenantId, grantId: newId('grt'), ...grant, ...proof }, seconds);
  }

  /**
   * Uses up a code or refresh token and returns its grant, with the scopes that its API key still has, and a new refresh
   * token; null if it is unknown, expired or used, or if the key has ended or its tenant is suspended. A second use ends
   * the grant, because one of the two users has stolen it; but a client that lost the response may repeat a refresh.
   *
   * @param isProved returns whether the client may use it
   * @param seconds lifetime of the new token
   */
  async exchange(
    kind: Kind,
    secret: string,
    isProved: (grant: OAuthGrant & CodeProof) => boolean,
    seconds: number,
  ): Promise<{ grant: OAuthGrant; refreshToken: string } | null> {
    const id = hashOf(secret);
    // In one transaction: a concurrent second use waits for it, and then finds the new token to delete.
    const used = await this.db.$transaction(async (tx) => {
      const [row] = await tx.$queryRaw<UsedSecret[]>`
        /* use oauth secret */ UPDATE oauth_secrets s SET used_at = coalesce(s.used_at, now())
        FROM api_keys k JOIN tenants t ON t.id = k.tenant_id
        WHERE s.id = ${id} AND s.kind = ${kind} AND s.expires_at > now() AND NOT ${IS_REUSED}
          AND k.id = s.api_key_id AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > now())
          AND t.suspended_at IS NULL
        RETURNING s.tenant_id AS "tenantId", s.grant_id AS "grantId", s.api_key_id AS "apiKeyId",
          s.client_id AS "clientId", s.redirect_uri AS "redirectUri", s.challenge, s.scopes, k.scopes AS "keyScopes"`;
      if (!row) return null;
      const { redirectUri, challenge, keyScopes, ...grant } = row;
      if (!isProved({ ...grant, redirectUri, challenge })) return { grant, refreshToken: null };
      const refreshToken = await issue(tx, 'refresh', grant, seconds);
      return {
        grant: { ...grant, scopes: grant.scopes.filter((it) => keyScopes.includes(it)) },
        refreshToken,
      };
    });
    if (used === null)
      await this.db.$executeRaw`
        /* end oauth grant */ DELETE FROM oauth_secrets g USING oauth_secrets s
        WHERE s.id = ${id} AND ${IS_REUSED} AND g.tenant_id = s.tenant_id AND g.grant_id = s.grant_id`;
    return used && used.refreshToken !== null ? { ...used, refreshToken: used.refreshToken } : null;
  }

  /** Ends the grant of a secret, with all codes and refresh tokens; an unknown secret is ignored. */
  async revoke(secret: string): Promise<void> {
    const row = await this.db.oAuthSecret.findFirst({ where: { id: hashOf(secret) } });
    if (!row) return;
    const { tenantId, grantId } = row;
    await this.db.oAuthSecret.deleteMany({ where: { tenantId, grantId } });
  }
}

async function issue(
  db: Pick<Database, 'oAuthSecret'>,
  kind: Kind,
  grant: OAuthGrant & Partial<CodeProof>,
  seconds: number,
): Promise<string> {
  const secret = `${kind === 'code' ? 'soc' : 'sor'}_${newSecret()}`;
  const data = { id: hashOf(secret), kind, ...grant, expiresAt: inSeconds(seconds) };
  await db.oAuthSecret.create({ data });
  return secret;
}
