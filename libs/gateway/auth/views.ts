import type { ApiKey, CreatedApiKey } from '#db/repositories/api-keys.js';
import type { AuditEntry } from '#db/repositories/audit.js';
import { firstResource } from './audit.service.js';

/** Returns the API view of a key, without its secret or the secret's hash. */
export const keyView = (row: ApiKey) => ({
  id: row.id,
  name: row.name,
  prefix: `scr_${row.prefix}`,
  scopes: row.scopes,
  created_at: row.createdAt.toISOString(),
  expires_at: row.expiresAt?.toISOString() ?? null,
  last_used_at: row.lastUsedAt?.toISOString() ?? null,
  revoked_at: row.revokedAt?.toISOString() ?? null,
});

export const createdKeyView = ({ row, key }: CreatedApiKey) => ({ ...keyView(row), key });

/** @param names of actors and resources, by ID */
export const auditView = (row: AuditEntry, names: ReadonlyMap<string, string>) => ({
  id: row.id,
  at: row.createdAt.toISOString(),
  actor: row.actor,
  actor_name: names.get(row.actor) ?? null,
  by_token: row.byToken,
  action: row.action,
  resource: row.resource,
  resource_name: names.get(firstResource(row)) ?? null,
  outcome: row.outcome,
  request_id: row.requestId,
  details: row.details as Record<string, unknown> | null,
});
