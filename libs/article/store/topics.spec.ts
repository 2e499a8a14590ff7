import { topicSimilarity } from './article-log.js';

describe('topics of articles', () => {
  it.each([
    ['The lamp of the lighthouse at Marrow Point', 'The lighthouse lamp at Marrow Point'],
    ['Prices of rope', 'The price of rope'],
    ['Jak naprawia się sieci rybackie', 'Naprawa sieci rybackich: jak naprawiać sieci'],
    ['AI', 'ai'],
  ])('A5 treats %p and %p as nearly the same', (one, other) => {
    expect(topicSimilarity(one, other)).toBeGreaterThanOrEqual(0.6);
  });

  it.each([
    ['The history of the lighthouse', 'The history of the tractor'],
    ['Stones of the tower', 'Tower in the web'],
    ['How bread is baked', 'How nets are mended'],
    ['Jak piecze się chleb', 'Jak naprawia się sieci'],
    ['', 'Nets'],
  ])('A5 treats %p and %p as different', (one, other) => {
    expect(topicSimilarity(one, other)).toBeLessThan(0.6);
  });
});
