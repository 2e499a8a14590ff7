import type { PageRequest } from '#db/page.js';
import { withFile } from '#gateway/http/multipart.js';
import type { ProposalPosition } from '#db/repositories/proposals.js';
import { idSchema, readPage, type CursorFormat } from '#gateway/http/page.js';
import { IdFromKey, Route, type EndpointRequest } from '#gateway/http/route.js';
import { Controller } from '@nestjs/common';
import { z } from 'zod';
import { ReviewsService } from './reviews.service.js';

/** Cursors of proposals, which are sorted by number. */
const byNumber: CursorFormat<{ number: number }, number> = {
  write: ({ number }) => number,
  schema: z.number().int().min(0).max(2_000_000_000),
};

/** Cursors of a session's proposals, which are sorted by run, then by number. */
const byRun: CursorFormat<ProposalPosition, ProposalPosition> = {
  write: ({ runId, number }) => [runId, number],
  schema: z.tuple([idSchema, byNumber.schema]).transform(([runId, number]) => ({ runId, number })),
};

/** Reviews of Word files, and the proposals of all runs. */
@Controller()
export class ReviewsController {
  constructor(private readonly reviews: ReviewsService) {}

  @Route('startReview')
  start(
    { tenantId, params: { session_id: sessionId }, raw }: EndpointRequest<'startReview'>,
    @IdFromKey('run') runId: string | undefined,
  ) {
    return withFile(raw, (part) => this.reviews.start(tenantId, sessionId, part, runId));
  }

  @Route('listProposals')
  list({ tenantId, params: { run_id: runId }, query }: EndpointRequest<'listProposals'>) {
    const read = (request: PageRequest<number>) => this.reviews.page(tenantId, runId, request);
    return readPage(query, byNumber, read, (rows) => this.reviews.views(tenantId, rows));
  }

  @Route('listSessionProposals')
  listOfSession({
    tenantId,
    params: { session_id: sessionId },
    query: { limit, cursor, ...filter },
  }: EndpointRequest<'listSessionProposals'>) {
    const read = (request: PageRequest<ProposalPosition>) =>
      this.reviews.pageOfSession(tenantId, sessionId, filter, request);
    const page = { limit, ...(cursor !== undefined && { cursor }) };
    return readPage(page, byRun, read, (rows) => this.reviews.views(tenantId, rows));
  }

  @Route('decideSessionProposals')
  decideOfSession({
    caller,
    params: { session_id: sessionId, run_id: runId },
    body,
  }: EndpointRequest<'decideSessionProposals'>) {
    return this.reviews.decideOfSession(caller, sessionId, runId, body);
  }

  @Route('decideProposals')
  decide({ caller, params: { run_id: runId }, body }: EndpointRequest<'decideProposals'>) {
    return this.reviews.decide(caller, runId, body);
  }

  @Route('finishReview')
  finish(
    { tenantId, params: { run_id: runId } }: EndpointRequest<'finishReview'>,
    @IdFromKey('run') id: string | undefined,
  ) {
    return this.reviews.finish(tenantId, runId, id);
  }
}
