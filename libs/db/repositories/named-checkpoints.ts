import { Prisma, type Database } from '../client.js';
import type { NamedCheckpoint } from '../generated/client.js';
import { ASYNC_COMMIT } from '../async-commit.js';
import { pageByTime, type PageRequest } from '../page.js';
import { rolledBackRuns } from './runs.js';

export type { NamedCheckpoint };

interface NewNamedCheckpoint {
  sessionId: string;
  runId: string;
  id: string;
  label: string;
  manuscriptKey: string;
  objectKey: string;
  effectKey: string;
  validated: boolean;
}

/** The checkpoint of an effect: the new one, or the existing one. */
export interface AddedNamedCheckpoint {
  id: string;
  manuscriptKey: string;
  objectKey: string;
  added: boolean;
}

/** Named checkpoints of sessions (D11, D30). Queries by session exclude rolled-back runs. */
export class NamedCheckpointRepository {
  constructor(private readonly db: Database) {}

  async find(tenantId: string, sessionId: string, id: string): Promise<NamedCheckpoint | null> {
    const notIn = await rolledBackRuns(this.db, tenantId, sessionId);
    return this.db.namedCheckpoint.findFirst({ where: { tenantId, sessionId, id, runId: { notIn } } });
  }

  /** Returns a page of a session's named checkpoints, oldest first. */
  async page(tenantId: string, sessionId: string, request: PageRequest): Promise<NamedCheckpoint[]> {
    const notIn = await rolledBackRuns(this.db, tenantId, sessionId);
    const { where, ...page } = pageByTime(request, 'asc');
    return this.db.namedCheckpoint.findMany({
      where: { tenantId, sessionId, runId: { notIn }, ...where },
      ...page,
    });
  }

  /** Returns all named checkpoints of a session, oldest first. */
  async list(tenantId: string, sessionId: string): Promise<NamedCheckpoint[]> {
    const notIn = await rolledBackRuns(this.db, tenantId, sessionId);
    return this.db.namedCheckpoint.findMany({
      where: { tenantId, sessionId, runId: { notIn } },
      orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    });
  }

  /** Returns the named checkpoints that a run made itself, oldest first; checkpoints copied for it are excluded. */
  ofRun(tenantId: string, runId: string): Promise<NamedCheckpoint[]> {
    return this.db.namedCheckpoint.findMany({
      where: { tenantId, runId, afterCheckpointId: { not: null } },
      orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    });
  }

  /**
   * Adds the named checkpoint of an effect unless it exists, linked to the graph's newest checkpoint, from
   * which the current step continues. Overwrites nothing (D30). Commits asynchronously: the commit of the
   * step makes it durable, and a repeated step adds it again.
   *
   * @returns undefined if the ID belongs to another effect, or this effect is being added concurrently: the
   *   next call finds it
   */
  async add(tenantId: string, checkpoint: NewNamedCheckpoint): Promise<AddedNamedCheckpoint | undefined> {
    const { sessionId, runId, id, label, manuscriptKey, objectKey, effectKey, validated } = checkpoint;
    const [row] = await this.db.$statement<AddedNamedCheckpoint>(Prisma.sql`
      /* name checkpoint */ WITH known AS (
        SELECT id, manuscript_key, object_key FROM named_checkpoints
        WHERE tenant_id = ${tenantId} AND effect_key = ${effectKey}
      ), made AS (
        INSERT INTO named_checkpoints (session_id, id, tenant_id, run_id, label, manuscript_key, object_key, effect_key, validated,
          after_checkpoint_id)
        SELECT ${sessionId}, ${id}, ${tenantId}, ${runId}, ${label}, ${manuscriptKey}, ${objectKey}, ${effectKey}, ${validated},
          (SELECT c.id FROM graph_checkpoints c JOIN runs r ON r.id = c.thread_id AND r.tenant_id = ${tenantId}
           WHERE c.thread_id = ${runId} AND c.ns = '' ORDER BY c.created_at DESC, c.id DESC LIMIT 1)
        WHERE NOT EXISTS (SELECT 1 FROM known)
        ON CONFLICT DO NOTHING RETURNING id, manuscript_key, object_key
      )
      SELECT id, manuscript_key AS "manuscriptKey", object_key AS "objectKey", false AS added, ${ASYNC_COMMIT} FROM known
      UNION ALL SELECT id, manuscript_key, object_key, true, ${ASYNC_COMMIT} FROM made`);
    return row;
  }

  async remove(tenantId: string, sessionId: string, id: string): Promise<void> {
    await this.db.namedCheckpoint.deleteMany({ where: { tenantId, sessionId, id } });
  }
}
