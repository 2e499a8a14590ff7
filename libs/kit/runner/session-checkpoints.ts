import type { Database } from '#db/client.js';
import { NamedCheckpointRepository, type AddedNamedCheckpoint } from '#db/repositories/named-checkpoints.js';
import type { CheckpointPort } from '../graph/ports.js';
import type { HeldRun } from '#engine/kind.js';
import type { ManuscriptStore } from '#storage/manuscript-store.js';
import type { ObjectStore } from '#storage/object-store.js';
import { sessionKey } from '#storage/session-keys.js';

/** Formats a date as `YYYYMMDD_HHMMSS` in UTC. */
function timestamp(date: Date): string {
  return date.toISOString().slice(0, 19).replace(/[-:]/g, '').replace('T', '_');
}

/**
 * Named checkpoints of a session (D11, D12, D30–D32). The text is stored at `checkpoints/{id}`, the pointer
 * in the row, so a rollback only changes a pointer. The oldest unvalidated ones beyond the retention limit
 * are deleted (D31).
 */
export class SessionCheckpoints implements CheckpointPort {
  private readonly rows: NamedCheckpointRepository;

  constructor(
    db: Database,
    private readonly store: ObjectStore,
    private readonly manuscripts: ManuscriptStore,
    private readonly run: HeldRun,
    private readonly kept: number,
  ) {
    this.rows = new NamedCheckpointRepository(db);
  }

  async create(checkpoint: {
    label: string;
    manuscript: string;
    effectKey: string;
    validated: boolean;
  }): Promise<string> {
    const { tenantId, sessionId } = this.run;
    const effectKey = `${this.run.id}/${checkpoint.effectKey}`;
    const base = `${timestamp(new Date())}_${checkpoint.label}`;
    for (let attempt = 1; ; attempt++) {
      const id = attempt === 1 ? `${base}.md` : `${base}_${attempt}.md`;
      const row = await this.rows.add(tenantId, {
        sessionId,
        runId: this.run.id,
        id,
        label: checkpoint.label,
        manuscriptKey: checkpoint.manuscript,
        objectKey: sessionKey(tenantId, sessionId, 'checkpoints', id),
        effectKey,
        validated: checkpoint.validated,
      });
      if (!row) continue;
      if (row.added) await Promise.all([this.writeText(row), this.removeOutdated()]);
      // The runner that added the row may have died before it wrote the text.
      else if (!(await this.store.head(row.objectKey))) await this.writeText(row);
      return row.id;
    }
  }

  async restore(checkpointId: string): Promise<string | null> {
    const row = await this.rows.find(this.run.tenantId, this.run.sessionId, checkpointId);
    return row?.manuscriptKey ?? null;
  }

  private async writeText({ objectKey, manuscriptKey }: AddedNamedCheckpoint): Promise<void> {
    const text = await this.manuscripts.stream(manuscriptKey);
    await this.store.put(objectKey, text, { contentType: 'text/markdown; charset=utf-8' });
  }

  private async removeOutdated(): Promise<void> {
    const { tenantId, sessionId } = this.run;
    const all = await this.rows.list(tenantId, sessionId);
    for (const row of all.slice(0, Math.max(0, all.length - this.kept))) {
      await this.rows.remove(tenantId, sessionId, row.id);
      await this.store.delete(row.objectKey);
    }
  }
}
