import { sha256 as digestOf } from '#contracts/sha256.js';
import type { ObjectStore } from './object-store.js';

/** Limits of what is kept in memory, in bytes: of one text, and of all. */
const KEPT = { one: 64 * 1024, all: 8 * 1024 * 1024 };

/** Small texts that were read last, by key and content: the tasks of a run and of the next one read the same sources. */
const kept = new Map<string, Uint8Array>();
let keptBytes = 0;

/** Returns the content of a file of a session, from memory if it is small and was read lately. */
export async function readSessionFile(
  store: ObjectStore,
  { objectKey, size, sha256 }: { objectKey: string; size: number; sha256: string },
): Promise<Uint8Array> {
  if (size > KEPT.one) return store.getBytes(objectKey);
  const key = `${objectKey} ${sha256}`;
  const known = kept.get(key);
  const bytes = known ?? (await store.getBytes(objectKey));
  // The object may have been replaced since the caller read the row.
  if (!known && digestOf(bytes) !== sha256) return bytes;
  if (kept.delete(key)) keptBytes -= bytes.length;
  // The caller may move its array to a thread.
  kept.set(key, known ?? new Uint8Array(bytes));
  keptBytes += bytes.length;
  for (const [oldest, { length }] of kept) {
    if (keptBytes <= KEPT.all) break;
    kept.delete(oldest);
    keptBytes -= length;
  }
  return known ? new Uint8Array(known) : bytes;
}
