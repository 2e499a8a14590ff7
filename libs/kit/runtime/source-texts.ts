import { Readable } from 'node:stream';
import { sha256 as digestOf } from '#contracts/sha256.js';
import { inventorySchema } from '#contracts/inventory.js';
import type { Database } from '#db/client.js';
import { type SessionFile, SessionFileRepository } from '#db/repositories/session-files.js';
import type { Ledger } from '#verbatim/ledger.js';
import type { SourceBytes } from '#verbatim/schema.js';
import type { ObjectStore } from '#storage/object-store.js';
import { sessionKey } from '#storage/session-keys.js';

/**
 * Stores the ledger of a task as JSON and as an HTML page.
 *
 * @returns the object key of the JSON
 */
export async function storeLedger(
  store: ObjectStore,
  { tenantId, sessionId, taskId }: { tenantId: string; sessionId: string; taskId: string },
  { ledger, page }: { ledger: Ledger; page: readonly Uint8Array[] },
): Promise<string> {
  const key = (ending: string) => sessionKey(tenantId, sessionId, 'ledger', `${taskId}.${ending}`);
  await store.put(key('html'), Readable.from(page), { contentType: 'text/html; charset=utf-8' });
  await store.put(key('json'), Buffer.from(JSON.stringify(ledger)), { contentType: 'application/json' });
  return key('json');
}

/** Limits of what is kept in memory, in bytes: of one text, and of all. */
const KEPT = { one: 64 * 1024, all: 8 * 1024 * 1024 };

/** Small texts that were read last, by key and content: the tasks of a run and of the next one read the same sources. */
const kept = new Map<string, Uint8Array>();
let keptBytes = 0;

/** Returns the content of a file of a session, from memory if it is small and was read lately. */
export async function readSessionFile(
  store: ObjectStore,
  { objectKey, size, sha256 }: Pick<SessionFile, 'objectKey' | 'size' | 'sha256'>,
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

/** Reads the source texts of a manuscript: the inputs, or the texts extracted from them. */
export class SourceTexts {
  private readonly files: SessionFileRepository;

  constructor(
    db: Database,
    private readonly store: ObjectStore,
  ) {
    this.files = new SessionFileRepository(db);
  }

  /** @param names inputs of the session; unknown names are skipped */
  async read(tenantId: string, sessionId: string, names: string[]): Promise<SourceBytes[]> {
    return this.readFiles(await this.files.listReadable(tenantId, sessionId), names);
  }

  /** @param inputs the readable inputs of a session, from `listReadable` */
  readFiles(inputs: SessionFile[], names: string[]): Promise<SourceBytes[]> {
    const wanted = new Set(names);
    const requested = inputs.filter(({ name }) => wanted.has(name));
    return Promise.all(
      requested.map(async (file) => {
        const { name, encoding: from, encodingBy: by, inventory } = file;
        return {
          name,
          bytes: await readSessionFile(this.store, file),
          ...(from !== null && by !== null ? { converted: { from, by } } : {}),
          ...(inventory === null ? {} : { inventory: inventorySchema.parse(inventory) }),
        };
      }),
    );
  }
}
