import type { Database } from '../client.js';
import type { NamedCheckpoint } from '../generated/client.js';

export type { NamedCheckpoint };

export interface NewNamedCheckpoint {
  sessionId: string;
  runId: string;
  id: string;
  label: string;
  manuscriptKey: string;
  objectKey: string;
  effectKey: string;
  validated: boolean;
}

/** Named checkpoints of sessions (D11, D30). */
export class NamedCheckpointRepository {
  constructor(private readonly db: Database) {}

  findByEffect(tenantId: string, effectKey: string): Promise<NamedCheckpoint | null> {
    return this.db.namedCheckpoint.findFirst({ where: { tenantId, effectKey } });
  }

  find(tenantId: string, sessionId: string, id: string): Promise<NamedCheckpoint | null> {
    return this.db.namedCheckpoint.findFirst({ where: { tenantId, sessionId, id } });
  }

  list(tenantId: string, sessionId: string): Promise<NamedCheckpoint[]> {
    return this.db.namedCheckpoint.findMany({
      where: { tenantId, sessionId },
      orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    });
  }

  /** @returns false when the id or the effect is already there: nothing is overwritten (D30) */
  async add(tenantId: string, checkpoint: NewNamedCheckpoint): Promise<boolean> {
    const { count } = await this.db.namedCheckpoint.createMany({
      data: [{ tenantId, ...checkpoint }],
      skipDuplicates: true,
    });
    return count === 1;
  }

  async remove(tenantId: string, sessionId: string, id: string): Promise<void> {
    await this.db.namedCheckpoint.deleteMany({ where: { tenantId, sessionId, id } });
  }
}
