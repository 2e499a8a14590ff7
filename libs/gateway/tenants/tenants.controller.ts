import type { newTenantSchema, tenantChangeSchema } from '#contracts/api/tenant-schemas.js';
import type { PageQuery } from '#contracts/api/paging.js';
import { Controller, Param } from '@nestjs/common';
import type { z } from 'zod';
import { createdKeyView } from '../auth/views.js';
import { Route, ValidBody, ValidQuery } from '../http/route.js';
import { TenantsService } from './tenants.service.js';

/** The operator's view of tenants; requires the admin's credentials. */
@Controller()
export class TenantsController {
  constructor(private readonly tenants: TenantsService) {}

  @Route('listTenants')
  list(@ValidQuery('listTenants') query: PageQuery) {
    return this.tenants.list(query);
  }

  @Route('createTenant')
  async create(@ValidBody('createTenant') { name, ...limits }: z.infer<typeof newTenantSchema>) {
    const { tenant, created } = await this.tenants.create(name, limits);
    return { ...tenant, first_key: createdKeyView(created) };
  }

  @Route('changeTenant')
  change(
    @Param('tenant_id') tenantId: string,
    @ValidBody('changeTenant') { suspended, ...limits }: z.infer<typeof tenantChangeSchema>,
  ) {
    return this.tenants.change(tenantId, suspended, limits);
  }

  @Route('deleteTenant')
  async remove(@Param('tenant_id') tenantId: string) {
    await this.tenants.remove(tenantId);
  }
}
