import { newId } from '#contracts/ids.js';
import { createHash } from 'node:crypto';
import { indexNow } from './ingest/index-now.js';
import type { IndexerTools } from './ingest/index-source.js';
import { contentKey } from './ingest/keys.js';
import { SourceRepository, type AddedSource, type NewSource, type SourceDetails } from './store/sources.js';

/** A text to add to a collection. */
export interface TextSource extends SourceDetails {
  /** Name within the collection; a text of the same name replaces the content. */
  name: string;
  text: string;
}

/** No limit: texts that the platform itself stores do not count as uploads. */
export const NO_LIMIT = 2n ** 62n;

/** Content of a source that is not in the object store yet. */
export type Content = Omit<NewSource, 'id' | 'size' | 'sha256' | 'objectKey'> & { bytes: Buffer };

/**
 * Stores bytes and adds them to a collection as a source; a worker indexes it.
 *
 * @param options ID of the source whose content they replace, the key by their hash, and the tenant's storage limit
 * @throws ProblemError `not_found`, `storage_quota_exceeded`
 */
export async function addContent(
  { db, store }: Pick<IndexerTools, 'db' | 'store'>,
  tenantId: string,
  collectionId: string,
  { bytes, ...content }: Content,
  options: { id?: string | undefined; keyOf?: (sha256: string) => string; maxBytes?: bigint } = {},
): Promise<AddedSource> {
  const {
    id = newId('src'),
    keyOf = () => contentKey(tenantId, collectionId),
    maxBytes = NO_LIMIT,
  } = options;
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const source = { ...content, id, size: bytes.length, sha256, objectKey: keyOf(sha256) };
  const repository = new SourceRepository(db);
  try {
    await store.put(source.objectKey, bytes, { contentType: content.mediaType });
    const [added] = await repository.add(tenantId, collectionId, [source], maxBytes);
    return added!;
  } finally {
    for (const { objectKey } of await repository.unnamed(tenantId, [source])) await store.delete(objectKey);
  }
}

/**
 * Adds a text to a collection as a source; a worker indexes it.
 *
 * @param maxBytes storage limit of the tenant; none by default
 * @throws ProblemError `not_found`, `storage_quota_exceeded`
 */
export async function addText(
  tools: Pick<IndexerTools, 'db' | 'store'>,
  tenantId: string,
  collectionId: string,
  source: TextSource,
  maxBytes = NO_LIMIT,
): Promise<AddedSource> {
  const [added] = await addTexts(tools, tenantId, collectionId, [source], maxBytes);
  return added!;
}

/**
 * Adds texts to a collection as sources, all or none; a worker indexes them.
 *
 * @throws ProblemError `not_found`, `storage_quota_exceeded`
 */
export async function addTexts(
  { db, store }: Pick<IndexerTools, 'db' | 'store'>,
  tenantId: string,
  collectionId: string,
  texts: TextSource[],
  maxBytes = NO_LIMIT,
): Promise<AddedSource[]> {
  const drop = async (unneeded: NewSource[]) => {
    for (const { objectKey } of unneeded) await store.delete(objectKey);
  };
  const repository = new SourceRepository(db);
  const sources: NewSource[] = [];
  try {
    for (const { text, ...details } of texts) {
      const bytes = Buffer.from(text.toWellFormed());
      const objectKey = contentKey(tenantId, collectionId);
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      sources.push({
        ...details,
        id: newId('src'),
        mediaType: 'text/markdown',
        size: bytes.length,
        sha256,
        objectKey,
      });
      await store.put(objectKey, bytes, { contentType: 'text/markdown; charset=utf-8' });
    }
    const added = await repository.add(tenantId, collectionId, sources, maxBytes);
    await drop(sources.filter((_, index) => added[index]!.outcome === 'unchanged'));
    return added;
  } catch (error) {
    await drop(await repository.unnamed(tenantId, sources));
    throw error;
  }
}

/**
 * Adds a text to a collection and indexes it before it returns, for callers that search it next. Idempotent.
 * If this process dies, a worker finishes the indexing.
 *
 * @throws ProblemError `not_found`; UnreadableSourceError
 */
export async function putText(
  tools: Omit<IndexerTools, 'work'> & Partial<IndexerTools>,
  tenantId: string,
  collectionId: string,
  source: TextSource,
  signal = new AbortController().signal,
): Promise<AddedSource> {
  const added = await addText(tools, tenantId, collectionId, source);
  await indexNow(tools, tenantId, added.source.id, signal);
  return added;
}
