import type { PageRequest } from '#db/page.js';
import { withFile } from '#gateway/http/multipart.js';
import { readPage, type CursorFormat } from '#gateway/http/page.js';
import { IdFromKey, Route, type EndpointRequest } from '#gateway/http/route.js';
import { Controller } from '@nestjs/common';
import { z } from 'zod';
import { ReviewsService } from './reviews.service.js';

/** Cursors of proposals, which are sorted by number. */
const byNumber: CursorFormat<{ number: number }, number> = {
  write: ({ number }) => number,
  schema: z.number().int().min(0).max(2_000_000_000),
};

/** Reviews of Word files. */
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
