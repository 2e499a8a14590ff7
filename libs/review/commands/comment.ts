import type { Schemas } from '#catalogue/named-schemas.js';
import { everyItem, unwrap } from '#contracts/api/responses.js';
import { phrase } from '#contracts/phrases/phrase.js';
import { type PrintOptions, printRead, renderLines, withPrintOptions } from '#cli/commands/print-result.js';
import { translate } from '#cli/language.js';
import { type Command, Option } from 'commander';

type Comment = Schemas['Comment'];

interface NewComment {
  of: Comment['of'];
  chapter?: string;
  quote?: string;
  replyTo?: string;
}

/** `scriptorium comment …`: what people say about the texts of a session, in threads. */
export function registerComment(command: Command): void {
  const sub = (usage: string, description: string) =>
    withPrintOptions(command.command(usage).description(description), 'print JSON');
  sub('list <session>', 'List the comments about the texts of a session, oldest first').action(list);
  sub('add <session> <text>', 'Comment on a text, or reply to a comment')
    .addOption(
      new Option('--of <text>', 'what the comment is about')
        .choices(['document', 'article', 'chapter'])
        .default('document'),
    )
    .option('--chapter <id>', 'the chapter, with --of chapter')
    .option('--quote <words>', 'the words that it is about, as in the Markdown')
    .option('--reply-to <comment>', 'first comment of the thread, cmt_…')
    .action(add);
  sub('resolve <session> <comment>', 'Resolve a thread').action(change(true));
  sub('reopen <session> <comment>', 'Open a resolved thread again').action(change(false));
  sub('remove <session> <comment>', 'Delete a comment with the replies to it').action(remove);
}

const COMMENTS = '/api/sessions/{session_id}/comments';

const list = (session_id: string, options: PrintOptions) =>
  printRead(
    options,
    async (client) => {
      const path = { session_id };
      const all = await everyItem((query) => unwrap(client.GET(COMMENTS, { params: { path, query } })));
      return all.reverse();
    },
    (comments) =>
      comments.length === 0 ? `${translate(phrase('out.no_comments'))}\n` : renderLines(line)(comments),
  );

const add = (
  session_id: string,
  text: string,
  { of, chapter: chapter_id, quote, replyTo: reply_to, ...options }: PrintOptions & NewComment,
) =>
  printRead(
    options,
    (client) => {
      const body = { text, of, chapter_id, quote, reply_to };
      return unwrap(client.POST(COMMENTS, { params: { path: { session_id } }, body }));
    },
    renderOne,
  );

const change = (is_resolved: boolean) => (session_id: string, comment_id: string, options: PrintOptions) =>
  printRead(
    options,
    (client) => {
      const params = { path: { session_id, comment_id } };
      return unwrap(client.PATCH(`${COMMENTS}/{comment_id}`, { params, body: { is_resolved } }));
    },
    renderOne,
  );

const remove = (session_id: string, comment_id: string, options: PrintOptions) =>
  printRead(
    options,
    async (client) => {
      await unwrap(
        client.DELETE(`${COMMENTS}/{comment_id}`, { params: { path: { session_id, comment_id } } }),
      );
      return { id: comment_id };
    },
    ({ id }) => `${id}\n`,
  );

const renderOne = (comment: Comment) => `${line(comment)}\n`;

function line({ id, author, quote, reply_to, text, resolved_at }: Comment): string {
  const words = reply_to === null && quote !== '' ? [`"${quote.replaceAll('\n', ' ')}"`] : [];
  const done = resolved_at === null ? [] : [translate(phrase('out.comment_resolved'))];
  return [reply_to === null ? id : `  ${id}`, author, ...words, text, ...done].join('  ');
}
