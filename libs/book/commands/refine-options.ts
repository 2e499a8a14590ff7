import { CliError } from '#cli/cli-error.js';
import type { PrintOptions } from '#cli/commands/print-result.js';
import { translate } from '#cli/language.js';
import { phrase, type Phrase } from '#contracts/phrases/phrase.js';
import { type Command, InvalidArgumentError } from 'commander';
import type { GivenOperation } from '../contract/operations.js';

/** Inputs of a run that refines an outline: either of them. */
export interface Wanted {
  operations?: GivenOperation[];
  feedback?: string;
}

type RefineOptions = PrintOptions & { accept: boolean };

/**
 * Adds the options of `scriptorium book refine`: an operation each, in the order of the command line. All numbers are
 * those of the outline before the first change.
 */
export function registerRefine(
  command: Command,
  refine: (options: RefineOptions, book: string, wanted: Wanted) => Promise<void>,
): void {
  const operations: GivenOperation[] = [];
  const change = (flags: string, description: string, read: (text: string) => GivenOperation[]) =>
    command.option(flags, `${description} (repeatable)`, (text: string) => operations.push(...read(text)));
  change('--move <chapter:place>', 'move a chapter to the place of another one, such as 3:1', (text) => {
    const [chapter = 0, place = 0] = placed(text);
    return [{ op: 'move', chapter, after: place < chapter ? place - 1 : place }];
  });
  change('--rename <chapter:title>', 'give a chapter another title, such as 2:"The Storm"', (text) => {
    const { chapter, words: title } = withWords(text);
    return [{ op: 'rename', chapter, title }];
  });
  change('--remove <chapters>', 'remove chapters, such as 4 or 4,6', (text) =>
    listed(text).map((chapter) => ({ op: 'remove', chapter })),
  );
  change('--add <place:title>', 'add a chapter at a place, such as 5:"The Winter"', (text) => {
    const { chapter: place, words: title } = withWords(text);
    return [{ op: 'add', after: place - 1, title }];
  });
  change('--merge <chapters>', 'merge chapters into the first of them, such as 2,3', (text) => [
    { op: 'merge', chapters: listed(text) },
  ]);
  change('--split <chapters>', 'move the second half of a chapter into a new one, such as 5', (text) =>
    listed(text).map((chapter) => ({ op: 'split', chapter })),
  );
  change(
    '--summary <chapter:text>',
    'say what a chapter is about, such as 2:"How the storm came"',
    (text) => {
      const { chapter, words: summary } = withWords(text);
      return [{ op: 'edit', chapter, summary }];
    },
  );
  command
    .option('--accept', 'revise the outline without asking', false)
    .action((book: string, feedback: string | undefined, options: RefineOptions) => {
      if ((feedback === undefined) === (operations.length === 0))
        throw new CliError(phrase('cli_error.refine_what'));
      return refine(options, book, feedback === undefined ? { operations } : { feedback });
    });
}

const placeProblem = phrase('usage.chapter_place');
const wordsProblem = phrase('usage.number_text');
const listProblem = phrase('usage.chapters', { example: '2,3' });

/** Returns the chapter and the words after the first colon. */
function withWords(text: string): { chapter: number; words: string } {
  const [, number, words] = /^([1-9]\d{0,2}):\s*(\S[^]*)$/.exec(text) ?? refuse(wordsProblem);
  return { chapter: Number(number), words: words! };
}

const listed = (text: string): number[] =>
  /^[1-9]\d{0,2}(?:,[1-9]\d{0,2})*$/.test(text) ? text.split(',').map(Number) : refuse(listProblem);

const placed = (text: string): number[] =>
  /^[1-9]\d{0,2}:[1-9]\d{0,2}$/.test(text) ? text.split(':').map(Number) : refuse(placeProblem);

function refuse(problem: Phrase): never {
  throw new InvalidArgumentError(translate(problem));
}
