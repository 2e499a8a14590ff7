import type { Database } from '#db/client.js';
import { setTimeout as delay } from 'node:timers/promises';
import { claimSource, releaseSource, SourceLostError } from './claim.js';
import { indexSource, type IndexerTools } from './index-source.js';
import { inlineWork } from './work.js';

const POLL_INTERVAL_MS = 100;

/**
 * Indexes a source before it returns, for callers that search it next. If a worker has leased the source,
 * waits for the worker to finish; if that worker dies, continues after its lease expires. If indexing fails
 * here, releases the source to a worker and throws.
 *
 * @returns whether the source can be found; false if it has failed or was deleted
 * @throws UnreadableSourceError, errors of the tools, or the signal's reason
 */
export async function indexNow(
  tools: Omit<IndexerTools, 'work'> & Partial<IndexerTools>,
  tenantId: string,
  sourceId: string,
  signal: AbortSignal,
): Promise<boolean> {
  for (;;) {
    signal.throwIfAborted();
    const claimed = await claimSource(tools.db, sourceId);
    if (claimed)
      await indexSource({ work: inlineWork, ...tools }, claimed, signal).catch(async (error: unknown) => {
        if (error instanceof SourceLostError) return;
        await releaseSource(tools.db, claimed);
        throw error;
      });
    const found = await isFound(tools.db, tenantId, sourceId);
    if (found !== undefined) return found;
    await delay(POLL_INTERVAL_MS, undefined, { signal });
  }
}

/** Like `indexNow`, but only waits until a worker has indexed the source. @throws the signal's reason */
export async function waitUntilIndexed(
  db: Database,
  tenantId: string,
  sourceId: string,
  signal: AbortSignal,
): Promise<boolean> {
  for (;;) {
    const found = await isFound(db, tenantId, sourceId);
    if (found !== undefined) return found;
    await delay(POLL_INTERVAL_MS, undefined, { signal });
  }
}

/** @returns undefined while the source waits or is being indexed */
async function isFound(db: Database, tenantId: string, sourceId: string): Promise<boolean | undefined> {
  const source = await db.knowledgeSource.findFirst({
    where: { tenantId, id: sourceId },
    select: { state: true },
  });
  if (source === null || source.state === 'failed') return false;
  return source.state === 'ready' ? true : undefined;
}
