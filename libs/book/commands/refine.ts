import { acceptAtTerminal } from '#cli/answers/accept.js';
import { CliError } from '#cli/cli-error.js';
import { renderText, translate } from '#cli/language.js';
import type { Progress } from '#cli/progress/progress.js';
import type { Work } from '#cli/stack/with-service.js';
import { unwrap } from '#contracts/api/responses.js';
import { phrase } from '#contracts/phrases/phrase.js';
import type { Wanted } from './refine-options.js';
import { findBook, runBook, type Book, type Output } from './runs.js';

/** Makes the outline of a book from its sources, and says what of the author's concept it does not follow. */
export async function makeOutline({ client, progress, signal }: Work, book: Book): Promise<void> {
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
export async function refineOutline(
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
