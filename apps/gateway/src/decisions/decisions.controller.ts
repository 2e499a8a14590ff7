import type { DecisionFilter } from '#db/repositories/decisions.js';
import type { Caller } from '#db/repositories/tenants.js';
import { Controller, Param, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { FromCaller, Route, ValidQuery } from '../http/route.js';
import { FileIntake } from '../sessions/file-intake.js';
import { QuotaService } from '../tenants/quota.service.js';
import { DecisionsService } from './decisions.service.js';
import { readAnswer } from './given-answer.js';
import { decisionView } from './views.js';

@Controller()
export class DecisionsController {
  constructor(
    private readonly decisions: DecisionsService,
    private readonly intake: FileIntake,
    private readonly quota: QuotaService,
  ) {}

  @Route('listDecisions')
  async list(
    @FromCaller() { tenantId }: Caller,
    @ValidQuery('listDecisions') { status, run_id }: { status: DecisionFilter; run_id?: string },
  ) {
    return { items: (await this.decisions.list(tenantId, status, run_id)).map(decisionView) };
  }

  @Route('getDecision')
  async get(@FromCaller() { tenantId }: Caller, @Param('decision_id') id: string) {
    return decisionView(await this.decisions.require(tenantId, id));
  }

  @Route('answerDecision')
  async answer(
    @FromCaller() caller: Caller,
    @Param('decision_id') id: string,
    @Req() request: FastifyRequest,
  ) {
    const { run } = await this.decisions.require(caller.tenantId, id);
    if (request.isMultipart()) await this.quota.requireStorage(caller.tenantId, 0);
    const given = await readAnswer(request, caller.tenantId, run.sessionId, this.intake);
    return decisionView(await this.decisions.answer(caller, id, given));
  }
}
