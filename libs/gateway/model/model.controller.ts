import type { NewModelEndpoint } from '#contracts/api/model-schemas.js';
import type { Caller } from '#db/repositories/tenants.js';
import { Controller } from '@nestjs/common';
import { FromCaller, Route, ValidBody } from '../http/route.js';
import { ModelService } from './model.service.js';

@Controller()
export class ModelController {
  constructor(private readonly models: ModelService) {}

  @Route('getModel')
  read(@FromCaller() { tenantId }: Caller) {
    return this.models.read(tenantId);
  }

  @Route('checkModel')
  check(@FromCaller() { tenantId }: Caller) {
    return this.models.check(tenantId);
  }

  @Route('setModelEndpoint')
  set(@FromCaller() { tenantId }: Caller, @ValidBody('setModelEndpoint') body: NewModelEndpoint) {
    return this.models.setEndpoint(tenantId, body);
  }

  @Route('deleteModelEndpoint')
  remove(@FromCaller() { tenantId }: Caller) {
    return this.models.removeEndpoint(tenantId);
  }
}
