import type { Database } from '#db/client.js';

/** What a statement of a dead process gets. */
export class DeadProcessError extends Error {
  override readonly name = 'DeadProcessError';
}

/** Announcements commit nothing, and their number depends on the time. */
const isAnnouncement = ([statement]: unknown[]) => {
  const strings = Array.isArray(statement) ? statement : (statement as { strings?: string[] })?.strings;
  return strings?.join('').includes('pg_notify') === true;
};

/**
 * A database as a process sees it that dies at one of its statements: right before it is sent, or right after it was
 * committed and before the answer came. From then on nothing gets through, as after `kill -9`.
 *
 * @param at number of the statement, from 1; 0 never dies and only counts
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
