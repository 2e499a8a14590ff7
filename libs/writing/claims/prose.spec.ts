import {
  cited,
  flaggedIn,
  type InventionKind,
  missedIn,
  paraphrasedSources,
} from '#testing/writing/paraphrased.js';

const ALL: InventionKind[] = ['f', 'd', 'n', 'q', 'c', 's'];
const HARD: InventionKind[] = ['f', 'd', 'n', 'q'];

describe('B26 sentences about minutes, letters, reports, histories and notes in five languages', () => {
  const sources = [
    'prose/first',
    'prose/second',
    'prose/third',
    'everyday/first',
    'everyday/second',
    'everyday/third',
    'everyday/fourth',
  ].flatMap((name) => paraphrasedSources(`${name}.txt`));

  it.each(sources.map((source) => [source.name, source] as const))(
    'B26 accepts what a careful author makes of a source: %s',
    (_name, { text, honest }) => {
      expect(flaggedIn(honest.map(cited).join('\n\n'), text)).toEqual([]);
    },
  );

  it.each([
    ['uncited inventions', '', ALL],
    ['cited figures, dates, names and quotations', '[^s1]', HARD],
  ] as const)('B26 finds 95 of 100 %s', (_name, note, kinds) => {
    const misses = sources.flatMap((source) => missedIn(source, note, kinds));
    const count = sources
      .flatMap(({ invented }) => invented)
      .filter(({ kind }) => kinds.includes(kind)).length;
    expect([misses, misses.length <= 0.05 * count]).toEqual([expect.any(Array), true]);
  });
});
