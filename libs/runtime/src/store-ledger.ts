import type { ObjectStore } from '#storage/object-store.js';
import { sessionKey } from '#storage/session-keys.js';
import type { Ledger } from '#verbatim/ledger.js';

/**
 * Keeps a ledger that a task made, with its page beside it.
 *
 * @returns the key of the ledger
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
