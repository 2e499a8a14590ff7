import type { SessionFileRepository } from '#db/repositories/session-files.js';
import { isSourceName } from '#extraction/file-kinds.js';
import type { Structure } from '#office/structure/schema.js';
import type { TaskContext } from '#queue/task-handler.js';
import type { ObjectStore } from '#storage/object-store.js';
import type { Ledger } from '#verbatim/ledger.js';
import { placeImages } from './place-images.js';

interface ImageOptions {
  /** By reference, the name of a file or `skip`. */
  decisions?: Record<string, string>;
  /** Reads the ledger of the document; needed only where a reference means other files in other sources. */
  readLedger?: () => Promise<Ledger | null>;
}

/**
 * Reads the images of a document: a decided file, else the file of the session that the reference means in its source.
 *
 * @returns the images by reference, and the structure with references that are unique among them
 */
export async function sessionImages(
  files: SessionFileRepository,
  store: ObjectStore,
  { tenantId, sessionId }: TaskContext,
  structure: Structure,
  { decisions = {}, readLedger = () => Promise.resolve(null) }: ImageOptions = {},
): Promise<{ structure: Structure; images: Map<string, Uint8Array> }> {
  const { inputs, assets } = await files.listAll(tenantId, sessionId);
  const byName = new Map([...inputs, ...assets].map((file) => [file.name, file]));
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
