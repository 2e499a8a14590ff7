import { cited, flaggedIn, missedIn, paraphrasedSources } from '#testing/writing/paraphrased.js';

describe('B26 figures that follow from figures of the cited passage', () => {
  const sources = ['first', 'second', 'third', 'ordinary'].flatMap((name) =>
    paraphrasedSources(`arithmetic/${name}.txt`),
  );

  it.each(sources.map((source) => [source.name, source] as const))(
    'B26 accepts sums, shares, averages, periods, other units and rounded figures: %s',
    (_name, { text, honest }) => {
      expect(flaggedIn(honest.map(cited).join('\n\n'), text)).toEqual([]);
    },
  );

  it.each(['', '[^s1]'] as const)('B26 finds 95 of 100 wrong figures, with the note "%s"', (note) => {
    const misses = sources.flatMap((source) => missedIn(source, note, ['f']));
    const count = sources.reduce((sum, { invented }) => sum + invented.length, 0);
    expect([misses, misses.length <= 0.05 * count]).toEqual([expect.any(Array), true]);
  });
});
