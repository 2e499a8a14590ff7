import { newId } from '#contracts/ids.js';
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Database } from '../client.js';

/** Who calls: found by an API key. */
export interface Caller {
  tenantId: string;
  apiKeyId: string;
}

const hashOf = (secret: string) => createHash('sha256').update(secret).digest('hex');
/** Minutes between two writes of a key's last use. */
const LAST_USE_MINUTES = 1;

/** Tenants and their API keys. A key is `scr_{prefix}_{secret}`; only the hash of the secret is stored. */
export class TenantRepository {
  constructor(private readonly db: Database) {}

  async create(name: string): Promise<string> {
    const { id } = await this.db.tenant.create({ data: { id: newId('ten'), name } });
    return id;
  }

  count(): Promise<number> {
    return this.db.tenant.count();
  }

  /** Makes an API key. This is the only time that it can be seen. */
  async createApiKey(tenantId: string, name: string): Promise<string> {
    const prefix = randomBytes(6).toString('hex');
    const secret = randomBytes(32).toString('base64url');
    await this.db.apiKey.create({ data: { id: newId('key'), tenantId, prefix, hash: hashOf(secret), name } });
    return `scr_${prefix}_${secret}`;
  }

  /** The caller that an API key belongs to, or null when it is malformed, unknown or revoked. */
  async authenticate(key: string): Promise<Caller | null> {
    const match = /^scr_([0-9a-f]{12})_([A-Za-z0-9_-]{43})$/.exec(key);
    if (!match) return null;
    const row = await this.db.apiKey.findUnique({ where: { prefix: match[1]! } });
    if (!row || row.revokedAt !== null) return null;
    if (!timingSafeEqual(Buffer.from(row.hash), Buffer.from(hashOf(match[2]!)))) return null;
    const stale =
      row.lastUsedAt === null || Date.now() - row.lastUsedAt.getTime() > LAST_USE_MINUTES * 60_000;
    if (stale) await this.db.apiKey.updateMany({ where: { id: row.id }, data: { lastUsedAt: new Date() } });
    return { tenantId: row.tenantId, apiKeyId: row.id };
  }
}
