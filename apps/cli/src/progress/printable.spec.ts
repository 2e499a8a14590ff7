import { EventLines } from './event-lines.js';
import { planLine } from './plan-line.js';
import { printable } from './printable.js';

describe('what others wrote, in a terminal', () => {
  it.each([
    ['\u001b[2J\u001b]0;owned\u0007done\r', '[2J]0;owneddone'],
    ['\u001b[31mred\u001b[39m, \u001b[1A\u009b2Kgone', '\u001b[31mred\u001b[39m, [1A2Kgone'],
    ['one\n\ttwo', 'one\n\ttwo'],
    ['zażółć 👩‍👩‍👧', 'zażółć 👩‍👩‍👧'],
  ])('keeps its words and colours, and moves nothing: %j', (said, shown) => {
    expect(printable(said)).toBe(shown);
  });

  it('P13 the error of a tool of another’s server wipes no line of a plan', () => {
    const lines: string[] = [];
    new EventLines((line) => lines.push(line), planLine).event({
      run_id: 'run_1',
      seq: 1,
      at: '',
      type: 'task_error',
      data: { task_id: 'a', tool: 's/t', error: { message: 'no\u001b[2K\rplan approved' } },
    });
    expect(lines).toEqual(['a (s/t): no[2Kplan approved']);
  });
});
