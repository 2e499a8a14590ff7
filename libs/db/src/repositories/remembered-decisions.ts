import { newId } from '#contracts/ids.js';
import type { Database } from '../client.js';

/** The uploaded file that answered a missing reference. */
export interface RememberedFile {
  name: string;
  objectKey: string;
  size: number;
  sha256: string;
  mediaType: string;
}

/** Takes back what was added for an answer that is gone. */
class ForgottenError extends Error {}

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

  /**
   * Makes the file that answered a reference an asset of another session; an asset of its name stays. The object is not copied: who
   * deletes the session that holds it forgets its answers first and then gives a copy to those that have taken over.
   *
   * @returns false when the answer is gone by now, and nothing was added
   */
  async takeOver(
    tenantId: string,
    sessionId: string,
    question: { sourceHash: string; ref: string },
    file: RememberedFile,
  ): Promise<boolean> {
    const { sourceHash, ref } = question;
    return this.db
      .$transaction(async (tx) => {
        const asset = { id: newId('fil'), tenantId, sessionId, folder: 'assets', ...file };
        await tx.sessionFile.createMany({ data: [asset], skipDuplicates: true });
        const held = await tx.$queryRaw<object[]>`
          SELECT 1 FROM remembered_decisions
          WHERE tenant_id = ${tenantId} AND source_hash = ${sourceHash} AND ref = ${ref} AND file->>'objectKey' = ${file.objectKey}
          FOR SHARE`;
        if (held.length === 0) throw new ForgottenError();
        return true;
      })
      .catch((error: unknown) => {
        if (error instanceof ForgottenError) return false;
        throw error;
      });
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
