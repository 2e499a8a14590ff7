import type { CallEntry, CallStore } from '../tools/platform/call-journal.js';
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

/**
 * Keeps an entry before and one after each call of a `map` with side effects in objects below a prefix. They stay as long
 * as the run may continue.
 */
export function callsAt(store: ObjectStore, prefix: string): CallStore {
  const keyOf = ({ index, attempt }: Pick<CallEntry, 'index' | 'attempt'>, state: 'begun' | 'ended') =>
    `${prefix}${index}-${attempt}.${state}.json`;
  const write = (key: string, entry: CallEntry) =>
    store.put(key, Buffer.from(JSON.stringify(entry)), { contentType: 'application/json', ifAbsent: true });
  return {
    async read() {
      const entries = new Map<string, CallEntry>();
      for await (const { key } of store.list(prefix)) {
        const entry = JSON.parse(Buffer.from(await store.getBytes(key)).toString('utf8')) as CallEntry;
        const name = `${entry.index}-${entry.attempt}`;
        if (entry.end || !entries.has(name)) entries.set(name, entry);
      }
      return [...entries.values()];
    },
    begin: async (entry) => (await write(keyOf(entry, 'begun'), { ...entry, end: null })).created,
    end: async (entry) => void (await write(keyOf(entry, 'ended'), entry)),
  };
}
