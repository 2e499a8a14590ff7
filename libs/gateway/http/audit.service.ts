import type { PageRequest } from '#db/page.js';
import { AuditRepository, type AuditEntry, type NewAuditEntry } from '#db/repositories/audit.js';
import type { Caller } from '#db/repositories/api-keys.js';
import { LOGGER } from '#kit/runtime/infrastructure.module.js';
import type { Logger } from '#telemetry/logger.js';
import { Inject, Injectable } from '@nestjs/common';

const MAX_RESOURCE = 200;

/** Returns the ID of the first resource of an entry. */
export const firstResource = ({ resource }: Pick<AuditEntry, 'resource'>): string => resource.split('/')[0]!;

/** Writes and reads the audit log of tenants. */
@Injectable()
export class AuditService {
  constructor(
    @Inject(LOGGER) private readonly log: Logger,
    private readonly entries: AuditRepository,
  ) {}

  /**
   * Adds an entry. Never throws: the action has taken effect, so a lost entry is reported in the log and not
   * to the client.
   */
  async record(
    { tenantId, apiKeyId, tokenExpiresAt }: Caller,
    entry: Pick<NewAuditEntry, 'action' | 'resource' | 'outcome' | 'requestId'>,
  ): Promise<void> {
    const resource = entry.resource.slice(0, MAX_RESOURCE);
    try {
      await this.entries.add(tenantId, {
        ...entry,
        resource,
        actor: apiKeyId,
        byToken: tokenExpiresAt !== null,
      });
    } catch (error) {
      const { action, outcome, requestId } = entry;
      this.log.error(
        { err: error, tenant_id: tenantId, api_key_id: apiKeyId, action, outcome, request_id: requestId },
        'failed to write an audit entry',
      );
    }
  }

  /**
   * Adds an entry for an action of the operator, on a tenant or not. Deleting a tenant writes its own entry.
   * Never throws.
   */
  async recordOperator(resource: string, action: string, requestId: string): Promise<void> {
    if (action === 'deleteTenant') return;
    const tenantId = resource.startsWith('ten_') ? resource : null;
    const entry = { actor: 'operator', action, resource, outcome: 'done' as const, requestId };
    await this.entries
      .add(tenantId, entry)
      .catch((error: unknown) =>
        this.log.error({ err: error, tenant_id: tenantId, action }, 'failed to write an audit entry'),
      );
  }

  page(tenantId: string, request: PageRequest): Promise<AuditEntry[]> {
    return this.entries.page(tenantId, request);
  }

  /** Returns the names of the actors and resources of entries, by ID. */
  names(tenantId: string, entries: readonly AuditEntry[]): Promise<ReadonlyMap<string, string>> {
    return this.entries.names(tenantId, [
      ...new Set(entries.flatMap((entry) => [entry.actor, firstResource(entry)])),
    ]);
  }
}
