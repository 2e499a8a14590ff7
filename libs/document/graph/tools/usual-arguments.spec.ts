import { usualArguments } from '../nodes/tools.js';

describe('usualArguments', () => {
  it.each([
    ['Log of the pump', '# Log of the pump'],
    ['## Failure', '## Failure'],
    ['', ''],
    [7, 7],
    [undefined, undefined],
  ])('adds missing marks of a heading: %s', (heading, expected) => {
    const args = { filename: 'a.log', heading };
    expect(usualArguments({ name: 'place_source', args })).toEqual({ filename: 'a.log', heading: expected });
  });

  it.each(['file', 'path'])('reads %s as the name of the file', (key) => {
    expect(usualArguments({ name: 'read_file', args: { [key]: 'a.log' } })).toMatchObject({
      filename: 'a.log',
    });
    expect(usualArguments({ name: 'read_file', args: { [key]: 'a.log', filename: 'b.log' } })).toMatchObject({
      filename: 'b.log',
    });
  });

  it('does not change the arguments of other tools', () => {
    const args = { heading: 'Text' };
    expect(usualArguments({ name: 'append_to_markdown', args })).toBe(args);
  });
});
