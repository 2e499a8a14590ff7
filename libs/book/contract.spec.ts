import { describe, expect, it } from '@jest/globals';
import { bookKind, bookModes } from './contract.js';

describe('the contract of books', () => {
  it('B5 waits 480 seconds for chapters, 240 seconds for everything else', () => {
    expect(bookModes.map((mode) => [mode, bookKind.waitSeconds(mode)])).toEqual([
      ['toc', 240],
      ['refine_toc', 240],
      ['chapter', 480],
      ['export', 240],
      ['book', 480],
      ['assist_profile', 240],
    ]);
  });
});
