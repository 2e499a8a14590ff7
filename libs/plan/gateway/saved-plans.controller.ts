import { IdFromKey, Route, type EndpointRequest } from '#gateway/http/route.js';
import { Controller } from '@nestjs/common';
import { SavedPlansService } from './saved-plans.service.js';

/** Saved plans, and ended plans that run again. */
@Controller()
export class SavedPlansController {
  constructor(private readonly saved: SavedPlansService) {}

  @Route('listSavedPlans')
  list({ tenantId, query }: EndpointRequest<'listSavedPlans'>) {
    return this.saved.list(tenantId, query);
  }

  @Route('createSavedPlan')
  create({ tenantId, body }: EndpointRequest<'createSavedPlan'>, @IdFromKey('pln') id: string | undefined) {
    return this.saved.create(tenantId, body, id);
  }

  @Route('getSavedPlan')
  get({ tenantId, params: { saved_plan_id: id }, query }: EndpointRequest<'getSavedPlan'>) {
    return this.saved.read(tenantId, id, query.version);
  }

  @Route('addSavedPlanVersion')
  addVersion({ tenantId, params: { saved_plan_id: id }, body }: EndpointRequest<'addSavedPlanVersion'>) {
    return this.saved.addVersion(tenantId, id, body);
  }

  @Route('deleteSavedPlan')
  async remove({ tenantId, params: { saved_plan_id: id } }: EndpointRequest<'deleteSavedPlan'>) {
    await this.saved.remove(tenantId, id);
  }

  @Route('runSavedPlan')
  run(
    { tenantId, params: { saved_plan_id: id }, body }: EndpointRequest<'runSavedPlan'>,
    @IdFromKey('run') runId: string | undefined,
  ) {
    return this.saved.start(tenantId, id, body, runId);
  }

  @Route('exportSavedPlan')
  export({ tenantId, params: { saved_plan_id: id }, query }: EndpointRequest<'exportSavedPlan'>) {
    return this.saved.export(tenantId, id, query.version);
  }

  @Route('runPlanAgain')
  again(
    { tenantId, params: { run_id: endedId }, body }: EndpointRequest<'runPlanAgain'>,
    @IdFromKey('run') runId: string | undefined,
  ) {
    return this.saved.again(tenantId, endedId, body, runId);
  }
}
