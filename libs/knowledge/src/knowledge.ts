import { newId } from '#contracts/ids.js';
import type { ObjectStore } from '#storage/object-store.js';
import { createHash } from 'node:crypto';
import { indexNow } from './ingest/index-now.js';
import type { IndexerTools } from './ingest/index-source.js';
import { contentKey } from './ingest/keys.js';
import { SourceRepository, type AddedSource, type SourceDetails } from './store/sources.js';

/** A text to be put into a collection. */
export interface TextSource extends SourceDetails {
  /** Names it in its collection: another text of that name is its new content. */
  name: string;
  text: string;
}

/** Without limit: what the platform itself keeps is no upload. */
const NO_LIMIT = 2n ** 62n;

/**
 * Puts a text into a collection as a source; a worker indexes it.
 *
 * @param maxBytes that the tenant may keep in all; without a limit by default
 * @throws ProblemError `not_found`, `storage_quota_exceeded`
 */
export async function addText(
  { db, store }: Pick<IndexerTools, 'db' | 'store'>,
  tenantId: string,
  collectionId: string,
  { text, ...details }: TextSource,
  maxBytes = NO_LIMIT,
): Promise<AddedSource> {
  const id = newId('src');
  const bytes = Buffer.from(text.toWellFormed());
  const objectKey = contentKey(tenantId, collectionId);
  const source = {
    ...details,
    id,
    mediaType: 'text/markdown',
    size: bytes.length,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    objectKey,
  };
  await store.put(objectKey, bytes, { contentType: 'text/markdown; charset=utf-8' });
  const [added] = await new SourceRepository(db)
    .add(tenantId, collectionId, [source], maxBytes)
    .catch((error: unknown) => dropAndThrow(store, objectKey, error));
  if (added!.outcome === 'unchanged') await store.delete(objectKey);
  return added!;
}

async function dropAndThrow(store: ObjectStore, objectKey: string, error: unknown): Promise<never> {
  await store.delete(objectKey);
  throw error;
}

/**
 * Puts a text into a collection and has it indexed before it returns, for who searches it next. Doing it twice changes nothing; when
 * this process dies, a worker ends it.
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
