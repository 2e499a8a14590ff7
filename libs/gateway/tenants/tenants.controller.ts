import { Controller } from '@nestjs/common';
import { createdKeyView } from '../auth/keys.service.js';
import { Route, type EndpointRequest } from '../http/route.js';
import { TenantsService } from './tenants.service.js';

/** The operator's view of tenants; requires the admin's credentials. */
@Controller()
export class TenantsController {
  constructor(private readonly tenants: TenantsService) {}

  @Route('listTenants')
  list({ query }: EndpointRequest<'listTenants'>) {
    return this.tenants.list(query);
  }

  @Route('createTenant')
  async create({ body: { name, ...limits } }: EndpointRequest<'createTenant'>) {
    const { tenant, created } = await this.tenants.create(name, limits);
    return { ...tenant, first_key: createdKeyView(created) };
  }

  @Route('changeTenant')
  change({
    params: { tenant_id: tenantId },
    body: { suspended, ...limits },
  }: EndpointRequest<'changeTenant'>) {
    return this.tenants.change(tenantId, suspended, limits);
  }

  @Route('deleteTenant')
  async remove({ params: { tenant_id: tenantId } }: EndpointRequest<'deleteTenant'>) {
    await this.tenants.remove(tenantId);
  }
}
