import type { Database } from '#db/client.js';
import { SessionFileRepository } from '#db/repositories/session-files.js';
import { isSourceName } from '#contracts/file-kinds.js';

/**
 * Returns a sentence that names the largest source, for errors about documents that exceed a limit; empty
 * without a source.
 */
export async function largestSource(db: Database, tenantId: string, sessionId: string): Promise<string> {
  const files = await new SessionFileRepository(db).listReadable(tenantId, sessionId);
  const [largest] = files.filter(({ name }) => isSourceName(name)).sort((a, b) => b.size - a.size);
  return largest ? ` The source with the most text is ${largest.name} (${largest.size} bytes).` : '';
}
