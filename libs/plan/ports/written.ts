import { findRunKind } from '#contracts/registry.js';
import type { Database } from '#db/client.js';
import { ExportRepository } from '#db/repositories/exports.js';
import { SessionResultRepository } from '#db/repositories/session-results.js';
import { ManuscriptStore } from '#storage/manuscript-store.js';
import type { ObjectStore } from '#storage/object-store.js';
import type { Written } from '../tools/graph/runs.js';

/** Reads the Markdown results of a run and lists its files. */
export async function writtenBy(
  db: Database,
  store: ObjectStore,
  { tenantId, sessionId, runId }: { tenantId: string; sessionId: string; runId: string },
): Promise<Written> {
  const [results, files] = await Promise.all([
    new SessionResultRepository(db).ofRun(tenantId, runId),
    new ExportRepository(db).ofRuns(tenantId, sessionId, [runId]),
  ]);
  const manuscripts = new ManuscriptStore(store, tenantId, sessionId);
  const texts = results.flatMap(({ kind, name, objectKey }) => {
    const isMarkdown = findRunKind(kind)?.results[name]?.mediaType.startsWith('text/markdown') ?? false;
    return isMarkdown && objectKey !== null ? [{ kind, name, objectKey }] : [];
  });
  const read = texts.map(async ({ kind, name, objectKey }): Promise<[string, string]> => [
    name,
    // A manuscript is stored in segments.
    kind === 'document' && name === 'manuscript'
      ? await manuscripts.read(objectKey)
      : Buffer.from(await store.getBytes(objectKey)).toString('utf8'),
  ]);
  return {
    texts: Object.fromEntries(await Promise.all(read)),
    files: files.map(({ id, name, format, size }) => ({ export_id: id, name, format, bytes: Number(size) })),
  };
}
