import type { Database } from '#db/client.js';

/** Error of every statement after the simulated death of the process. */
class DeadProcessError extends Error {
  override readonly name = 'DeadProcessError';
}

/** Notifications do not count: they commit nothing, and their number depends on timing. */
const isAnnouncement = ([statement]: unknown[]) => {
  const strings = Array.isArray(statement) ? statement : (statement as { strings?: string[] })?.strings;
  return strings?.join('').includes('pg_notify') === true;
};

/**
 * Simulates the database of a process that dies at a given statement: before the statement is sent, or after its commit
 * but before the response. All later statements fail, as after `kill -9`.
 *
 * @param at number of the statement, from 1; 0 only counts statements
 */
export function dyingDatabase(
  db: Database,
  at: number,
  when: 'before' | 'after',
): { db: Database; statements: () => number; dead: () => boolean } {
  let count = 0;
  let dead = false;
  const gate = async <T>(send: () => PromiseLike<T>): Promise<T> => {
    if (dead) throw new DeadProcessError('the process is dead');
    count += 1;
    const mine = count;
    if (mine === at && when === 'before') dead = true;
    if (dead) throw new DeadProcessError('the process is dead');
    const result = await send();
    if (mine === at) dead = true;
    if (dead) throw new DeadProcessError('the process is dead');
    return result;
  };
  const wrap = (target: object): object =>
    new Proxy(target, {
      get(inner, key) {
        const value: unknown = Reflect.get(inner, key);
        if (typeof value === 'function')
          return (...args: unknown[]) => {
            const send = () => Reflect.apply(value, inner, args) as PromiseLike<unknown>;
            return isAnnouncement(args) ? send() : gate(send);
          };
        return typeof value === 'object' && value !== null ? wrap(value) : value;
      },
    });
  return { db: wrap(db) as Database, statements: () => count, dead: () => dead };
}
