import type { Caller } from '#db/repositories/tenants.js';
import { FromCaller, IdFromKey, Route, ValidBody } from '#gateway/http/route.js';
import { Controller, Param } from '@nestjs/common';
import type { NewChange } from '../contract/schemas.js';
import { ChangesService } from './changes.service.js';

@Controller()
export class ChangesController {
  constructor(private readonly changes: ChangesService) {}

  @Route('proposeChange')
  propose(
    @FromCaller() { tenantId }: Caller,
    @ValidBody('proposeChange') body: NewChange,
    @IdFromKey('run') runId: string | undefined,
  ) {
    return this.changes.propose(tenantId, body, runId);
  }

  @Route('getChange')
  get(@FromCaller() { tenantId }: Caller, @Param('run_id') runId: string) {
    return this.changes.read(tenantId, runId);
  }

  @Route('acceptChange')
  accept(@FromCaller() { tenantId }: Caller, @Param('run_id') runId: string) {
    return this.changes.accept(tenantId, runId);
  }

  @Route('rejectChange')
  reject(@FromCaller() { tenantId }: Caller, @Param('run_id') runId: string) {
    return this.changes.reject(tenantId, runId);
  }
}
