import { cited, flaggedIn, missedOf, paraphrasedSources } from '#testing/writing/paraphrased.js';

describe('B26 sentences about incidents, runbooks, releases, laboratory notes and data sheets', () => {
  const sources = ['first', 'second', 'third'].flatMap((name) => paraphrasedSources(`technical/${name}.txt`));

  it.each(sources.map((source) => [source.name, source] as const))(
    'B26 accepts what a careful author makes of a source: %s',
    (_name, { text, honest, connecting }) => {
      expect(flaggedIn([...honest.map(cited), ...connecting].join('\n\n'), text)).toEqual([]);
    },
  );

  it.each([
    ['95', 'uncited inventions', '', 0.05],
    ['88', 'cited figures, dates, names and quotations', '[^s1]', 0.12],
  ] as const)('B26 finds %s of 100 %s', (_share, _which, note, part) => {
    const { misses, count } = missedOf(sources, note);
    expect([misses, misses.length <= part * count]).toEqual([expect.any(Array), true]);
  });
});
