import { chatPositionSchema } from '../contract/schemas.js';
import type { Database } from '#db/client.js';
import type { Caller } from '#db/repositories/tenants.js';
import { Controller, Headers, Inject, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AuditService } from '#gateway/http/audit.service.js';
import { CallerWatch } from '#gateway/auth/caller-watch.js';
import { Route, type EndpointRequest } from '#gateway/http/route.js';
import { KnowledgeService } from '#knowledge/gateway/knowledge.service.js';
import { goneSignal, sendFrames } from '#gateway/runs/event-stream.js';
import { DATABASE } from '#kit/runtime/infrastructure.module.js';
import { resemblingArticle } from '../store/article-log.js';
import { ChatService, type Followed } from './chat.service.js';

/** Conversations about articles, and the log of approved articles. */
@Controller()
export class ArticlesController {
  constructor(
    @Inject(DATABASE) private readonly db: Database,
    private readonly chat: ChatService,
    private readonly knowledge: KnowledgeService,
    private readonly callers: CallerWatch,
    private readonly audit: AuditService,
  ) {}

  @Route('chatStream')
  async stream(
    { caller, body, raw: request }: EndpointRequest<'chatStream'>,
    @Headers('last-event-id') lastEventId: string | undefined,
    @Res() reply: FastifyReply,
  ) {
    const last = chatPositionSchema.safeParse(lastEventId).data;
    const followed = await this.chat.open(caller, body, last);
    if (body.inputs !== undefined) await this.note(caller, 'chatStream', followed, request);
    await this.send(caller, followed, request, reply);
  }

  @Route('chatResume')
  async resume({ caller, body, raw: request }: EndpointRequest<'chatResume'>, @Res() reply: FastifyReply) {
    const followed = await this.chat.answer(caller, body);
    await this.note(caller, 'chatResume', followed, request);
    await this.send(caller, followed, request, reply);
  }

  @Route('checkTopic')
  async check({ tenantId, body: { topic, keywords } }: EndpointRequest<'checkTopic'>) {
    const article = await resemblingArticle(this.db, tenantId, topic, keywords, this.knowledge.semantic);
    return { duplicate: article !== null, article };
  }

  /** Writes the audit entry before streaming, because the stream may never end normally. */
  private note(caller: Caller, action: string, { runId }: Followed, request: FastifyRequest): Promise<void> {
    return this.audit.record(caller, { action, resource: runId, outcome: 'done', requestId: request.id });
  }

  private async send(caller: Caller, followed: Followed, request: FastifyRequest, reply: FastifyReply) {
    const watched = this.callers.watch(caller);
    try {
      const until = AbortSignal.any([goneSignal(reply), watched.signal]);
      await sendFrames(request.url, reply, this.chat.frames(caller, followed, until), watched.signal, {
        'x-thread-id': followed.threadId,
      });
    } finally {
      watched.stop();
    }
  }
}
