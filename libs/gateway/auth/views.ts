import type { ApiKey, CreatedApiKey } from '#db/repositories/api-keys.js';
import type { AuditEntry } from '#db/repositories/audit.js';
import { apiKeySchema, auditEntrySchema } from '#contracts/api/access-schemas.js';
import { view } from '../http/view.js';
import { firstResource } from './audit.service.js';

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
