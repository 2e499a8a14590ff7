import type { Database } from '../client.js';
import type { NamedCheckpoint } from '../generated/client.js';
import { pageByTime, type PageRequest } from '../page.js';
import { rolledBackRuns } from './runs.js';

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
  /** The graph checkpoint whose step makes it. */
  afterCheckpointId: string | null;
}

/** Named checkpoints of sessions (D11, D30); those of runs that were taken back do not exist. */
export class NamedCheckpointRepository {
  constructor(private readonly db: Database) {}

  findByEffect(tenantId: string, effectKey: string): Promise<NamedCheckpoint | null> {
    return this.db.namedCheckpoint.findFirst({ where: { tenantId, effectKey } });
  }

  async find(tenantId: string, sessionId: string, id: string): Promise<NamedCheckpoint | null> {
    const notIn = await rolledBackRuns(this.db, tenantId, sessionId);
    return this.db.namedCheckpoint.findFirst({ where: { tenantId, sessionId, id, runId: { notIn } } });
  }

  /** A page of a session's, oldest first. */
  async page(tenantId: string, sessionId: string, request: PageRequest): Promise<NamedCheckpoint[]> {
    const notIn = await rolledBackRuns(this.db, tenantId, sessionId);
    const { where, ...page } = pageByTime(request, 'asc');
    return this.db.namedCheckpoint.findMany({
      where: { tenantId, sessionId, runId: { notIn }, ...where },
      ...page,
    });
  }

  /** All of a session, oldest first. */
  async list(tenantId: string, sessionId: string): Promise<NamedCheckpoint[]> {
    const notIn = await rolledBackRuns(this.db, tenantId, sessionId);
    return this.db.namedCheckpoint.findMany({
      where: { tenantId, sessionId, runId: { notIn } },
      orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    });
  }

  /** Those that a run made, oldest first; not the ones that were copied for it. */
  ofRun(tenantId: string, runId: string): Promise<NamedCheckpoint[]> {
    return this.db.namedCheckpoint.findMany({
      where: { tenantId, runId, afterCheckpointId: { not: null } },
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
