import { atDepth, sampled } from './depth.js';

describe('the depth of an expensive test', () => {
  const given = globalThis.testTier;
  afterEach(() => {
    globalThis.testTier = given;
  });

  it.each([
    ['npm test', undefined, 1],
    ['test:system', 'system' as const, 1],
    ['test:deep', 'deep' as const, 2],
  ])('in %s', (_, tier, expected) => {
    globalThis.testTier = tier;
    expect(atDepth({ quick: 1, full: 2 })).toBe(expected);
  });

  it('tries each place in some row, and at full depth in every row', () => {
    const places = ['a', 'b', 'c', 'd', 'e'];
    const rows = () => [0, 1, 2].map((row) => sampled(places, row, 3));
    globalThis.testTier = undefined;
    expect(rows()).toEqual([['a', 'd'], ['c'], ['b', 'e']]);
    globalThis.testTier = 'deep';
    expect(rows()).toEqual([places, places, places]);
  });
});
