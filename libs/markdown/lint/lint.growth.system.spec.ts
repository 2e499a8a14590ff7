import { operationsOf, growthOfOperations } from '#testing/operations.js';
import { lintMarkdown } from './lint.js';

describe('lintMarkdown', () => {
  it('D26 needs operations in proportion to the rows of a table', async () => {
    const lint = (rows: number) =>
      lintMarkdown(`# A\n\n|a|b|\n|-|-|\n${'|a|b|\n'.repeat(rows)}`, { knownReferences: [] });
    expect(await lint(1_000)).toEqual([]);
    expect(await growthOfOperations(lint, 1_000)).toBeLessThan(2.5);
  });

  it('D26 lints short chapters together', async () => {
    const document = (level: string) => `# A\n\n${`${level} Title\n\nSome words.\n\n`.repeat(200)}`;
    const cost = (level: string) =>
      operationsOf(() => lintMarkdown(document(level), { knownReferences: [] }));
    await cost('##');
    expect((await cost('#')) / (await cost('##'))).toBeLessThan(1.5);
  });
});
