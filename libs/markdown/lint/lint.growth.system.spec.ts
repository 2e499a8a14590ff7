import { growthOfOperations } from '#testing/operations.js';
import { lintMarkdown } from './lint.js';

describe('lintMarkdown', () => {
  it('D26 needs operations in proportion to the rows of a table', async () => {
    const lint = (rows: number) =>
      lintMarkdown(`# A\n\n|a|b|\n|-|-|\n${'|a|b|\n'.repeat(rows)}`, { knownReferences: [] });
    expect(await lint(1_000)).toEqual([]);
    expect(await growthOfOperations(lint, 1_000)).toBeLessThan(2.5);
  });
});
