import type { ObjectStore } from '#storage/object-store.js';
import { sessionKey } from '#storage/session-keys.js';
import type { Ledger } from '#verbatim/ledger.js';

/**
 * Stores the ledger of a task as JSON and as an HTML page.
 *
 * @returns the object key of the JSON
 */
export async function storeLedger(
  store: ObjectStore,
  { tenantId, sessionId, taskId }: { tenantId: string; sessionId: string; taskId: string },
  { ledger, page }: { ledger: Ledger; page: string },
): Promise<string> {
  const key = (ending: string) => sessionKey(tenantId, sessionId, 'ledger', `${taskId}.${ending}`);
  await store.put(key('html'), Buffer.from(page), { contentType: 'text/html; charset=utf-8' });
  await store.put(key('json'), Buffer.from(JSON.stringify(ledger)), { contentType: 'application/json' });
  return key('json');
}
