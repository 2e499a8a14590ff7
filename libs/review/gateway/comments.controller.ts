import { ProblemError } from '#contracts/errors.js';
import { newId } from '#contracts/ids.js';
import { phrase } from '#contracts/phrases/phrase.js';
import type { PageRequest, TimePosition } from '#db/page.js';
import { ApiKeyRepository } from '#db/repositories/api-keys.js';
import { type Comment, CommentRepository } from '#db/repositories/comments.js';
import { byTime, readPage } from '#gateway/http/page.js';
import { IdFromKey, Route, type EndpointRequest } from '#gateway/http/route.js';
import { view } from '#gateway/http/view.js';
import { SessionAccess } from '#gateway/tenants/session-access.js';
import { Controller } from '@nestjs/common';
import { commentSchema, type commentedTexts } from '../contract/schemas.js';

/** What people say about the texts of a session, in threads. */
@Controller()
export class CommentsController {
  constructor(
    private readonly access: SessionAccess,
    private readonly comments: CommentRepository,
    private readonly keys: ApiKeyRepository,
  ) {}

  @Route('createComment')
  async create(
    { caller, params: { session_id: sessionId }, body }: EndpointRequest<'createComment'>,
    @IdFromKey('cmt') id = newId('cmt'),
  ) {
    const { tenantId, apiKeyId } = caller;
    await this.access.require(tenantId, sessionId);
    const { reply_to: replyTo, text } = body;
    const answered = replyTo === undefined ? null : await this.require(tenantId, sessionId, replyTo);
    if (body.of === 'chapter' && body.chapter_id === undefined && !answered) noChapter();
    const chapterId = body.of === 'chapter' ? (body.chapter_id ?? null) : null;
    const place = answered ?? { of: body.of, chapterId, quote: body.quote, start: body.start };
    const added = await this.comments.add({
      ...{
        id,
        tenantId,
        sessionId,
        text,
        apiKeyId,
        author: (await this.keys.nameOf(tenantId, apiKeyId)) ?? '',
      },
      ...{ of: place.of, chapterId: place.chapterId, quote: place.quote, start: place.start },
      replyTo: answered && (answered.replyTo ?? answered.id),
    });
    return commentView(added ?? noChapter());
  }

  @Route('listComments')
  async list({
    tenantId,
    params: { session_id: sessionId },
    query: { limit, cursor, ...filter },
  }: EndpointRequest<'listComments'>) {
    await this.access.require(tenantId, sessionId);
    const read = (request: PageRequest<TimePosition>) =>
      this.comments.page(tenantId, sessionId, filter, request);
    return readPage({ limit, ...(cursor !== undefined && { cursor }) }, byTime, read, (rows) =>
      rows.map(commentView),
    );
  }

  @Route('changeComment')
  async change({
    tenantId,
    params: { session_id: sessionId, comment_id: id },
    body,
  }: EndpointRequest<'changeComment'>) {
    if (!(await this.comments.resolve(tenantId, sessionId, id, body.is_resolved))) throw noComment();
    return commentView(await this.require(tenantId, sessionId, id));
  }

  @Route('deleteComment')
  async remove({
    tenantId,
    params: { session_id: sessionId, comment_id: id },
  }: EndpointRequest<'deleteComment'>) {
    if (!(await this.comments.remove(tenantId, sessionId, id))) throw noComment();
  }

  private async require(tenantId: string, sessionId: string, id: string): Promise<Comment> {
    const comment = await this.comments.find(tenantId, sessionId, id);
    if (!comment) throw noComment();
    return comment;
  }
}

const noComment = () => new ProblemError('not_found', phrase('not_found.comment'));

/** @throws ProblemError */
function noChapter(): never {
  throw new ProblemError('not_found', phrase('not_found.chapter'));
}

const commentView = (row: Comment) =>
  view(commentSchema, row, { of: row.of as (typeof commentedTexts)[number] });
