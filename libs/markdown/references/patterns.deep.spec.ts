import { check } from 'recheck';
import { PATTERNS } from './markup.js';

describe('regular expressions of references', () => {
  it.each(Object.entries(PATTERNS))(
    '%s is free of exponential and polynomial blow-up, as recheck proves',
    async (_, { source, flags }) => {
      // Limit the number of characters that an attack makes the engine read: a time limit would depend on the load of
      // the machine.
      const untimed = { timeout: null, attackTimeout: null, incubationTimeout: null };
      expect((await check(source, flags, untimed)).status).toBe('safe');
    },
  );
});
