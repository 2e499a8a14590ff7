import { IdFromKey, Route, type EndpointRequest } from '#gateway/http/route.js';
import { Controller } from '@nestjs/common';
import { ChangesService } from './changes.service.js';

@Controller()
export class ChangesController {
  constructor(private readonly changes: ChangesService) {}

  @Route('proposeChange')
  propose({ tenantId, body }: EndpointRequest<'proposeChange'>, @IdFromKey('run') runId: string | undefined) {
    return this.changes.propose(tenantId, body, runId);
  }

  @Route('getChange')
  get({ tenantId, params: { run_id: runId } }: EndpointRequest<'getChange'>) {
    return this.changes.read(tenantId, runId);
  }

  @Route('acceptChange')
  accept({ tenantId, params: { run_id: runId } }: EndpointRequest<'acceptChange'>) {
    return this.changes.accept(tenantId, runId);
  }

  @Route('rejectChange')
  reject({ tenantId, params: { run_id: runId } }: EndpointRequest<'rejectChange'>) {
    return this.changes.reject(tenantId, runId);
  }
}
