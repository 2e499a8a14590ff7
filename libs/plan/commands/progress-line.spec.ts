import type { RunEvent } from '#catalogue/events.js';
import { planLine } from './plan.js';

const lineOf = (type: string, data: object) => planLine({ type, data } as unknown as RunEvent);

describe('the progress of a plan', () => {
  it.each([
    [
      'ail_failed',
      { action_taken: 'continue' },
      'the model failed to decide, and the plan continues: It is down.',
    ],
    ['ail_failed', { action_taken: 'ask' }, 'the model failed to decide, and a person is asked: It is down.'],
    ['replan_failed', {}, 'replanning failed: It is down.'],
    ['fallback_used', { stage: 'plan' }, 'rules make the plan, without a model'],
  ])('X13 reports that the model failed, and what happens next: %s %j', (type, data, line) => {
    expect(lineOf(type, { code: 'model_unavailable', error: 'It is down.', ...data })).toBe(line);
  });
});
