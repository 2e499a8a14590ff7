import { translate } from '#cli/language.js';
import { findingText } from '#cli/outputs/finding-text.js';
import { changesOf, type OverruleOptions, withOverruleOptions } from '#cli/commands/shared-options.js';
import type { Finding } from '#contracts/findings.js';
import { phrase, type Phrase } from '#contracts/phrases/phrase.js';
import { everyItem, unwrap } from '#contracts/api/responses.js';
import { type Command, InvalidArgumentError } from 'commander';
import { uploadNamed } from '#knowledge/commands/upload-sources.js';
import type { createPrinter, PrintOptions } from '#cli/commands/print-result.js';
import { CliError } from '#cli/cli-error.js';
import type { Work } from '#cli/stack/with-service.js';
import type { ApiClient } from '#cli/client/api-client.js';
import type { Schemas } from '#catalogue/named-schemas.js';
import { findBook, runBook, type Book } from './runs.js';
import { listSources } from './sources.js';

interface ChapterOptions {
  feedback?: string;
  source: string[];
}

/** `scriptorium book chapter BOOK NUMBER`: writes or revises one chapter. */
export function registerChapter(command: Command, printWork: ReturnType<typeof createPrinter>): void {
  command
    .option('--feedback <text>', 'what to change in the present text')
    .option(
      '--source <page or file>',
      'page (https://…), file or source of the book to write from first (repeatable)',
      (value: string, before: string[]) => [...before, value],
      [],
    )
    .action((name: string, number: string, options: ChapterOptions & PrintOptions) =>
      printWork(options, (work) => writeChapter(work, name, numberOf(number), options), renderChapter),
    );
}

const numberOf = (text: string): number => smallNumber(text, phrase('usage.chapter_number'));

/** Returns a number from 1 to 999. @param problem reported for another text */
export function smallNumber(text: string, problem: Phrase): number {
  if (!/^[1-9]\d{0,2}$/.test(text)) throw new InvalidArgumentError(translate(problem));
  return Number(text);
}

/** `scriptorium book release BOOK NUMBER [PARAGRAPH…]`: lets runs change paragraphs again that a person wrote or accepted. */
export function registerRelease(command: Command, printWork: ReturnType<typeof createPrinter>): void {
  command.action((name: string, number: string, paragraphs: string[], options: PrintOptions) =>
    printWork(options, (work) => release(work, name, numberOf(number), paragraphs), renderReleased),
  );
}

interface ReleasedParagraphs {
  number: number;
  released: string[];
  kept: string[];
}

async function release(
  { client }: Work,
  name: string,
  number: number,
  paragraphs: string[],
): Promise<ReleasedParagraphs> {
  const { id, kept_paragraphs: kept } = await findChapter(client, await findBook(client, name), number);
  const released =
    paragraphs.length === 0 ? kept : kept.filter((paragraph) => paragraphs.includes(paragraph));
  const params = { path: { chapter_id: id } };
  const body = { released_paragraphs: released };
  const { kept_paragraphs } = await unwrap(
    client.PATCH('/api/books/chapters/{chapter_id}', { params, body }),
  );
  return { number, released, kept: kept_paragraphs };
}

const renderReleased = ({ released, kept }: ReleasedParagraphs): string =>
  `${translate(phrase('out.paragraphs_released', { count: released.length }))}\n${kept.map((id) => `     ${id}\n`).join('')}`;

export interface WrittenChapter {
  number: number;
  title: string;
  score: number | null;
  open_questions: string[];
  findings: Finding[];
}

async function writeChapter(
  { client, progress, signal }: Work,
  name: string,
  number: number,
  { feedback, source }: ChapterOptions,
): Promise<WrittenChapter> {
  const book = await findBook(client, name);
  const known = new Set((await listSources(client, book.id)).map(({ title }) => title));
  const sources = await uploadNamed(client, book.session_id, source, signal, known);
  const inputs = {
    chapter_number: number,
    ...(feedback === undefined ? {} : { feedback }),
    ...(sources.length > 0 ? { sources } : {}),
  };
  await runBook(client, book, 'chapter', inputs, progress, signal);
  return reviewedChapter(await findChapter(client, book, number));
}

const reviewedChapter = ({ number, title, score, review }: Schemas['BookChapterText']): WrittenChapter => ({
  number,
  title,
  score,
  open_questions: review?.open_questions ?? [],
  findings: review?.findings ?? [],
});

/** `scriptorium book overrule BOOK NUMBER FINDING`: says that a finding of a chapter is wrong. */
export function registerOverrule(command: Command, printWork: ReturnType<typeof createPrinter>): void {
  withOverruleOptions(command).action(
    (name: string, number: string, finding: string, options: PrintOptions & OverruleOptions) =>
      printWork(options, (work) => overrule(work, name, numberOf(number), finding, options), renderChapter),
  );
}

async function overrule(
  { client }: Work,
  name: string,
  number: number,
  finding_id: string,
  options: OverruleOptions,
): Promise<WrittenChapter> {
  const { id: chapter_id, etag } = await findChapter(client, await findBook(client, name), number);
  const params = { path: { chapter_id, finding_id } };
  const [headers, body] = [{ 'If-Match': etag }, changesOf(options)];
  return reviewedChapter(
    await unwrap(
      client.PATCH('/api/books/chapters/{chapter_id}/findings/{finding_id}', { params, headers, body }),
    ),
  );
}

/** @throws CliError when the book has no chapter with the number */
async function findChapter(
  client: ApiClient,
  book: Book,
  number: number,
): Promise<Schemas['BookChapterText']> {
  const chapters = await everyItem((query) => {
    const params = { path: { project_id: book.id }, query };
    return unwrap(client.GET('/api/books/projects/{project_id}/chapters', { params }));
  });
  const chapter = chapters.find((one) => one.number === number);
  if (!chapter) throw new CliError(phrase('cli_error.no_such_chapter', { number }));
  const params = { path: { chapter_id: chapter.id } };
  return unwrap(client.GET('/api/books/chapters/{chapter_id}', { params }));
}

export const renderChapter = ({
  number,
  title,
  score,
  open_questions: open,
  findings,
}: WrittenChapter): string =>
  [
    `${number}  ${title}${score === null ? '' : `  score ${score}`}`,
    ...open.map((one) => `     open: ${one}`),
    ...findings.map(
      (found) => `     ${translate(phrase(`severity.${found.severity}`))}: ${findingText(found)}`,
    ),
    '',
  ].join('\n');
