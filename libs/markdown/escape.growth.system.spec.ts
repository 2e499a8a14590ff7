import { growthOfOperations } from '#testing/operations.js';
import { escapeText } from './escape.js';

describe('escapeText', () => {
  it.each(['_', 'a_', '#', ' #', '[', '\\', 'http://', '$', '<', '&a', '-', '~'])(
    'X1 needs operations in proportion to the length of the text, not to its square: %j',
    async (mark) => {
      expect(await growthOfOperations((size) => escapeText(mark.repeat(size)), 2_000)).toBeLessThan(2.5);
    },
  );
});
