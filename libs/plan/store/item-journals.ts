import type { ObjectStore } from '#storage/object-store.js';
import type { FinishedItems, JournalStore } from '../tools/platform/item-journal.js';

/**
 * Keeps the finished items of a `map` in objects below a prefix. Nothing refers to them, so they are removed when the
 * objects of the session are swept.
 *
 * @param batch number of items in one object
 */
export function journalAt(store: ObjectStore, prefix: string, batch: number): JournalStore {
  return {
    batch,
    async read() {
      const parts: FinishedItems[] = [];
      for await (const { key } of store.list(prefix))
        parts.push(JSON.parse(Buffer.from(await store.getBytes(key)).toString('utf8')) as FinishedItems);
      return parts;
    },
    async write(part, items) {
      const body = Buffer.from(JSON.stringify(items));
      await store.put(`${prefix}${part}.json`, body, { contentType: 'application/json' });
    },
  };
}
