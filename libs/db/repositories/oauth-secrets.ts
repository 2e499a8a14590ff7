import type { Scope } from '#contracts/api/access-schemas.js';
import { newId } from '#contracts/ids.js';
import { createHash, randomBytes } from 'node:crypto';
import type { Database } from '../client.js';

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

/** What the client has to repeat to redeem its code. */
interface CodeProof {
  redirectUri: string;
  /** S256 challenge of PKCE (RFC 7636). */
  challenge: string;
}

const hashOf = (secret: string) => createHash('sha256').update(secret).digest('hex');

/** Codes and refresh tokens of OAuth clients. Only hashes of secrets are stored, and each is valid once. */
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
   * Uses up a code or refresh token and returns its grant with a new refresh token; null if it is unknown, expired
   * or used. A second use ends the grant, because one of the two users has stolen it.
   *
   * @param isProved returns whether the client may use it
   * @param seconds lifetime of the new token
   */
  async exchange(
    kind: Kind,
    secret: string,
    isProved: (grant: OAuthGrant & Partial<CodeProof>) => boolean,
    seconds: number,
  ): Promise<{ grant: OAuthGrant; refreshToken: string } | null> {
    // In one transaction: a concurrent second use waits for it, and then finds the new token to delete.
    const used = await this.db.$transaction(async (tx) => {
      const [row] = await tx.oAuthSecret.updateManyAndReturn({
        where: { id: hashOf(secret), kind, usedAt: null, expiresAt: { gt: new Date() } },
        data: { usedAt: new Date() },
      });
      if (!row) return null;
      const { redirectUri, challenge, grantId, tenantId, apiKeyId, clientId } = row;
      const grant = { grantId, tenantId, apiKeyId, clientId, scopes: row.scopes as Scope[] };
      const proof = redirectUri === null || challenge === null ? {} : { redirectUri, challenge };
      if (!isProved({ ...grant, ...proof })) return { grant, refreshToken: null };
      return { grant, refreshToken: await issue(tx, 'refresh', grant, seconds) };
    });
    if (used === null) await this.revoke(secret);
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
  const secret = `${kind === 'code' ? 'soc' : 'sor'}_${randomBytes(32).toString('base64url')}`;
  const expiresAt = new Date(Date.now() + seconds * 1_000);
  await db.oAuthSecret.create({ data: { id: hashOf(secret), kind, ...grant, expiresAt } });
  return secret;
}
