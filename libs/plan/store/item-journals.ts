import { forEachConcurrently } from '#contracts/for-each-concurrently.js';
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
      const keys: string[] = [];
      for await (const { key } of store.list(prefix)) keys.push(key);
      return readAll<FinishedItems>(store, keys);
    },
    async write(part, items) {
      const body = Buffer.from(JSON.stringify(items));
      await store.put(`${prefix}${part}.json`, body, { contentType: 'application/json' });
    },
  };
}

const [BEGUN, ENDED] = ['.begun.json', '.ended.json'] as const;

/**
 * Keeps an entry before and one after each call of a `map` with side effects in objects below a prefix. They stay as long
 * as the run may continue.
 */
export function callsAt(store: ObjectStore, prefix: string): CallStore {
  const keyOf = ({ item, attempt }: Pick<CallEntry, 'item' | 'attempt'>, state: string) =>
    `${prefix}${item}-${attempt}${state}`;
  const write = async (key: string, entry: CallEntry) => {
    const body = Buffer.from(JSON.stringify(entry));
    return (await store.put(key, body, { contentType: 'application/json', ifAbsent: true })).created;
  };
  return {
    async read() {
      const keys = new Set<string>();
      for await (const { key } of store.list(prefix)) keys.add(key);
      const isEnded = (key: string) => key.endsWith(BEGUN) && keys.has(key.replace(BEGUN, ENDED));
      return readAll<CallEntry>(
        store,
        [...keys].filter((key) => !isEnded(key)),
      );
    },
    begin: (entry) => write(keyOf(entry, BEGUN), { ...entry, end: null }),
    end: (entry) => write(keyOf(entry, ENDED), entry),
  };
}

async function readAll<T>(store: ObjectStore, keys: readonly string[]): Promise<T[]> {
  const all: T[] = [];
  await forEachConcurrently(keys, async (key) => {
    all.push(JSON.parse(Buffer.from(await store.getBytes(key)).toString('utf8')) as T);
  });
  return all;
}
