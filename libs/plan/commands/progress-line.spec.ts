import type { RunEvent } from '#contracts/events.js';
import { planLine } from './progress-line.js';

describe('the progress of a plan', () => {
  it('X13 says that the model failed to decide', () => {
    const data = { code: 'model_unavailable', error: 'It is down.', action_taken: 'continue' };
    const line = planLine({ type: 'ail_failed', data } as unknown as RunEvent);
    expect(line).toBe('the model failed to decide, and the plan goes on: It is down.');
  });
});
