import type {
  diffQuery,
  forkRequestSchema,
  promoteRequestSchema,
  restoreRequestSchema,
} from '#contracts/api/history-schemas.js';
import type { PageQuery } from '#contracts/api/paging.js';
import type { Caller } from '#db/repositories/tenants.js';
import { Controller, Headers, Param, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { z } from 'zod';
import { FromCaller, IdFromKey, Route, ValidBody, ValidQuery } from '../http/route.js';
import { DiffService } from './diff.service.js';
import { HistoryService } from './history.service.js';

const DIFF_TYPE = 'text/x-diff';

/** Checkpoints and manuscripts of earlier runs: restore, fork, promote, compare. */
@Controller()
export class HistoryController {
  constructor(
    private readonly history: HistoryService,
    private readonly diffs: DiffService,
  ) {}

  @Route('runHistory')
  list(
    @FromCaller() { tenantId }: Caller,
    @Param('run_id') runId: string,
    @ValidQuery('runHistory') query: PageQuery,
  ) {
    return this.history.list(tenantId, runId, query);
  }

  @Route('runStep')
  step(
    @FromCaller() { tenantId }: Caller,
    @Param('run_id') runId: string,
    @Param('step_id') checkpointId: string,
  ) {
    return this.history.step(tenantId, runId, checkpointId);
  }

  @Route('restoreSession')
  restore(
    @FromCaller() { tenantId }: Caller,
    @Param('session_id') sessionId: string,
    @ValidBody('restoreSession') body: z.infer<typeof restoreRequestSchema>,
    @IdFromKey('run') runId: string | undefined,
  ) {
    return this.history.restore(tenantId, sessionId, body, runId);
  }

  @Route('forkSession')
  fork(
    @FromCaller() { tenantId }: Caller,
    @Param('session_id') sessionId: string,
    @ValidBody('forkSession') body: z.infer<typeof forkRequestSchema>,
    @IdFromKey('ses') newSessionId: string | undefined,
    @IdFromKey('run') runId: string | undefined,
  ) {
    const ids = newSessionId && runId ? { sessionId: newSessionId, runId } : undefined;
    return this.history.fork(tenantId, sessionId, body, ids);
  }

  @Route('promoteFork')
  promote(
    @FromCaller() { tenantId }: Caller,
    @Param('session_id') sessionId: string,
    @ValidBody('promoteFork') body: z.infer<typeof promoteRequestSchema>,
  ) {
    return this.history.promote(tenantId, sessionId, body);
  }

  @Route('diffManuscripts')
  async diff(
    @FromCaller() { tenantId }: Caller,
    @Param('session_id') sessionId: string,
    @ValidQuery('diffManuscripts') query: z.infer<typeof diffQuery>,
    @Headers('accept') accept: string | undefined,
    @Res() reply: FastifyReply,
  ) {
    const { unified, ...diff } = await this.diffs.compare(tenantId, sessionId, query);
    void reply.header('vary', 'accept');
    if (!accept?.includes(DIFF_TYPE)) return reply.send(diff);
    return reply.type(`${DIFF_TYPE}; charset=utf-8`).send(unified);
  }
}
