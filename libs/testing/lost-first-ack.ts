import type { Database } from '#db/client.js';

/** Returns a database whose first transaction is committed but reports a lost connection. */
export function withLostFirstAck(db: Database): Database {
  let isLost = false;
  return new Proxy(db, {
    get(target, name, receiver) {
      if (name !== '$transaction') return Reflect.get(target, name, receiver) as unknown;
      return async (...args: Parameters<Database['$transaction']>) => {
        const result: unknown = await target.$transaction(...args);
        if (isLost) return result;
        isLost = true;
        throw new Error('the connection was lost');
      };
    },
  });
}
