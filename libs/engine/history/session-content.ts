import type { Database } from '#db/client.js';
import { ExportRepository, type Export } from '#db/repositories/exports.js';
import { NamedCheckpointRepository, type NamedCheckpoint } from '#db/repositories/named-checkpoints.js';
import type { FileFolder, SessionFile } from '#db/repositories/session-files.js';
import { SessionFileRepository } from '#db/repositories/session-files.js';
import type { ResumePoint } from './resume-point.js';

/** Rows of a session that refer to objects. */
export interface SessionContent {
  files: SessionFile[];
  named: NamedCheckpoint[];
  exports: Export[];
}

const FOLDERS: FileFolder[] = ['inputs', 'texts', 'assets'];

/** Returns a session's current content. */
export async function contentOf(db: Database, tenantId: string, sessionId: string): Promise<SessionContent> {
  const files = new SessionFileRepository(db);
  return {
    files: (await Promise.all(FOLDERS.map((folder) => files.list(tenantId, sessionId, folder)))).flat(),
    named: await new NamedCheckpointRepository(db).list(tenantId, sessionId),
    exports: await new ExportRepository(db).list(tenantId, sessionId),
  };
}

/**
 * Returns the part of a session's content that existed at a checkpoint. Includes everything that the state
 * refers to, even if the clocks of the processes that wrote it differ.
 */
export function contentAt(
  content: SessionContent,
  { run, checkpoint, state, kind }: ResumePoint,
): SessionContent {
  const isOlder = ({ createdAt }: { createdAt: Date }) => createdAt <= checkpoint.createdAt;
  const needed = kind.continuation.needs(state);
  return {
    files: content.files.filter((file) =>
      file.folder === 'assets'
        ? isOlder(file) || needed.assets.includes(file.name)
        : needed.inputs.includes(file.name),
    ),
    named: content.named.filter((named) => {
      if (named.id === needed.checkpointId) return true;
      if (named.runId !== run.id || named.afterCheckpointId === null) return isOlder(named);
      return named.afterCheckpointId < checkpoint.id;
    }),
    exports: content.exports.filter((file) => file.id === needed.exportId || isOlder(file)),
  };
}

/** Returns the bytes that count against a tenant's storage. */
export function bytesOf({ files, exports }: SessionContent): number {
  return [...files, ...exports].reduce((sum, { size }) => sum + size, 0);
}
