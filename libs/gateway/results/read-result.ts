import { ManuscriptStore } from '#storage/manuscript-store.js';
import type { ObjectStore } from '#storage/object-store.js';
import { sessionPrefix } from '#storage/session-keys.js';
import type { Readable } from 'node:stream';

/**
 * Returns the bytes of a result: for a manuscript version the text of its segments, else the object itself.
 */
export function readResult(
  store: ObjectStore,
  tenantId: string,
  sessionId: string,
  objectKey: string,
): Promise<Readable> {
  const isManuscript = objectKey.startsWith(`${sessionPrefix(tenantId, sessionId)}manuscript/`);
  if (isManuscript) return new ManuscriptStore(store, tenantId, sessionId).stream(objectKey);
  return store.get(objectKey);
}
