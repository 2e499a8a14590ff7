import type { GatewaySettings } from '#config/settings.js';
import { scopes, type Scope, apiKeySchema, auditEntrySchema } from '#contracts/api/access-schemas.js';
import { ProblemError } from '#contracts/errors.js';
import { phrase } from '#contracts/phrases/phrase.js';
import type { BeforeCommit } from '#db/client.js';
import type { PageRequest } from '#db/page.js';
import {
  ApiKeyRepository,
  type ApiKey,
  type Caller,
  type CreatedApiKey,
  type NewApiKey,
  type WantedToken,
} from '#db/repositories/api-keys.js';
import { SETTINGS } from '#kit/runtime/infrastructure.module.js';
import { Inject, Injectable } from '@nestjs/common';
import type { AuditEntry } from '#db/repositories/audit.js';
import { view } from '../http/view.js';
import { firstResource } from '../http/audit.service.js';

/** Returns the API view of a key, without its secret or the secret's hash. */
export const keyView = (row: ApiKey) => view(apiKeySchema, row, { prefix: `scr_${row.prefix}` });

export const createdKeyView = ({ row, key }: CreatedApiKey) => ({ ...keyView(row), key });

/** @param names of actors and resources, by ID */
export const auditView = (row: AuditEntry, names: ReadonlyMap<string, string>) =>
  view(auditEntrySchema, row, {
    at: row.createdAt.toISOString(),
    actor_name: names.get(row.actor) ?? null,
    resource_name: names.get(firstResource(row)) ?? null,
    details: row.details as Record<string, unknown> | null,
  });

/** Rejects scopes that the caller lacks. @throws ProblemError `forbidden` */
function requireScopes(caller: Caller, requested: readonly Scope[]): void {
  const missing = requested.filter((scope) => !caller.scopes.includes(scope));
  if (missing.length > 0)
    throw new ProblemError('forbidden', phrase('forbidden.cannot_grant', { scopes: missing.join(', ') }));
}

/** API keys of a tenant, and short-lived tokens made with them. */
@Injectable()
export class KeysService {
  constructor(
    @Inject(SETTINGS) private readonly settings: GatewaySettings,
    private readonly keys: ApiKeyRepository,
  ) {}

  page(tenantId: string, request: PageRequest): Promise<ApiKey[]> {
    return this.keys.page(tenantId, request);
  }

  /**
   * @throws ProblemError `invalid_request` for an end in the past, `forbidden` for a scope that the caller
   *   lacks, `too_many_keys`
   */
  async create(
    caller: Caller,
    key: NewApiKey,
    beforeCommit: BeforeCommit<CreatedApiKey>,
  ): Promise<CreatedApiKey> {
    if (key.expiresAt && key.expiresAt.getTime() <= Date.now()) {
      const errors = [{ path: 'expires_at', message: 'is not in the future' }];
      throw new ProblemError('invalid_request', phrase('invalid_request.expiry'), errors);
    }
    requireScopes(caller, key.scopes ?? scopes);
    return this.keys.create(caller.tenantId, key, beforeCommit);
  }

  /**
   * @throws ProblemError `not_found`, `forbidden` for a key with a scope that the caller lacks,
   *   `too_many_keys`
   */
  async rotate(
    caller: Caller,
    keyId: string,
    graceSeconds: number,
    beforeCommit: BeforeCommit<CreatedApiKey>,
  ): Promise<CreatedApiKey> {
    const check = (given: readonly Scope[]) => requireScopes(caller, given);
    const created = await this.keys.rotate(caller.tenantId, keyId, graceSeconds, check, beforeCommit);
    if (!created) throw new ProblemError('not_found', phrase('not_found.active_key'));
    return created;
  }

  /** @throws ProblemError `not_found`, `last_admin_key` */
  async revoke(tenantId: string, keyId: string): Promise<void> {
    const outcome = await this.keys.revoke(tenantId, keyId);
    if (outcome === 'unknown') throw new ProblemError('not_found', phrase('not_found.key'));
    if (outcome === 'last_admin')
      throw new ProblemError('last_admin_key', phrase('last_admin_key.create_another'));
  }

  /**
   * Issues a token with some of the scopes of the caller's key.
   *
   * @throws ProblemError `forbidden` for a scope that the key lacks, or if the caller sent a token instead of
   *   a key
   */
  async issueToken(caller: Caller, requestedToken: WantedToken): Promise<string> {
    if (caller.tokenExpiresAt !== null)
      throw new ProblemError('forbidden', phrase('forbidden.token_from_token'));
    requireScopes(caller, requestedToken.scopes);
    const token = await this.keys.issueToken(caller.apiKeyId, requestedToken, this.settings.TOKEN_SECRET);
    if (!token) throw new ProblemError('unauthorized', phrase('unauthorized.key_ended'));
    return token;
  }
}
