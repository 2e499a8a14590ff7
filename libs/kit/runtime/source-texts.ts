import { Readable } from 'node:stream';
import { inventorySchema } from '#contracts/inventory.js';
import type { Database } from '#db/client.js';
import { type SessionFile, SessionFileRepository } from '#db/repositories/session-files.js';
import type { Ledger } from '#verbatim/ledger.js';
import type { SourceBytes } from '#verbatim/schema.js';
import { readSessionFile } from '#storage/kept-objects.js';
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
