import { everyItem } from '#contracts/api/responses.js';
import { queryOptions } from '@tanstack/react-query';
import { call, change, type Schemas } from './api-query';

export type Comment = Schemas['Comment'];

/** A text that people comment on. */
export type CommentedText = { session_id: string } & (
  { of: 'document' | 'article' } | { of: 'chapter'; chapter_id: string }
);

/** The words that a comment is about; empty for the whole text. */
export type Quote = Pick<Comment, 'quote' | 'start'>;

const COMMENT = '/api/sessions/{session_id}/comments/{comment_id}';

/** Query for the comments and replies about a text, oldest first. */
export const commentsOf = (text: CommentedText) =>
  queryOptions({
    queryKey: ['comments', text],
    queryFn: async () => {
      const path = 'GET /api/sessions/{session_id}/comments';
      return (await everyItem((page) => call(path, { ...text, ...page }))).reverse();
    },
  });

/** Adds a comment, or a reply. @throws ApiProblem */
export const addComment = (
  { session_id, ...of }: CommentedText,
  comment: Partial<Quote> & { text: string; reply_to?: string },
) => {
  const given = { session_id, body: { ...of, ...comment } };
  return change('POST /api/sessions/{session_id}/comments', given, ['comments']);
};

/** Resolves a thread, or opens it again. @throws ApiProblem */
export const resolveThread = (session_id: string, comment_id: string, is_resolved: boolean) =>
  change(`PATCH ${COMMENT}`, { session_id, comment_id, body: { is_resolved } }, ['comments']);

/** Deletes a comment with its replies. @throws ApiProblem */
export const removeComment = (session_id: string, comment_id: string) =>
  change(`DELETE ${COMMENT}`, { session_id, comment_id }, ['comments']);

/** Returns where the words of a comment are in a text, in UTF-16 units; -1 if it no longer has them. */
export const placeOf = (text: string, { quote, start }: Quote): number =>
  text.startsWith(quote, start) ? start : text.indexOf(quote);

/** Returns what people ask for in open threads, as feedback for a model. */
export const feedbackOf = (comments: readonly Comment[]): string =>
  comments
    .filter(({ reply_to: of, resolved_at: done }) => of === null && done === null)
    .map(({ id, quote, text }) => {
      const replies = comments.filter(({ reply_to: of }) => of === id).map((reply) => reply.text);
      return [quote && `"${quote}"`, text, ...replies].filter(Boolean).join('\n');
    })
    .join('\n\n');
