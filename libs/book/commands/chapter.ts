import { translate } from '#cli/language.js';
import { phrase } from '#contracts/phrases/phrase.js';
import { everyItem, unwrap } from '#contracts/api/responses.js';
import { type Command, InvalidArgumentError } from 'commander';
import { uploadNamed } from '#knowledge/commands/named-sources.js';
import type { createPrinter, PrintOptions } from '#cli/commands/print-result.js';
import { CliError } from '#cli/cli-error.js';
import type { Work } from '#cli/stack/with-service.js';
import { findBook, runBook } from './runs.js';
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

function numberOf(text: string): number {
  if (!/^[1-9]\d{0,2}$/.test(text)) throw new InvalidArgumentError(translate(phrase('usage.chapter_number')));
  return Number(text);
}

interface WrittenChapter {
  number: number;
  title: string;
  score: number | null;
  open_questions: string[];
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
  const chapters = await everyItem((query) => {
    const params = { path: { project_id: book.id }, query };
    return unwrap(client.GET('/api/books/projects/{project_id}/chapters', { params }));
  });
  const chapter = chapters.find((one) => one.number === number);
  if (!chapter) throw new CliError(phrase('cli_error.no_such_chapter', { number }));
  const path = { chapter_id: chapter.id };
  const { title, score, review } = await unwrap(
    client.GET('/api/books/chapters/{chapter_id}', { params: { path } }),
  );
  return { number, title, score, open_questions: review?.open_questions ?? [] };
}

const renderChapter = ({ number, title, score, open_questions: open }: WrittenChapter): string =>
  `${number}  ${title}${score === null ? '' : `  score ${score}`}\n${open.map((one) => `     open: ${one}\n`).join('')}`;
