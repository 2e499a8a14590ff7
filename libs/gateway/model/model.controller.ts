import { Controller } from '@nestjs/common';
import { Route, type EndpointRequest } from '../http/route.js';
import { ModelService } from './model.service.js';

@Controller()
export class ModelController {
  constructor(private readonly models: ModelService) {}

  @Route('getModel')
  read({ tenantId }: EndpointRequest<'getModel'>) {
    return this.models.read(tenantId);
  }

  @Route('checkModel')
  check({ tenantId }: EndpointRequest<'checkModel'>) {
    return this.models.check(tenantId);
  }

  @Route('setModelEndpoint')
  set({ tenantId, body }: EndpointRequest<'setModelEndpoint'>) {
    return this.models.setEndpoint(tenantId, body);
  }

  @Route('deleteModelEndpoint')
  remove({ tenantId }: EndpointRequest<'deleteModelEndpoint'>) {
    return this.models.removeEndpoint(tenantId);
  }
}
