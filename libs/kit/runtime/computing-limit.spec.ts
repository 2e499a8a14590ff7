import { HandClock } from '#testing/hand-clock.js';
import { computingLimit } from './computing-limit.js';

/** Returns the tenths of a second after which the limit of a task is reached that has the cores for a share of the time. */
function reachedAfter(limitMs: number, stretch: number | undefined, share: number): number {
  const clock = new HandClock(share);
  const { signal } = computingLimit(limitMs, stretch, clock);
  let passed = 0;
  for (; !signal.aborted; passed += 10) clock.pass(10);
  expect(clock.isIdle).toBe(true);
  return Math.round(passed / 100);
}

describe('D26 computingLimit', () => {
  it.each<[string, number | undefined, number, number]>([
    ['counts all time without a stretch', undefined, 0, 10],
    ['is reached in time by a task that always computes', 5, 1, 10],
    ['is reached no sooner by a process that uses several cores', 5, 4, 10],
    ['counts the half of the time in which a task has the cores', 5, 0.5, 20],
    ['is reached after the stretch by a task that only waits', 5, 0, 50],
  ])('%s', (_, stretch, share, expected) => {
    expect(reachedAfter(1_000, stretch, share)).toBe(expected);
  });

  it('counts CPU time of a task after a wait', () => {
    const clock = new HandClock(0);
    const { signal } = computingLimit(1_000, 5, clock);
    clock.pass(2_500);
    expect(signal.aborted).toBe(false);
    clock.share = 1;
    clock.pass(490);
    expect(signal.aborted).toBe(false);
    clock.pass(30);
    expect(signal.aborted).toBe(true);
  });

  it('does not expire after it was stopped', () => {
    const clock = new HandClock(1);
    const limit = computingLimit(1_000, 5, clock);
    clock.pass(500);
    limit.stop();
    expect(clock.isIdle).toBe(true);
    clock.pass(10_000);
    expect(limit.signal.aborted).toBe(false);
  });
});
