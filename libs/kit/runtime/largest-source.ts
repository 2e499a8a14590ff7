import { phrase, type Phrase } from '#contracts/phrases/phrase.js';
import type { Database } from '#db/client.js';
import { SessionFileRepository } from '#db/repositories/session-files.js';
import { isSourceName } from '#contracts/file-kinds.js';

/**
 * Returns a sentence that names the largest source, for errors about documents that exceed a limit; null
 * without a source.
 */
export async function largestSource(
  db: Database,
  tenantId: string,
  sessionId: string,
): Promise<Phrase | null> {
  const files = await new SessionFileRepository(db).listReadable(tenantId, sessionId);
  const [largest] = files.filter(({ name }) => isSourceName(name)).sort((a, b) => b.size - a.size);
  return largest ? phrase('run_error.largest_source', { name: largest.name, bytes: largest.size }) : null;
}
