import { MB, msUntilNextCheck } from './disk-space.js';

describe('the checks of a disk', () => {
  it.each([
    [100, 1_000],
    [64 + 4_000, 4_000],
    [50_000, 10_000],
  ])('with %d MB left follow each other after %d ms', (left, ms) => {
    expect(msUntilNextCheck({ free: left * MB, total: 100_000 * MB })).toBe(ms);
  });
});
