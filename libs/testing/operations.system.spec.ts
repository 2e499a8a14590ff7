import { growthOfOperations, operationsOf } from './operations.js';

const loop = (size: number) => {
  let sum = 0;
  for (let index = 0; index < size; index++) sum += index;
  return sum;
};

const array = (size: number) => Array.from({ length: size }, (_, index) => index);

describe('operationsOf', () => {
  it('returns the same number for the same work', async () => {
    const once = () => operationsOf(() => loop(1_000));
    await once();
    expect(await once()).toBe(await once());
  });

  it.each<[string, (size: number) => unknown, number]>([
    ['the steps of a loop', loop, 2],
    ['the steps of a loop in a loop', (size) => array(size).map(() => loop(size)), 4],
    [
      'elements moved one by one',
      (size) => array(size).map((_, index, all) => all.splice(0, 1, index, index)),
      4,
    ],
    ['searches to the end of a text', (size) => array(size).map(() => 'x'.repeat(size).indexOf('y')), 4],
    [
      'regular expressions to the end of a text',
      (size) => array(size).map(() => /y/.test('x'.repeat(size))),
      4,
    ],
    ['the matches of one regular expression', (size) => 'xy'.repeat(size).replace(/y/g, 'z'), 2],
  ])('shows how %s grow', async (_, work, growth) => {
    expect(await growthOfOperations(work, 1_000)).toBeCloseTo(growth, 0);
  });
});
