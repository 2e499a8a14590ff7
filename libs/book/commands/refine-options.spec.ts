import { describe, expect, it } from '@jest/globals';
import { Command } from 'commander';
import { givenOperationsSchema } from '../contract/operations.js';
import { registerRefine, type Wanted } from './book.js';

/** Parses a command line of `scriptorium book refine`. */
function parse(...args: string[]): Wanted | undefined {
  let given: Wanted | undefined;
  const command = new Command('refine').arguments('<book> [feedback]').exitOverride();
  command.configureOutput({ writeErr: () => undefined });
  registerRefine(command, (_, __, wanted) => Promise.resolve(void (given = wanted)));
  command.parse(['Salt', ...args], { from: 'user' });
  return given;
}

describe('scriptorium book refine', () => {
  it('X21 makes an operation of each option, in their order', () => {
    const { operations } = parse(
      ...['--rename', '2:"The Storm": a night', '--move', '3:1', '--move', '1:4', '--remove', '4,6'],
      ...['--add', '5:The Winter', '--merge', '7,8', '--split', '9', '--summary', '2:How it came'],
    )!;
    expect(operations).toEqual([
      { op: 'rename', chapter: 2, title: '"The Storm": a night' },
      { op: 'move', chapter: 3, after: 0 },
      { op: 'move', chapter: 1, after: 4 },
      { op: 'remove', chapter: 4 },
      { op: 'remove', chapter: 6 },
      { op: 'add', after: 4, title: 'The Winter' },
      { op: 'merge', chapters: [7, 8] },
      { op: 'split', chapter: 9 },
      { op: 'edit', chapter: 2, summary: 'How it came' },
    ]);
    expect(givenOperationsSchema.safeParse(operations).success).toBe(true);
  });

  it('sends feedback in the words of the author, which needs a model', () => {
    expect(parse('Remove chapter 2.')).toEqual({ feedback: 'Remove chapter 2.' });
  });

  it.each([[[]], [['Shorten it.', '--remove', '2']]])('rejects %j, which is not either of them', (args) => {
    expect(() => parse(...args)).toThrow('Say what to change');
  });

  it.each([
    ['--move', '3'],
    ['--move', '0:1'],
    ['--rename', 'The Storm'],
    ['--remove', '2-4'],
    ['--merge', 'all'],
    ['--add', '3:'],
  ])('rejects %s %s', (...args) => {
    expect(() => parse(...args)).toThrow(/Write /);
  });
});
