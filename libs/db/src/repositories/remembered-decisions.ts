import type { Database } from '../client.js';

/** The uploaded file that answered a missing reference. */
export interface RememberedFile {
  name: string;
  objectKey: string;
  size: number;
  sha256: string;
  mediaType: string;
}

/** Answers about missing references, kept per tenant by the content hash of the source and the reference (X2). */
export class RememberedDecisionRepository {
  constructor(private readonly db: Database) {}

  async find(
    tenantId: string,
    sourceHash: string,
    ref: string,
  ): Promise<{ decision: string; file: RememberedFile | null } | null> {
    const row = await this.db.rememberedDecision.findFirst({
      where: { tenantId, sourceHash, ref },
    });
    if (!row) return null;
    return { decision: row.decision, file: row.file as RememberedFile | null };
  }

  /** Keeps an answer; a later one for the same source and reference replaces it. */
  async keep(tenantId: string, sourceHash: string, ref: string, file: RememberedFile | null): Promise<void> {
    const answer = { decision: file === null ? 'skip' : 'asset', ...(file ? { file: { ...file } } : {}) };
    await this.db.rememberedDecision.upsert({
      where: { tenantId_sourceHash_ref: { tenantId, sourceHash, ref } },
      create: { tenantId, sourceHash, ref, ...answer },
      update: answer,
    });
  }
}
