import {
  cited,
  flaggedIn,
  type InventionKind,
  missedIn,
  paraphrasedSources,
} from '#testing/writing/paraphrased.js';

const ALL: InventionKind[] = ['f', 'd', 'n', 'q', 'c', 's'];
const HARD: InventionKind[] = ['f', 'd', 'n', 'q'];

describe('B26 sentences about incidents, runbooks, releases, laboratory notes and data sheets', () => {
  const sources = ['first', 'second', 'third'].flatMap((name) => paraphrasedSources(`technical/${name}.txt`));

  it.each(sources.map((source) => [source.name, source] as const))(
    'B26 accepts what a careful author makes of a source: %s',
    (_name, { text, honest, connecting }) => {
      expect(flaggedIn([...honest.map(cited), ...connecting].join('\n\n'), text)).toEqual([]);
    },
  );

  it.each([
    ['95', 'uncited inventions', '', ALL, 0.05],
    ['88', 'cited figures, dates, names and quotations', '[^s1]', HARD, 0.12],
  ] as const)('B26 finds %s of 100 %s', (_share, _which, note, kinds, part) => {
    const misses = sources.flatMap((source) => missedIn(source, note, kinds));
    const count = sources
      .flatMap(({ invented }) => invented)
      .filter(({ kind }) => kinds.includes(kind)).length;
    expect([misses, misses.length <= part * count]).toEqual([expect.any(Array), true]);
  });
});
