import { ThreadLimitError, type InThread } from '#kit/graph/ports.js';
import { isExtractedName } from '#contracts/file-kinds.js';
import type { IndexAnswer } from '../ingest/index.worker.js';
import { INDEX_WORKER, threadedWork } from '../ingest/threaded-work.js';
import type { IndexWork } from '../ingest/work.js';

/**
 * Indexing work in a runner's threads. Documents are left to a worker: their unpacked content may exceed a
 * runner's memory.
 */
export function runnerIndexWork(inThread: InThread, signal: AbortSignal): IndexWork {
  const work = threadedWork((call) => inThread<IndexAnswer>(INDEX_WORKER, call, signal));
  return {
    ...work,
    extract: async (bytes, fileName, tenantId) => {
      if (isExtractedName(fileName)) throw new ThreadLimitError(`${fileName} is left to a worker`);
      return work.extract(bytes, fileName, tenantId);
    },
  };
}
