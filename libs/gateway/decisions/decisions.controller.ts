import type { endpoints } from '#contracts/api/endpoints.js';
import { answerJsonSchema, decisionRequestSchema } from '#contracts/decisions.js';
import type { PageQuery } from '#contracts/api/paging.js';
import type { newEarlyAnswerSchema } from '#contracts/api/schemas.js';
import type { PageRequest } from '#db/page.js';
import type { Caller } from '#db/repositories/tenants.js';
import type { GivenAnswer } from '#engine/decisions/resolve-answer.js';
import { Controller, Param, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { byTime, readPage } from '../http/page.js';
import { FromCaller, Route, ValidBody, ValidQuery } from '../http/route.js';
import { FileIntake } from '../sessions/file-intake.js';
import { QuotaService } from '../tenants/quota.service.js';
import { DecisionsService } from './decisions.service.js';
import { readAnswer } from './given-answer.js';
import { earlyAnswerView } from './views.js';

type DecisionsQuery = z.infer<typeof endpoints.listDecisions.query>;

@Controller()
export class DecisionsController {
  constructor(
    private readonly decisions: DecisionsService,
    private readonly intake: FileIntake,
    private readonly quota: QuotaService,
  ) {}

  @Route('listDecisions')
  list(
    @FromCaller() { tenantId }: Caller,
    @ValidQuery('listDecisions') { status, run_id, assignee, ...query }: DecisionsQuery,
  ) {
    const selection = { status, runId: run_id, assignee };
    const read = (request: PageRequest) => this.decisions.page(tenantId, selection, request);
    return readPage(query, byTime, read, (rows) => this.decisions.views(tenantId, rows));
  }

  @Route('getDecision')
  async get(@FromCaller() { tenantId }: Caller, @Param('decision_id') id: string) {
    return this.decisions.view(tenantId, await this.decisions.require(tenantId, id));
  }

  @Route('answerDecision')
  async answer(
    @FromCaller() caller: Caller,
    @Param('decision_id') id: string,
    @Req() request: FastifyRequest,
  ) {
    const decision = await this.decisions.requireAnswerable(caller, id);
    if (request.isMultipart()) await this.quota.requireStorage(caller.tenantId, 0);
    const schema = answerJsonSchema(decisionRequestSchema.parse(decision.input));
    const given = await readAnswer(request, caller.tenantId, decision.run.sessionId, this.intake, schema);
    await this.limitUploads(caller, given);
    const answered = await this.decisions.answer(caller, decision, given);
    return this.decisions.view(caller.tenantId, answered);
  }

  @Route('giveEarlyAnswer')
  async answerEarly(
    @FromCaller() caller: Caller,
    @Param('run_id') runId: string,
    @ValidBody('giveEarlyAnswer') body: z.infer<typeof newEarlyAnswerSchema>,
  ) {
    return earlyAnswerView(await this.decisions.answerEarly(caller, runId, body));
  }

  @Route('listEarlyAnswers')
  listEarly(
    @FromCaller() { tenantId }: Caller,
    @Param('run_id') runId: string,
    @ValidQuery('listEarlyAnswers') query: PageQuery,
  ) {
    const read = (request: PageRequest) => this.decisions.pageOfEarly(tenantId, runId, request);
    return readPage(query, byTime, read, (rows) => rows.map(earlyAnswerView));
  }

  /**
   * Refuses uploads that exceed the storage quota; concurrent uploads are counted again when the files are
   * added.
   */
  private async limitUploads({ tenantId }: Caller, given: GivenAnswer): Promise<void> {
    const uploads = [...given.uploads.values()];
    if (uploads.length === 0) return;
    given.maxStorageBytes = await this.quota.storageLimit(tenantId);
    const bytes = uploads.reduce((sum, { size }) => sum + size, 0);
    await this.quota.requireStorage(tenantId, bytes).catch(async (error: unknown) => {
      await this.intake.drop(uploads);
      throw error;
    });
  }
}
