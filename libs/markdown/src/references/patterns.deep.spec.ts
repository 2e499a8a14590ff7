import { check } from 'recheck';
import { PATTERNS } from './patterns.js';

describe('regular expressions of references', () => {
  it.each(Object.entries(PATTERNS))(
    '%s is free of exponential and polynomial blow-up, as recheck proves',
    async (_, { source, flags }) => {
      // recheck's own time limit would change the result on a busy machine.
      expect((await check(source, flags, { timeout: null })).status).toBe('safe');
    },
  );
});
