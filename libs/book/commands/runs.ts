import { translate } from '#cli/language.js';
import { phrase } from '#contracts/phrases/phrase.js';
import type { CitationStyle } from '#contracts/bibliography-names.js';
import type { Schemas } from '#catalogue/named-schemas.js';
import { everyItem, unwrap } from '#contracts/api/responses.js';
import type { BookMode, bookKind } from '../contract.js';
import type { ExportFormat, PdfStandard, TrimSize } from '#contracts/file-kinds.js';
import { exportFormatOf, withRecoveryHint } from '#cli/outputs/output-file.js';
import { isActive } from '#contracts/runs.js';
import { resolve } from 'node:path';
import type { z } from 'zod';
import { CliError, failedRun } from '#cli/cli-error.js';
import { type ApiClient, OPEN_ENDED } from '#cli/client/api-client.js';
import { download } from '#cli/client/download-result.js';
import { type Run, runToEnd } from '#cli/commands/run-to-end.js';
import type { Progress } from '#cli/progress/progress.js';
import { sayOnTerminal } from '#cli/progress/line-progress.js';
import { exportCommand, type Place } from '#cli/stack/data-dir.js';

export type Book = Schemas['BookProject'];
export type Output = z.infer<typeof bookKind.progress>['output_payload'];

/** @throws CliError for another file extension */
export function formatOf(file: string): ExportFormat {
  const format = exportFormatOf(file);
  if (!format) throw new CliError(phrase('cli_error.book_format', { file }));
  return format;
}

/** @throws CliError when no book has that id or title, or several have the title */
export async function findBook(client: ApiClient, name: string): Promise<Book> {
  const books = await listBooks(client);
  const found = books.filter(({ id, title }) => id === name || title === name);
  if (found.length === 1) return found[0]!;
  if (found.length === 0) throw new CliError(phrase('cli_error.no_such_book', { name }));
  throw new CliError(phrase('cli_error.several_books', { name }));
}

export const listBooks = (client: ApiClient): Promise<Book[]> =>
  everyItem((query) => unwrap(client.GET('/api/books/projects', { params: { query } })));

/**
 * Runs one mode of a book to its end. First follows active runs of the book to their ends.
 *
 * @returns the output of the run
 * @throws CliError with the run's error message when it does not complete
 */
export async function runBook(
  client: ApiClient,
  book: Book,
  mode: BookMode,
  inputs: Record<string, unknown>,
  progress: Progress,
  signal: AbortSignal,
): Promise<Output> {
  const params = { query: { session_id: book.session_id } };
  const { items } = await unwrap(client.GET('/api/agents/runs', { params }));
  for (const { id, status } of items) {
    if (!isActive(status)) continue;
    progress.say(translate(phrase('out.waiting_for_run', { run: id })));
    await follow(client, id, progress, signal);
  }
  const body = { project_id: book.id, mode, inputs };
  const started = await unwrap(client.POST('/api/agents/runs', { body }));
  const run = await follow(client, started.id, progress, signal);
  if (run.status !== 'completed') throw failedRun(run);
  return (run.progress.details as { output_payload: Output }).output_payload;
}

/** Asks the run that writes a whole book to end after the current chapter. */
export const stopBook = async (client: ApiClient, name: string): Promise<Book> => {
  const { id: project_id } = await findBook(client, name);
  return unwrap(client.POST('/api/books/projects/{project_id}/stop', { params: { path: { project_id } } }));
};

const follow = (client: ApiClient, runId: string, progress: Progress, signal: AbortSignal): Promise<Run> =>
  runToEnd(client, runId, progress, signal);

/** Options of an exported file. */
export interface ExportOptions {
  citationStyle?: CitationStyle;
  trimSize?: TrimSize;
  pdfStandard?: PdfStandard;
  index?: boolean;
  listOfFigures?: boolean;
  tracked?: boolean;
}

/** Exports a book into a file. @returns its path */
export async function exportBook(
  client: ApiClient,
  book: Book,
  place: Place,
  progress: Progress,
  signal: AbortSignal,
  { citationStyle, trimSize, pdfStandard, index, listOfFigures, tracked }: ExportOptions = {},
): Promise<string> {
  const inputs = {
    formats: [formatOf(place.output)],
    ...(citationStyle && { citation_style: citationStyle }),
    ...(trimSize && { trim_size: trimSize }),
    ...(pdfStandard && { pdf_standard: pdfStandard }),
    ...(index && { index }),
    ...(listOfFigures !== undefined && { list_of_figures: listOfFigures }),
    ...(tracked && { proposals: 'tracked' }),
  };
  sayOnTerminal(phrase('cli.making_file', { file: place.output }));
  const { exports } = await runBook(client, book, 'export', inputs, progress, signal);
  const params = { path: { session_id: book.session_id, export_id: exports[0]!.id } };
  const path = resolve(place.output);
  await withRecoveryHint(phrase('cli_error.book_saved', { command: exportCommand(book.id, place) }), () =>
    download(client.GET('/api/sessions/{session_id}/exports/{export_id}', { params, ...OPEN_ENDED }), path),
  );
  return path;
}
