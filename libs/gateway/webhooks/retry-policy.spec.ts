import { retryDelay, RETRY_POLICY } from './deliveries.js';

it('increases the delay after each failure, up to eight attempts, with jitter', () => {
  const delays = Array.from({ length: 8 }, (_, index) => retryDelay(RETRY_POLICY, index + 1, 0.5));
  expect(delays).toEqual([5, 30, 300, 1_800, 7_200, 18_000, 28_800, null]);
  expect(retryDelay(RETRY_POLICY, 1, 0)).toBe(4);
  expect(retryDelay(RETRY_POLICY, 1, 1)).toBe(6);
});
