import { cited, flaggedIn, missedOf, paraphrasedSources } from '#testing/writing/paraphrased.js';

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
    ['uncited inventions', ''],
    ['cited figures, dates, names and quotations', '[^s1]'],
  ] as const)('B26 finds 95 of 100 %s', (_name, note) => {
    const { misses, count } = missedOf(sources, note);
    expect([misses, misses.length <= 0.05 * count]).toEqual([expect.any(Array), true]);
  });
});
