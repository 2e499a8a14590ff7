import type { SessionFileRepository } from '#db/repositories/session-files.js';
import { isSourceName } from '#contracts/file-kinds.js';
import type { Structure } from '#contracts/structure.js';
import type { TaskContext } from '#engine/queue/task-handler.js';
import type { ObjectStore } from '#storage/object-store.js';
import type { Ledger } from '#verbatim/ledger.js';
import { placeImages } from './place-images.js';

interface ImageOptions {
  /** File name or `skip`, by reference. */
  decisions?: Record<string, string>;
  /** Reads the document's ledger; needed only if a reference names different files in different sources. */
  readLedger?: () => Promise<Ledger | null>;
  /**
   * Reads the list of files that the run itself has written, oldest first. One of these is used before a session
   * file of the same name.
   */
  readWritten?: () => Promise<readonly { name: string; objectKey: string }[]>;
}

/**
 * Reads the images of a document: the file chosen by a decision, else the session file that the reference
 * resolves to.
 *
 * @returns the images by reference, and the structure with unambiguous references
 */
export async function sessionImages(
  files: SessionFileRepository,
  store: ObjectStore,
  { tenantId, sessionId }: TaskContext,
  structure: Structure,
  {
    decisions = {},
    readLedger = () => Promise.resolve(null),
    readWritten = () => Promise.resolve([]),
  }: ImageOptions = {},
): Promise<{ structure: Structure; images: Map<string, Uint8Array> }> {
  if (structure.assets.length === 0) return { structure, images: new Map() };
  const [{ inputs, assets }, written] = await Promise.all([
    files.listAll(tenantId, sessionId),
    readWritten(),
  ]);
  const byName = new Map([...inputs, ...assets, ...written].map((file) => [file.name, file]));
  const sources = inputs.map(({ name }) => name).filter(isSourceName);
  const names = { available: [...byName.keys()], sources };
  const placed = await placeImages(structure, names, decisions, readLedger);
  const images = new Map<string, Uint8Array>();
  for (const [ref, name] of placed.files) {
    const file = byName.get(name);
    if (file) images.set(ref, await store.getBytes(file.objectKey));
  }
  return { structure: placed.structure, images };
}
