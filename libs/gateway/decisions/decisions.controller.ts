import { answerJsonSchema, decisionRequestSchema } from '#contracts/decisions.js';
import type { PageRequest } from '#db/page.js';
import type { Caller } from '#db/repositories/tenants.js';
import type { GivenAnswer } from '#engine/decisions/resolve-answer.js';
import { Controller } from '@nestjs/common';
import { byTime, readPage } from '../http/page.js';
import { Route, type EndpointRequest } from '../http/route.js';
import { FileIntake } from '../sessions/file-intake.js';
import { QuotaService } from '../tenants/quota.service.js';
import { DecisionsService } from './decisions.service.js';
import { readAnswer } from './given-answer.js';
import { earlyAnswerView } from './views.js';

@Controller()
export class DecisionsController {
  constructor(
    private readonly decisions: DecisionsService,
    private readonly intake: FileIntake,
    private readonly quota: QuotaService,
  ) {}

  @Route('listDecisions')
  list({ tenantId, query: { status, run_id, assignee, ...query } }: EndpointRequest<'listDecisions'>) {
    const selection = { status, runId: run_id, assignee };
    const read = (request: PageRequest) => this.decisions.page(tenantId, selection, request);
    return readPage(query, byTime, read, (rows) => this.decisions.views(tenantId, rows));
  }

  @Route('getDecision')
  async get({ tenantId, params: { decision_id: id } }: EndpointRequest<'getDecision'>) {
    return this.decisions.view(tenantId, await this.decisions.require(tenantId, id));
  }

  @Route('answerDecision')
  async answer({ caller, params: { decision_id: id }, raw: request }: EndpointRequest<'answerDecision'>) {
    const decision = await this.decisions.requireAnswerable(caller, id);
    if (request.isMultipart()) await this.quota.requireStorage(caller.tenantId, 0);
    const schema = answerJsonSchema(decisionRequestSchema.parse(decision.input));
    const given = await readAnswer(request, caller.tenantId, decision.run.sessionId, this.intake, schema);
    await this.limitUploads(caller, given);
    const answered = await this.decisions.answer(caller, decision, given);
    return this.decisions.view(caller.tenantId, answered);
  }

  @Route('changeDecisionFinding')
  changeFinding({ caller, params, body }: EndpointRequest<'changeDecisionFinding'>) {
    return this.decisions.changeFinding(caller, params.decision_id, params.finding_id, body);
  }

  @Route('giveEarlyAnswer')
  async answerEarly({ caller, params: { run_id: runId }, body }: EndpointRequest<'giveEarlyAnswer'>) {
    return earlyAnswerView(await this.decisions.answerEarly(caller, runId, body));
  }

  @Route('listEarlyAnswers')
  listEarly({ tenantId, params: { run_id: runId }, query }: EndpointRequest<'listEarlyAnswers'>) {
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
