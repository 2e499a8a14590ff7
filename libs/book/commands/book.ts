import { describeIndexing, withProblem } from '#knowledge/commands/describe-source.js';
import { translate, renderText } from '#cli/language.js';
import { phrase, isPhraseCode, type Phrase } from '#contracts/phrases/phrase.js';
import { citationStyles } from '#contracts/bibliography-names.js';
import { pdfStandards, trimSizes } from '#contracts/file-kinds.js';
import type { Schemas } from '#catalogue/named-schemas.js';
import { everyItem, unwrap } from '#contracts/api/responses.js';
import { stat } from 'node:fs/promises';
import { basename, dirname, resolve } from 'node:path';
import { chapterLengths, type ChapterLength } from '../contract/profile.js';
import { type Command, InvalidArgumentError, Option } from 'commander';
import {
  exportBook,
  type ExportOptions,
  findBook,
  formatOf,
  listBooks,
  runBook,
  stopBook,
  type Book,
  type Output,
} from './runs.js';
import { registerChapter, registerOverrule, registerRelease, smallNumber } from './chapter.js';
import { addSources, listSources } from './sources.js';
import { CliError } from '#cli/cli-error.js';
import type { ApiClient } from '#cli/client/api-client.js';
import { collectSources, reportSkipped } from '#cli/inputs/collect-files.js';
import { requireWritable } from '#cli/outputs/output-file.js';
import { LineProgress } from '#cli/progress/line-progress.js';
import { secondsSince } from '#cli/commands/deliver.js';
import type { Work } from '#cli/stack/with-service.js';
import {
  createPrinter,
  type PrintOptions,
  renderLines,
  withPrintOptions,
} from '#cli/commands/print-result.js';
import type { RunEvent } from '#catalogue/events.js';
import { acceptAtTerminal } from '#cli/answers/terminal.js';
import type { Progress } from '#cli/progress/progress.js';
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

interface Concept {
  title?: string;
  author?: string;
  language?: string;
  length: ChapterLength;
  chapters?: number;
}
/** Runs a command about books and prints its result. */
const printWork = createPrinter(
  new LineProgress(undefined, (event) => [bookLine(event)]),
  phrase('cli_error.chapters_saved', { command: 'scriptorium book write --book BOOK' }),
);

/** `scriptorium book …`: from sources to a book that can be printed (B1–B22 from a terminal). */
export function registerBook(book: Command): void {
  const sub = (usage: string, description: string) =>
    withPrintOptions(book.command(usage).description(description));
  withConcept(sub('new <title>', 'Create a book')).action((title: string, options: PrintOptions & Concept) =>
    printWork(options, ({ client }) => create(client, { ...options, title }), renderBook),
  );
  sub('list', 'List your books, newest first').action((options: PrintOptions) =>
    printWork(options, ({ client }) => listBooks(client), renderBooks),
  );
  sub(
    'add <book> <paths...>',
    'Add files or folders to the sources of a book, and wait until they are indexed',
  ).action(add);
  sub('outline <book>', 'Create the outline from the sources').action((name: string, options: PrintOptions) =>
    printWork(options, (work) => outline(work, name), renderChapters),
  );
  registerRefine(
    sub('refine <book> [feedback]', 'Change the outline by options, or let the model change it by feedback'),
    (options, book, wanted) =>
      printWork(options, (work) => refine(work, book, wanted, options.accept), renderChapters),
  );
  registerChapter(
    sub('chapter <book> <number>', 'Write a chapter, or revise it according to feedback'),
    printWork,
  );
  registerRelease(
    sub(
      'release <book> <number> [paragraphs...]',
      'Let runs change paragraphs of a chapter again that you wrote or accepted (default: all)',
    ),
    printWork,
  );
  registerOverrule(
    sub('overrule <book> <number> <finding>', 'Say that a finding of a chapter, by its ID, is wrong'),
    printWork,
  );
  sub('stop <book>', 'Stop writing a whole book after the current chapter').action(
    (name: string, options: PrintOptions) =>
      printWork(options, ({ client }) => stopBook(client, name), renderBook),
  );
  sub('status <book>', 'Show the chapters and the sources of a book').action(status);
  sub('export <book>', 'Export a book as .docx, .pdf, .epub, or .zip (Markdown with its assets)')
    .requiredOption('-o, --output <file>', 'the file to write')
    .addOption(
      new Option('--citation-style <style>', "form of notes and bibliography (default: the book's)").choices([
        ...citationStyles,
      ]),
    )
    .addOption(
      new Option('--trim-size <size>', `page size of .docx and .pdf (default: ${trimSizes[0]})`).choices([
        ...trimSizes,
      ]),
    )
    .addOption(
      new Option(
        '--pdf-standard <standard>',
        'standard that a .pdf keeps: accessible, or for archives',
      ).choices([...pdfStandards]),
    )
    .option('--list-of-figures', 'list figures and tables after the contents')
    .option('--no-list-of-figures', 'omit these lists')
    .option('--index', 'end with an index of the names and terms that the chapters state')
    .option('--tracked', 'write open proposals into a .docx as tracked changes and comments')
    .action(exportTo);
  withConcept(
    sub(
      'write [paths...]',
      'Write a whole book from files or folders, or the missing chapters of an existing one (--book)',
    ),
  )
    .requiredOption('-o, --output <file>', 'the file to write: .docx, .pdf, .epub or .zip')
    .option('--book <book>', 'continue this book (ID or title); adds the paths to its sources')
    .option('--title <text>', 'title of a new book (default: the name of the first folder)')
    .action(write);
}

function withConcept(command: Command): Command {
  return command
    .option('--author <name>', 'author of the book')
    .option('--language <tag>', 'language of the book, such as en or pl')
    .option('--chapters <number>', 'approximate number of chapters', (text: string) =>
      smallNumber(text, phrase('usage.number_of_chapters')),
    )
    .addOption(
      new Option('--length <length>', 'length of a chapter').choices([...chapterLengths]).default('short'),
    );
}

const create = (client: ApiClient, { title, author, language, length, chapters }: Concept): Promise<Book> =>
  unwrap(
    client.POST('/api/books/projects', {
      body: {
        title,
        language,
        chapter_length: length,
        chapter_count: chapters,
        author,
      },
    }),
  );

async function add(name: string, paths: string[], options: PrintOptions): Promise<void> {
  const { files, leftOut } = await collectSources(paths);
  await printWork(
    options,
    async ({ client, progress, signal }) => {
      reportSkipped(leftOut, (message) => progress.say(message));
      const { id } = await findBook(client, name);
      return addSources(client, id, files, (message) => progress.say(message), signal);
    },
    renderSources,
  );
}

type Chapter = Schemas['BookChapter'];
const chaptersOf = (client: ApiClient, project_id: string): Promise<Chapter[]> =>
  everyItem((query) =>
    unwrap(
      client.GET('/api/books/projects/{project_id}/chapters', { params: { path: { project_id }, query } }),
    ),
  );

async function outline(work: Work, name: string): Promise<Chapter[]> {
  const book = await findBook(work.client, name);
  await makeOutline(work, book);
  return chaptersOf(work.client, book.id);
}

async function refine(work: Work, name: string, wanted: Wanted, accepts: boolean): Promise<Chapter[]> {
  const { id } = await refineOutline(work, name, wanted, accepts);
  return chaptersOf(work.client, id);
}

async function status(name: string, options: PrintOptions): Promise<void> {
  await printWork(
    options,
    async ({ client }) => {
      const book = await findBook(client, name);
      const [chapters, sources] = [await chaptersOf(client, book.id), await listSources(client, book.id)];
      return { book, chapters, sources };
    },
    ({ book, chapters, sources }) =>
      `${renderBook(book)}${renderChapters(chapters)}${renderSources(sources)}`,
  );
}

async function exportTo(
  name: string,
  options: PrintOptions & ExportOptions & { output: string },
): Promise<void> {
  await checkOutput(options.output);
  await printWork(
    options,
    async ({ client, progress, signal }) => ({
      file: await exportBook(client, await findBook(client, name), options, progress, signal, options),
    }),
    ({ file }) => `${file}\n`,
  );
}

async function write(
  paths: string[],
  options: PrintOptions & Concept & { output: string; book?: string },
): Promise<void> {
  if (paths.length === 0 && options.book === undefined) throw new CliError(phrase('cli_error.book_inputs'));
  const { files, leftOut } = paths.length === 0 ? { files: [], leftOut: [] } : await collectSources(paths);
  await checkOutput(options.output);
  const startedAt = Date.now();
  await printWork(
    options,
    async (work) => {
      const { client, progress, signal } = work;
      reportSkipped(leftOut, (message) => progress.say(message));
      const book = options.book
        ? await findBook(client, options.book)
        : await createFrom(paths[0]!, options, work);
      progress.say(translate(phrase('out.book_started', { id: book.id, title: book.title })));
      if (files.length > 0)
        await addSources(client, book.id, files, (message) => progress.say(message), signal);
      if ((await chaptersOf(client, book.id)).length === 0) await makeOutline(work, book);
      const { used_fallback } = await runBook(client, book, 'book', {}, progress, signal);
      const file = await exportBook(client, book, options, progress, signal);
      const chapters = await chaptersOf(client, book.id);
      return {
        book_id: book.id,
        title: book.title,
        chapters,
        used_fallback,
        file,
        seconds: secondsSince(startedAt),
      };
    },
    (made) =>
      `${translate(
        phrase('out.book_summary', {
          title: made.title,
          chapters: phrase('cli.chapters', { count: made.chapters.length }),
          seconds: made.seconds,
        }),
      )}${made.used_fallback ? translate(phrase('out.compiled')) : ''}\n  ${made.file}\n`,
  );
}

/**
 * Creates a book with the title of the options, else with the folder's name, or without a title if the
 * service rejects the folder's name.
 */
async function createFrom(path: string, options: Concept, { client, progress }: Work): Promise<Book> {
  const { title = await titleFrom(path) } = options;
  try {
    return await create(client, { ...options, title });
  } catch (error) {
    const isRefused = error instanceof CliError && error.code === 'invalid_request';
    if (!isRefused || options.title !== undefined) throw error;
    progress.say(translate(phrase('out.title_refused', { title: title ?? '' })));
    const { title: _, ...untitled } = options;
    return create(client, untitled);
  }
}

async function titleFrom(path: string): Promise<string> {
  const isFolder = (await stat(path)).isDirectory();
  return basename(isFolder ? resolve(path) : dirname(resolve(path)));
}

/** @throws CliError when the extension is not an export format, or the file cannot be written */
async function checkOutput(file: string): Promise<void> {
  formatOf(file);
  await requireWritable(file);
}

const renderBooks = renderLines(({ id, title, status }: Book) => `${id}  ${status.padEnd(9)} ${title}`);
const renderBook = (book: Book) => renderBooks([book]);
const renderChapters = renderLines(
  ({ number, title, status }: Chapter) => `${String(number).padStart(3)}  ${status.padEnd(8)} ${title}`,
);
const renderSources = renderLines(
  ({ title, metadata_json: { source_priority_label: priority, ...about } }: Schemas['BookSource']) =>
    `     ${describeIndexing(about)}  ${translate(phrase(`source_priority.${priority}`)).padEnd(10)} ${withProblem(title, about)}`,
);

/** Returns the name of a stage; of one of a newer release, its code. */
function stageName(stage: unknown): string {
  const code = `stage.${String(stage)}`;
  return isPhraseCode(code) ? translate({ code, params: {} }) : String(stage);
}

/** Returns a note on the stages that rules executed instead of a model; may be empty. */
const byRules = (stages: unknown): string =>
  Array.isArray(stages) && stages.length > 0
    ? `  ${translate(phrase('out.by_rules', { stages: stages.map(stageName).join(', ') }))}`
    : '';

const keptWords = ({ score, new_score, version }: RunEvent['data']) =>
  typeof score === 'number'
    ? phrase('out.chapter_kept', { score, new_score: Number(new_score), version: Number(version) })
    : phrase('out.chapter_kept.edited', { version: Number(version) });

/** Returns the progress line of an event of a book run; undefined for events that are not shown. */
function bookLine({ type, data }: RunEvent): string | undefined {
  const number = String(data['number']);
  switch (type) {
    case 'outline_saved':
      return translate(phrase('out.outline_saved', { count: Number(data['chapters']) }));
    case 'chapter_reviewed':
      return translate(
        phrase(data['revise'] === true ? 'out.chapter_revised' : 'out.chapter_scored', {
          number,
          score: String(data['score']),
        }),
      );
    case 'chapter_persisted':
      return `${translate(
        phrase('out.chapter_written', { number, words: String(data['words']), title: String(data['title']) }),
      )}${byRules(data['fallback_stages'])}`;
    case 'chapter_kept':
      return translate(keptWords(data));
    case 'fallback_used':
      return translate(phrase('out.stage_by_rules', { stage: stageName(data['stage']) }));
    default:
      return undefined;
  }
}

/** Makes the outline of a book from its sources, and says what of the author's concept it does not follow. */
async function makeOutline({ client, progress, signal }: Work, book: Book): Promise<void> {
  const { outline_changes: made } = await runBook(client, book, 'toc', {}, progress, signal);
  sayUnfollowed(made, progress);
}

/**
 * Makes changes of an outline from operations or feedback, and shows them. At a terminal, the author then accepts or rejects them;
 * otherwise, or with `accepts`, they are applied.
 *
 * @returns the book, and whether its outline has changed
 * @throws CliError if nothing was changed, the outline has changed since it was read, or the author does not answer
 */
async function refineOutline(
  { client, progress, signal }: Work,
  name: string,
  wanted: Wanted,
  accepts: boolean,
): Promise<Book> {
  const { id: project_id } = await findBook(client, name);
  const params = { path: { project_id } };
  const book = await unwrap(client.GET('/api/books/projects/{project_id}', { params }));
  const inputs = { ...wanted, propose: true };
  const { proposed_outline: proposed, outline_changes: made } = await runBook(
    client,
    book,
    'refine_toc',
    inputs,
    progress,
    signal,
  );
  made?.changes.forEach((change, i) => progress.say(renderText(made.change_phrases?.[i], change)));
  sayUnfollowed(made, progress);
  if (!proposed || !(await mayChange(accepts, signal))) return book;
  const header = { 'If-Match': book.etag };
  const body = { outline_json: proposed };
  return unwrap(client.PATCH('/api/books/projects/{project_id}', { params, body, headers: header }));
}

function sayUnfollowed(made: Output['outline_changes'], progress: Progress): void {
  made?.unclear.forEach((request, i) => progress.say(renderText(made.unclear_phrases?.[i], request)));
}

async function mayChange(accepts: boolean, signal: AbortSignal): Promise<boolean> {
  if (accepts || !process.stdin.isTTY) return true;
  const isAccepted = await acceptAtTerminal(translate(phrase('cli.change_outline')), signal);
  if (isAccepted === undefined) throw new CliError(phrase('cli_error.no_answer_outline'));
  return isAccepted;
}
