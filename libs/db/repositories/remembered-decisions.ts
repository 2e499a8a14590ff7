import { newId } from '#contracts/ids.js';
import type { Database } from '../client.js';

/** Uploaded file that answered a missing reference. */
interface RememberedFile {
  name: string;
  objectKey: string;
  size: number;
  sha256: string;
  mediaType: string;
}

/** Rolls back an added asset if the answer no longer exists. */
class ForgottenError extends Error {}

/** Answers about missing references, stored per tenant, content hash of the source, and reference (X2). */
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
   * Makes the file that answered a reference an asset of another session; an existing asset of that name
   * stays. Does not copy the object: deleting its session first deletes the answers, then gives copies to the
   * sessions that use it.
   *
   * @returns false if the answer no longer exists; then nothing was added
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
        const lockedRows = await tx.$queryRaw<object[]>`
          SELECT 1 FROM remembered_decisions
          WHERE tenant_id = ${tenantId} AND source_hash = ${sourceHash} AND ref = ${ref} AND file->>'objectKey' = ${file.objectKey}
          FOR SHARE`;
        if (lockedRows.length === 0) throw new ForgottenError();
        return true;
      })
      .catch((error: unknown) => {
        if (error instanceof ForgottenError) return false;
        throw error;
      });
  }

  /** Stores an answer; it replaces an earlier one for the same source and reference. */
  async keep(tenantId: string, sourceHash: string, ref: string, file: RememberedFile | null): Promise<void> {
    const answer = { decision: file === null ? 'skip' : 'asset', ...(file ? { file: { ...file } } : {}) };
    await this.db.rememberedDecision.upsert({
      where: { tenantId_sourceHash_ref: { tenantId, sourceHash, ref } },
      create: { tenantId, sourceHash, ref, ...answer },
      update: answer,
    });
  }
}
