import type { Database } from '#db/client.js';
import { ThreadPool } from '#kit/runtime/thread-pool.js';
import type { MiniSearchCall } from './mini-search.worker.js';

const WORKER = new URL('./mini-search.worker.js', import.meta.url);
/** With 100,000 passages, its index needs more than a gigabyte. */
const MEMORY_MB = 4_096;
const BATCH = 5_000;
const LIMIT_MS = 120_000;

/** MiniSearch over the passages of a collection, in a thread: the collection of its garbage is no part of another search's time. */
export async function miniSearchOver(db: Database, collectionId: string, k: number) {
  const pool = new ThreadPool({ threads: 1, memoryMb: MEMORY_MB });
  const call = (asked: MiniSearchCall) => pool.run(WORKER, asked, LIMIT_MS);
  for (let last = ''; ;) {
    const rows = await db.knowledgeChunk.findMany({
      where: { collectionId, id: { gt: last } },
      orderBy: { id: 'asc' },
      take: BATCH,
      select: { id: true, text: true },
    });
    if (rows.length === 0) break;
    last = rows.at(-1)!.id;
    await call({ name: 'add', rows });
  }
  return { run: (query: string) => call({ name: 'search', query, k }), close: () => pool.close() };
}
