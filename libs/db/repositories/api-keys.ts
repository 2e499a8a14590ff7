import {
  scopes as allScopes,
  type Scope,
  type TokenAudience,
  scopes,
} from '#contracts/api/access-schemas.js';
import { ProblemError } from '#contracts/errors.js';
import { phrase } from '#contracts/phrases/phrase.js';
import { newId } from '#contracts/ids.js';
import { createSecret, hasSecret, prefixOf } from '../secrets.js';
import { noop, Prisma, type BeforeCommit, type Database } from '../client.js';
import type { ApiKey, Tenant } from '../generated/client.js';
import { lockTenant } from '../lock-tenant.js';
import { pageByTime, type PageRequest } from '../page.js';
import type { KeptKeys } from './kept-keys.js';
import { createHmac, timingSafeEqual } from 'node:crypto';

/** Claims of an access token; trust them only after the signature was checked. */
interface TokenClaims {
  apiKeyId: string;
  scopes: Scope[];
  /** Unix time in seconds. */
  expiresAt: number;
  audience: TokenAudience;
}

const PATTERN = /^sct_([A-Za-z0-9_-]{1,300})\.([A-Za-z0-9_-]{43})$/;

/**
 * Signs with a key derived from the API key's hash, so that a token ends with its API key, and from the
 * operator's optional secret, which is not in the database.
 */
const signatureOf = (payload: string, keyHash: string, secret: string) =>
  createHmac('sha256', createHmac('sha256', keyHash).update(`access token\0${secret}`).digest())
    .update(payload)
    .digest();

/** Returns a token `sct_{claims}.{signature}`. */
function signToken(claims: TokenClaims, keyHash: string, secret = ''): string {
  const fields = {
    k: claims.apiKeyId,
    s: claims.scopes.map((scope) => scopes.indexOf(scope)),
    e: claims.expiresAt,
    ...(claims.audience === 'api' ? {} : { a: claims.audience }),
  };
  const payload = Buffer.from(JSON.stringify(fields)).toString('base64url');
  return `sct_${payload}.${signatureOf(payload, keyHash, secret).toString('base64url')}`;
}

/** Parses the claims of a token without checking the signature; null if malformed. */
function readToken(token: string): TokenClaims | null {
  const payload = PATTERN.exec(token)?.[1];
  if (payload === undefined) return null;
  try {
    const {
      k,
      s,
      e,
      a = 'api',
    } = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8')) as Record<string, unknown>;
    if (typeof k !== 'string' || !Array.isArray(s) || typeof e !== 'number') return null;
    if (a !== 'api' && a !== 'mcp') return null;
    return { apiKeyId: k, scopes: scopes.filter((_, index) => s.includes(index)), expiresAt: e, audience: a };
  } catch {
    return null;
  }
}

/** Returns whether a token's signature matches its claims. */
function isSigned(token: string, keyHash: string, secret = ''): boolean {
  const match = PATTERN.exec(token);
  if (!match) return false;
  const given = Buffer.from(match[2]!, 'base64url');
  const expected = signatureOf(match[1]!, keyHash, secret);
  return given.length === expected.length && timingSafeEqual(given, expected);
}

export type { ApiKey };

/** The authenticated caller, identified by an API key or by a token made with one. */
export interface Caller {
  tenantId: string;
  apiKeyId: string;
  apiKeyName: string;
  /** Scopes of the key or the token. */
  scopes: readonly Scope[];
  /** Expiry of the token that was sent instead of the key; null for a key. */
  tokenExpiresAt: Date | null;
  /** The API that accepts the token; null for a key, which all accept. */
  tokenAudience: TokenAudience | null;
  isSuspended: boolean;
  /** The tenant's own limit; null means the gateway's setting. */
  requestsPerMinute: number | null;
}

export interface NewApiKey {
  name: string;
  scopes?: readonly Scope[];
  expiresAt?: Date | null;
}

export interface WantedToken {
  scopes: Scope[];
  /** Lifetime in seconds. */
  seconds: number;
  audience: TokenAudience;
}

/** A new key; its secret cannot be read again later. */
export interface CreatedApiKey {
  row: ApiKey;
  key: string;
}

/** Minimum minutes between two writes of a key's last use. */
const LAST_USE_MINUTES = 1;

/** Maximum active keys of a tenant. */
const MAX_KEYS = 100;

/** The columns of a key and its tenant that every request needs. */
export type KeyOfTenant = Pick<
  ApiKey,
  'id' | 'tenantId' | 'hash' | 'name' | 'scopes' | 'lastUsedAt' | 'revokedAt' | 'expiresAt'
> &
  Pick<Tenant, 'suspendedAt' | 'requestsPerMinute'>;

const isActive = (row: Pick<ApiKey, 'revokedAt' | 'expiresAt'>, now = Date.now()) =>
  row.revokedAt === null && (row.expiresAt === null || row.expiresAt.getTime() > now);

/** API keys of tenants. A key is `scr_{prefix}_{secret}`; only the hash of the secret is stored. */
export class ApiKeyRepository {
  /** @param kept rows of keys that the process keeps; by default, each is read when it is needed */
  constructor(
    private readonly db: Database,
    private readonly kept: KeptKeys<KeyOfTenant> | null = null,
  ) {}

  /** Call it after a change of a tenant's access, so that it takes effect before the response. */
  forgetKept(): void {
    this.kept?.forget();
  }

  /**
   * Creates a key; without `scopes` it has all of them.
   *
   * @throws ProblemError `too_many_keys`
   */
  create(
    tenantId: string,
    key: NewApiKey,
    beforeCommit: BeforeCommit<CreatedApiKey> = noop,
  ): Promise<CreatedApiKey> {
    return this.db.$transaction(async (tx) => {
      await lockTenant(tx, tenantId);
      await requireRoom(tx, tenantId);
      const created = await insertKey(tx, tenantId, key);
      await beforeCommit(tx, created);
      return created;
    });
  }

  /** Returns the name of a key, even if it has ended; null if the tenant has no such key. */
  async nameOf(tenantId: string, keyId: string): Promise<string | null> {
    const key = await this.db.apiKey.findFirst({ where: { id: keyId, tenantId }, select: { name: true } });
    return key?.name ?? null;
  }

  /** Returns a page of keys, newest first. */
  page(tenantId: string, request: PageRequest): Promise<ApiKey[]> {
    const { where, ...page } = pageByTime(request, 'desc');
    return this.db.apiKey.findMany({ where: { tenantId, ...where }, ...page });
  }

  /**
   * Creates a successor with the name, scopes and lifetime of an active key, which then ends immediately or
   * after the grace period.
   *
   * @param check throws if the caller may not grant these scopes
   * @returns null if the tenant has no such active key
   * @throws ProblemError `too_many_keys`
   */
  async rotate(
    tenantId: string,
    keyId: string,
    graceSeconds: number,
    check: (scopes: readonly Scope[]) => void,
    beforeCommit: BeforeCommit<CreatedApiKey> = noop,
  ): Promise<CreatedApiKey | null> {
    const rotated = await this.db.$transaction(async (tx) => {
      // A concurrent rotation waits for the lock, then sees the result of the first one.
      await lockTenant(tx, tenantId);
      const old = await tx.apiKey.findFirst({ where: { id: keyId, tenantId } });
      if (!old || !isActive(old)) return null;
      check(old.scopes as Scope[]);
      if (graceSeconds > 0) await requireRoom(tx, tenantId);
      const life = old.expiresAt && old.expiresAt.getTime() - old.createdAt.getTime();
      const created = await insertKey(tx, tenantId, {
        name: old.name,
        scopes: old.scopes as Scope[],
        expiresAt: life === null ? null : new Date(Date.now() + life),
      });
      const end = new Date(Date.now() + graceSeconds * 1_000);
      const isSooner = old.expiresAt === null || end < old.expiresAt;
      await tx.apiKey.updateMany({
        where: { id: keyId, tenantId },
        data: graceSeconds === 0 ? { revokedAt: end } : isSooner ? { expiresAt: end } : {},
      });
      await beforeCommit(tx, created);
      return created;
    });
    this.forgetKept();
    return rotated;
  }

  /**
   * Revokes a key; `last_admin` if no other key without expiry has the scope admin, because then keys could
   * not be created.
   */
  async revoke(tenantId: string, keyId: string): Promise<'revoked' | 'unknown' | 'last_admin'> {
    const outcome = await this.db.$transaction(async (tx) => {
      // Allow one revocation at a time, so that two admins cannot revoke each other.
      await lockTenant(tx, tenantId);
      const keys = await tx.apiKey.findMany({ where: { tenantId, revokedAt: null } });
      const key = keys.find(({ id }) => id === keyId);
      if (!key)
        return (await tx.apiKey.count({ where: { id: keyId, tenantId } })) > 0 ? 'revoked' : 'unknown';
      const isAdmin = (row: ApiKey) => row.scopes.includes('admin') && isActive(row);
      const others = keys.filter((row) => row.id !== keyId && isAdmin(row) && row.expiresAt === null);
      if (isAdmin(key) && others.length === 0) return 'last_admin';
      await tx.apiKey.update({ where: { id: keyId }, data: { revokedAt: new Date() } });
      return 'revoked';
    });
    this.forgetKept();
    return outcome;
  }

  /**
   * Returns a token of an active key.
   *
   * @param secret the gateway's TOKEN_SECRET
   * @returns null if the key has ended
   */
  async issueToken(
    keyId: string,
    { scopes, seconds, audience }: WantedToken,
    secret?: string,
  ): Promise<string | null> {
    const row = await this.db.apiKey.findFirst({ where: { id: keyId } });
    if (!row || !isActive(row)) return null;
    const expiresAt = Math.floor(Date.now() / 1_000) + seconds;
    return signToken({ apiKeyId: keyId, scopes, expiresAt, audience }, row.hash, secret);
  }

  /** Returns the caller of an API key or a token; null if it is malformed, unknown, expired or revoked. */
  async authenticate(credential: string, secret?: string): Promise<Caller | null> {
    const prefix = prefixOf(credential);
    if (prefix !== undefined) {
      const row = await this.activeKey('prefix', prefix);
      if (!row || !hasSecret(credential, row.hash)) return null;
      return this.callerOf(row, row.scopes as Scope[], null);
    }
    const claims = readToken(credential);
    if (!claims || claims.expiresAt * 1_000 <= Date.now()) return null;
    const row = await this.activeKey('id', claims.apiKeyId);
    if (!row || !isSigned(credential, row.hash, secret)) return null;
    const scopes = claims.scopes.filter((scope) => row.scopes.includes(scope));
    const caller = await this.callerOf(row, scopes, new Date(claims.expiresAt * 1_000));
    return { ...caller, tokenAudience: claims.audience };
  }

  /** Returns the caller of an active key, with all its scopes; null if the key has ended. */
  async callerOfKey(keyId: string): Promise<Caller | null> {
    const row = await this.activeKey('id', keyId);
    return row && this.callerOf(row, row.scopes as Scope[], null);
  }

  /** Returns whether the tenant has an active key with that ID or name. */
  async hasActive(tenantId: string, idOrName: string): Promise<boolean> {
    const rows = await this.db.apiKey.findMany({
      where: { tenantId, revokedAt: null, OR: [{ id: idOrName }, { name: idOrName }] },
    });
    return rows.some((row) => isActive(row));
  }

  /** Returns the given keys that are no longer usable: ended, or of a suspended tenant. */
  async ended(keyIds: string[]): Promise<Set<string>> {
    const rows = await this.db.apiKey.findMany({ where: { id: { in: keyIds } }, include: { tenant: true } });
    const going = new Set(
      rows.filter((row) => isActive(row) && row.tenant.suspendedAt === null).map(({ id }) => id),
    );
    return new Set(keyIds.filter((id) => !going.has(id)));
  }

  /**
   * Reads an active key in one round trip and without Prisma's query engine, because every request does it.
   */
  private async activeKey(by: 'id' | 'prefix', value: string): Promise<KeyOfTenant | null> {
    const read = () =>
      this.readKey(by === 'id' ? Prisma.sql`k.id = ${value}` : Prisma.sql`k.prefix = ${value}`);
    const row = await (this.kept?.get(`${by} ${value}`, read) ?? read());
    return row && isActive(row) ? row : null;
  }

  private async readKey(which: Prisma.Sql): Promise<KeyOfTenant | null> {
    const [row] = await this.db.$statement<KeyOfTenant>(Prisma.sql`
      /* find api key */ SELECT k.id, k.tenant_id AS "tenantId", k.hash, k.name, k.scopes, k.last_used_at AS "lastUsedAt",
        k.revoked_at AS "revokedAt", k.expires_at AS "expiresAt", t.suspended_at AS "suspendedAt",
        t.requests_per_minute AS "requestsPerMinute"
      FROM api_keys k JOIN tenants t ON t.id = k.tenant_id WHERE ${which}`);
    return row ?? null;
  }

  private async callerOf(row: KeyOfTenant, scopes: Scope[], tokenExpiresAt: Date | null): Promise<Caller> {
    const stale =
      row.lastUsedAt === null || Date.now() - row.lastUsedAt.getTime() > LAST_USE_MINUTES * 60_000;
    if (stale) {
      row.lastUsedAt = new Date();
      await this.db.apiKey.updateMany({ where: { id: row.id }, data: { lastUsedAt: row.lastUsedAt } });
    }
    return {
      tenantId: row.tenantId,
      apiKeyId: row.id,
      apiKeyName: row.name,
      scopes,
      tokenExpiresAt,
      tokenAudience: null,
      isSuspended: row.suspendedAt !== null,
      requestsPerMinute: row.requestsPerMinute,
    };
  }
}

/** @throws ProblemError `too_many_keys` if the locked tenant has reached the limit of active keys */
async function requireRoom(tx: Prisma.TransactionClient, tenantId: string): Promise<void> {
  const keys = await tx.apiKey.findMany({ where: { tenantId, revokedAt: null } });
  if (keys.filter((row) => isActive(row)).length < MAX_KEYS) return;
  throw new ProblemError('too_many_keys', phrase('too_many_keys.max', { max: MAX_KEYS }));
}

async function insertKey(
  tx: Prisma.TransactionClient,
  tenantId: string,
  { name, scopes, expiresAt }: NewApiKey,
): Promise<CreatedApiKey> {
  const { key, prefix, hash } = createSecret();
  const row = await tx.apiKey.create({
    data: {
      id: newId('key'),
      tenantId,
      prefix,
      hash,
      name,
      scopes: [...new Set(scopes ?? allScopes)],
      expiresAt: expiresAt ?? null,
    },
  });
  return { row, key };
}
