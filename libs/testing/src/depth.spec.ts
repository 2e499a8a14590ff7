import { atDepth, sampled } from './depth.js';

describe('the depth of the dear tests', () => {
  const given = process.env['SCRIPTORIUM_TEST_DEPTH'];
  const at = (depth: string | undefined) => {
    if (depth === undefined) delete process.env['SCRIPTORIUM_TEST_DEPTH'];
    else process.env['SCRIPTORIUM_TEST_DEPTH'] = depth;
  };
  afterEach(() => at(given));

  it.each([
    [undefined, 1],
    ['', 1],
    ['quick', 1],
    ['full', 2],
  ])('is %s', (depth, expected) => {
    at(depth);
    expect(atDepth({ quick: 1, full: 2 })).toBe(expected);
  });

  it('is refused when it is none', () => {
    at('ful');
    expect(() => atDepth({ quick: 1, full: 2 })).toThrow('SCRIPTORIUM_TEST_DEPTH is "ful"');
  });

  it('tries each place in some row, and at full depth in every row', () => {
    const places = ['a', 'b', 'c', 'd', 'e'];
    const rows = () => [0, 1, 2].map((row) => sampled(places, row, 3));
    at('quick');
    expect(rows()).toEqual([['a', 'd'], ['c'], ['b', 'e']]);
    at('full');
    expect(rows()).toEqual([places, places, places]);
  });
});
