import { usualArguments } from './usual-arguments.js';

describe('usualArguments', () => {
  it.each([
    ['Log of the pump', '# Log of the pump'],
    ['## Failure', '## Failure'],
    ['', ''],
    [7, 7],
    [undefined, undefined],
  ])('adds the marks of a heading that lacks them: %s', (heading, expected) => {
    const args = { filename: 'a.log', heading };
    expect(usualArguments({ name: 'place_source', args })).toEqual({ filename: 'a.log', heading: expected });
  });

  it('leaves the arguments of other tools as they are', () => {
    const args = { heading: 'Text' };
    expect(usualArguments({ name: 'append_to_markdown', args })).toBe(args);
  });
});
