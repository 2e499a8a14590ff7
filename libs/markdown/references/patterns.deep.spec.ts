import { check } from 'recheck';
import { PATTERNS } from './patterns.js';

describe('regular expressions of references', () => {
  it.each(Object.entries(PATTERNS))(
    '%s is free of exponential and polynomial blow-up, as recheck proves',
    async (_, { source, flags }) => {
      // What counts is how many characters an attack makes the engine read: limits of time would change the result on a busy machine.
      const untimed = { timeout: null, attackTimeout: null, incubationTimeout: null };
      expect((await check(source, flags, untimed)).status).toBe('safe');
    },
  );
});
