import { tasks } from '#catalogue/tasks.js';
import { BUSY_STRETCH } from '../runtime/computing-limit.js';
import { LIMITS } from './conversion-pool.js';

describe('conversion tasks', () => {
  it.each([
    ['parse_to_json', 1],
    ['convert', 1],
    ['quality_check', 1],
    ['book_export', 2],
  ] as const)('D24 %s has a longer time limit than its steps on a busy machine (%i)', (name, steps) => {
    expect(tasks[name].timeoutMs).toBeGreaterThan(steps * BUSY_STRETCH * LIMITS.timeLimitMs);
  });
});
