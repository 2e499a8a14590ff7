import { growth } from '#testing/growth.js';
import { missingText, type WantedLine } from './missing-text.js';

const lines = (...texts: string[]): WantedLine[] =>
  texts.map((text, index) => ({ source: 's', line: index + 1, text, moves: false }));

describe('missingText', () => {
  it('X1 needs time in proportion to the missing words and the brackets next to them, not to their square', () => {
    const addresses = Array.from({ length: 500 }, (_, index) => `${'x'.repeat(index)}.md`);
    const amidCode = (gone: number) => {
      const code = Array.from({ length: 40 * gone }, (_, index) => `call(a${index}, (b) + c);`);
      const wanted = Array.from({ length: gone }, (_, index) => `cell ${index} lost${index}x`);
      expect(missingText(lines(...wanted), code, { addresses })).toHaveLength(gone);
    };
    expect(growth(amidCode, 150, 600)).toBeLessThan(11);
    const amidBrackets = (count: number) => {
      const brackets = '('.repeat(count);
      expect(missingText(lines(`${brackets}x`), [brackets], { addresses })).toHaveLength(1);
    };
    expect(growth(amidBrackets, 15_000, 60_000)).toBeLessThan(9);
  });
});
