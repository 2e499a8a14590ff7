import type { Database } from '../client.js';
import { hashOf, inSeconds, newSecret } from '../secrets.js';
import { asService } from '../tenant-scope.js';
import { ApiKeyRepository, type Caller } from './api-keys.js';

/** A new secret; it cannot be read again later. */
export interface IssuedSecret {
  secret: string;
  expiresAt: Date;
}

const LINK_PREFIX = 'sil_';

/** Returns whether a credential is the secret of a sign-in link. */
export const isLinkSecret = (credential: string) => credential.startsWith(LINK_PREFIX);

/**
 * Browser sessions signed in with an API key, and one-time sign-in links. Only hashes of secrets are stored.
 */
export class WebSessionRepository {
  private readonly keys: ApiKeyRepository;

  constructor(private readonly db: Database) {
    this.keys = new ApiKeyRepository(db);
  }

  /** Signs a browser in; the secret is always new, regardless of what the browser sent before. */
  async open(tenantId: string, apiKeyId: string, seconds: number): Promise<IssuedSecret> {
    const secret = newSecret();
    const expiresAt = inSeconds(seconds);
    await this.db.webSession.deleteMany({ where: { tenantId, expiresAt: { lt: new Date() } } });
    await this.db.webSession.create({ data: { id: hashOf(secret), tenantId, apiKeyId, expiresAt } });
    return { secret, expiresAt };
  }

  /**
   * Returns the caller of a session, if the session and its key are active; `tokenExpiresAt` is the session's
   * end.
   */
  async authenticate(secret: string): Promise<Caller | null> {
    const session = await this.db.webSession.findFirst({
      where: { id: hashOf(secret), expiresAt: { gt: new Date() } },
    });
    const caller = session && (await this.keys.callerOfKey(session.apiKeyId));
    return caller && { ...caller, tokenExpiresAt: session.expiresAt };
  }

  /** Ends a session of any tenant: the secret proves that the browser has it. */
  async end(secret: string): Promise<void> {
    await asService(() => this.db.webSession.deleteMany({ where: { id: hashOf(secret) } }));
  }

  /** Returns the secret of a new sign-in link for an active key. */
  async createLink(tenantId: string, apiKeyId: string, seconds: number): Promise<IssuedSecret> {
    const secret = LINK_PREFIX + newSecret();
    const expiresAt = inSeconds(seconds);
    await this.db.signInLink.deleteMany({ where: { tenantId, expiresAt: { lt: new Date() } } });
    await this.db.signInLink.create({ data: { id: hashOf(secret), tenantId, apiKeyId, expiresAt } });
    return { secret, expiresAt };
  }

  /**
   * Returns the caller whose key made the link; null if the link is unknown, used or expired, or its key has
   * ended.
   */
  async redeemLink(secret: string): Promise<Caller | null> {
    // One statement: if two browsers open the link concurrently, only one is signed in.
    const [used] = await this.db.$queryRaw<{ api_key_id: string }[]>`
      /* redeem link */ DELETE FROM sign_in_links WHERE id = ${hashOf(secret)} AND expires_at > now() RETURNING api_key_id`;
    return used ? this.keys.callerOfKey(used.api_key_id) : null;
  }
}
