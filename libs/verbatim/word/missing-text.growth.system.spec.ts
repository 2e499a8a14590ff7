import { growthOfBlocks, growthOfOperations } from '#testing/operations.js';
import { missingText, type WantedLine } from './missing-text.js';

const lines = (...texts: string[]): WantedLine[] =>
  texts.map((text, index) => ({ source: 's', line: index + 1, text, moves: false }));
const addresses = Array.from({ length: 500 }, (_, index) => `${'x'.repeat(index)}.md`);

describe('missingText', () => {
  it('X1 needs operations in proportion to the missing words, not to their square', async () => {
    const amidCode = (gone: number) => {
      const code = Array.from({ length: 40 * gone }, (_, index) => `call(a${index}, (b) + c);`);
      const wanted = Array.from({ length: gone }, (_, index) => `cell ${index} lost${index}x`);
      expect(missingText(lines(...wanted), code, { addresses })).toHaveLength(gone);
    };
    expect(await growthOfBlocks(amidCode, 50)).toBeLessThan(2.8);
  });

  it('X1 needs operations in proportion to the brackets next to them, not to their square', async () => {
    const amidBrackets = (count: number) => {
      const brackets = '('.repeat(count);
      expect(missingText(lines(`${brackets}x`), [brackets], { addresses })).toHaveLength(1);
    };
    expect(await growthOfOperations(amidBrackets, 2_000)).toBeLessThan(2.8);
  });
});
