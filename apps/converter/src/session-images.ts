import type { SessionFileRepository } from '#db/repositories/session-files.js';
import { resolveReference } from '#markdown/references/resolve.js';
import type { Structure } from '#office/structure/schema.js';
import type { TaskContext } from '#queue/task-handler.js';
import type { ObjectStore } from '#storage/object-store.js';

/**
 * The images of a document by the references in its text: a decided asset, else the file of the session with that name.
 *
 * @param decisions the name of an asset, or `skip`, by reference
 */
export async function sessionImages(
  files: SessionFileRepository,
  store: ObjectStore,
  { tenantId, sessionId }: TaskContext,
  structure: Structure,
  decisions: Record<string, string> = {},
): Promise<Map<string, Uint8Array>> {
  const { inputs, assets } = await files.listAll(tenantId, sessionId);
  const byName = new Map([...inputs, ...assets].map((file) => [file.name, file]));
  const found = new Map<string, Uint8Array>();
  for (const { ref } of structure.assets) {
    if (decisions[ref] === 'skip') continue;
    const file = byName.get(decisions[ref] ?? resolveReference(ref, [...byName.keys()]).match ?? '');
    if (file) found.set(ref, await store.getBytes(file.objectKey));
  }
  return found;
}
