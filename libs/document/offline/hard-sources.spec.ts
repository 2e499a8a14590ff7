import { atDepth } from '#testing/depth.js';
import { HARD_MARKDOWN } from '#testing/hard-markdown.js';
import { writeOffline } from '#testing/write-offline.js';
import { buildLedger } from '#verbatim/ledger.js';

/** Characters of a source. */
const SIZE = atDepth({ quick: 8_000, full: 1_000_000 });

describe('the offline writer, on sources that are hard to parse', () => {
  const cases = Object.keys(HARD_MARKDOWN).flatMap((name) => [
    [name, 'hard.md'] as const,
    [name, 'hard.txt'] as const,
  ]);
  it.each(cases)(
    'carries most of %s as %s',
    async (name, file) => {
      const source = HARD_MARKDOWN[name]!(SIZE);
      const written = await writeOffline({ [file]: source });
      const manuscript = written.manuscript.replace(/\s+/g, '');
      const lines = new Set(source.split('\n').map((line) => line.replace(/\s+/g, '')));
      expect([...lines].filter((line) => !manuscript.includes(line))).toEqual([]);
    },
    300_000,
  );

  const tableOf = (rows: number) =>
    `# Prices\n\n| a | b | c |\n|---|---|---|\n${'| some words | more of them | 12.50 |\n'.repeat(rows)}\nEnd.\n`;

  it.each([
    ...Object.entries(HARD_MARKDOWN).map(
      ([name, make]) => [name, () => make(atDepth({ quick: 15_000, full: 70_000 }))] as const,
    ),
    ['an ordinary table of a thousand rows', () => tableOf(1_000)] as const,
    [
      'prose and then a table of ten thousand rows',
      () => `${'Some words of a paragraph.\n\n'.repeat(2_000)}${tableOf(10_000)}`,
    ] as const,
  ])('carries several stretches of %s at coverage 1', async (_, make) => {
    const source = make();
    const { manuscript } = await writeOffline({ 'hard.md': source });
    const { coverage, unaccounted, altered } = buildLedger(manuscript, [{ name: 'hard.md', text: source }], {
      policy: 'verbatim',
    });
    expect([coverage, unaccounted.slice(0, 2), altered.slice(0, 2)]).toEqual([1, [], []]);
  });

  it('keeps an ordinary table of a thousand rows as a table', async () => {
    const { manuscript } = await writeOffline({ 'table.md': tableOf(1_000) });
    expect(manuscript).not.toContain('```');
  });
});
