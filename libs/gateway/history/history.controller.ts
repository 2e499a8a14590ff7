import { Controller, Headers, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { IdFromKey, Route, type EndpointRequest } from '../http/route.js';
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
  list({ tenantId, params: { run_id: runId }, query }: EndpointRequest<'runHistory'>) {
    return this.history.list(tenantId, runId, query);
  }

  @Route('runStep')
  step({ tenantId, params: { run_id: runId, step_id: checkpointId } }: EndpointRequest<'runStep'>) {
    return this.history.step(tenantId, runId, checkpointId);
  }

  @Route('restoreSession')
  restore(
    { tenantId, params: { session_id: sessionId }, body }: EndpointRequest<'restoreSession'>,
    @IdFromKey('run') runId: string | undefined,
  ) {
    return this.history.restore(tenantId, sessionId, body, runId);
  }

  @Route('forkSession')
  fork(
    { tenantId, params: { session_id: sessionId }, body }: EndpointRequest<'forkSession'>,
    @IdFromKey('ses') newSessionId: string | undefined,
    @IdFromKey('run') runId: string | undefined,
  ) {
    const ids = newSessionId && runId ? { sessionId: newSessionId, runId } : undefined;
    return this.history.fork(tenantId, sessionId, body, ids);
  }

  @Route('promoteFork')
  promote({ tenantId, params: { session_id: sessionId }, body }: EndpointRequest<'promoteFork'>) {
    return this.history.promote(tenantId, sessionId, body);
  }

  @Route('diffManuscripts')
  async diff(
    { tenantId, params: { session_id: sessionId }, query }: EndpointRequest<'diffManuscripts'>,
    @Headers('accept') accept: string | undefined,
    @Res() reply: FastifyReply,
  ) {
    const { unified, ...diff } = await this.diffs.compare(tenantId, sessionId, query);
    void reply.header('vary', 'accept');
    if (!accept?.includes(DIFF_TYPE)) return reply.send(diff);
    return reply.type(`${DIFF_TYPE}; charset=utf-8`).send(unified);
  }
}
