import type { Database } from '#db/client.js';
import { Piscina } from 'piscina';
import type { NearPassage } from '../search/search.js';
import type { CollectionVectors, VectorQuery } from './collection-vectors.js';
import type { ScanHit, ScanRequest } from './scan.js';
import { VectorCache } from './vector-cache.js';

/** Scans every vector of a collection, in a thread with shared memory. */
export class ExactVectors implements CollectionVectors {
  private readonly cache: VectorCache;
  private pool: Piscina | null = null;

  /** @param cacheBytes memory limit for vectors */
  constructor(
    db: Database,
    cacheBytes: number,
    private readonly worker = new URL('./scan.worker.js', import.meta.url),
  ) {
    this.cache = new VectorCache(db, cacheBytes);
  }

  async nearest({
    tenantId,
    collectionId,
    model,
    vector,
    limit,
    sources,
  }: VectorQuery): Promise<NearPassage[]> {
    const loaded = await this.cache.load(tenantId, collectionId, model);
    if (!loaded || loaded.matrix.dimensions !== vector.length) return [];
    const { matrix, chunkIds } = loaded;
    const hits = await this.scan({ matrix, query: vector, limit, ...(sources && { allowed: [...sources] }) });
    return hits.map(({ place, similarity }) => ({ chunkId: chunkIds[place]!, similarity }));
  }

  async close(): Promise<void> {
    await this.pool?.destroy();
  }

  private scan(request: ScanRequest): Promise<ScanHit[]> {
    this.pool ??= new Piscina({ filename: this.worker.href, minThreads: 1, maxThreads: 1, execArgv: [] });
    return this.pool.run(request) as Promise<ScanHit[]>;
  }
}
